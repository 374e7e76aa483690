import type { OutContent } from '../../engines/engine.types';

const FIELD = /\{\{\s*([\w.-]{1,64})\s*\}\}/g;

/** Names of the `{{fields}}` of a text, each once. */
export const fieldsOf = (template: string): string[] => [
  ...new Set([...template.matchAll(FIELD)].map(([, name = '']) => name)),
];

export const fill = (template: string, fields: Readonly<Record<string, string>>): string =>
  template.replace(FIELD, (_, name: string) => (Object.hasOwn(fields, name) ? (fields[name] ?? '') : ''));

const textOf = (data: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const value = Object.hasOwn(data, name) ? data[name] : undefined;
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' ? undefined : text.replaceAll('\0', '');
};

/** What a recipient brings for the fields, or the name of the first one that is missing. */
export const pickFields = (
  names: readonly string[],
  data: Readonly<Record<string, unknown>>,
): { fields: Record<string, string> } | { missing: string } => {
  const found: [name: string, text: string][] = [];
  for (const name of names) {
    const text = textOf(data, name);
    if (text === undefined) return { missing: name };
    found.push([name, text]);
  }
  return { fields: Object.fromEntries(found) };
};

/** The content for one recipient. */
export const personal = (content: OutContent, fields: Readonly<Record<string, string>>): OutContent => {
  if (content.kind === 'text') return { ...content, text: fill(content.text, fields) };
  if ('caption' in content && content.caption !== undefined)
    return { ...content, caption: fill(content.caption, fields) };
  return content;
};
