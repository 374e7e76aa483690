import { createHash } from 'node:crypto';
import { openapi, type Service } from '@platform/http';
import { cut } from '@platform/runtime';

/** What services take of a text at most, and a little more. */
const LONGEST = 64 * 1024 + 4;

/** No index and no table compresses it. */
const NOISE = Array.from({ length: 1_025 }, (_, n) => createHash('sha256').update(`${n}`).digest('hex')).join('');

/** As long as the field allows; a cut at any unit, odd or even, falls into an emoji of one of the two. */
const emojis =
  (begin: string) =>
  (most: number): string =>
    begin + '😀'.repeat(Math.max(0, Math.floor((Math.min(most, LONGEST) - begin.length) / 2)));

/** Texts that have broken services; each is given the length that its field documents, or `Infinity`. */
export const hostileTexts: Readonly<Record<string, (most: number) => string>> = {
  'U+0000 and halves of characters, from right to left,': () =>
    'a\0b\ud83dc\ude00 \u202e\u0645\u0631\u05e9\u05dc\u200f',
  'halves of characters, from right to left,': () => 'ab\ud83dc\ude00 \u202e\u0645\u0631\u05e9\u05dc\u200f',
  'U+0000 alone': () => '\0',
  'emoji at even places': emojis(''),
  'emoji at odd places': emojis('a'),
  '64 KB': () => NOISE,
};

/** The name of the first, which has a little of everything. */
export const [mixedText = ''] = Object.keys(hostileTexts);

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** Where a text of a value stands: names of members, and places in lists. */
export type TextPath = readonly (string | number)[];

export interface TextField {
  readonly at: TextPath;
  readonly maxLength: number | undefined;
}

const isText = ({ type }: Schema): boolean => type === 'string' || (Array.isArray(type) && type.includes('string'));

const descriptions = new WeakMap<Service, Description>();
/** Made once: it takes a third of a second. */
const descriptionOf = (service: Service): Description => {
  const description = descriptions.get(service) ?? (openapi(service) as unknown as Description);
  descriptions.set(service, description);
  return description;
};

/** Every text that an operation takes, as its own description says. */
export const textFieldsOf = (service: Service) => {
  const { paths, components } = descriptionOf(service);
  const resolved = (schema: Schema): Schema =>
    schema.$ref ? (components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;
  const within = (schema: Schema, at: TextPath): TextField[] => {
    const { properties, items, ...known } = resolved(schema);
    return [
      ...(isText(known) ? [{ at, maxLength: known.maxLength }] : []),
      ...Object.entries(properties ?? {}).flatMap(([name, one]) => within(one, [...at, name])),
      ...(items ? within(items, [...at, 0]) : []),
    ];
  };
  return (method: string, path: string): { body: TextField[]; query: string[] } => {
    const { requestBody, parameters = [] } = paths[path]?.[method.toLowerCase()] ?? {};
    const bodies = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => within(schema, []));
    const unique = new Map(bodies.map((field) => [field.at.join('.'), field]));
    return {
      body: [...unique.values()],
      query: parameters.flatMap((one) => (one.in === 'query' ? [one.name] : [])),
    };
  };
};

/** Where the texts of a value stand, at any depth; bytes hold none. */
export const textsIn = (value: unknown, at: TextPath = []): TextPath[] => {
  if (typeof value === 'string') return [at];
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  return Array.isArray(value)
    ? value.flatMap((item: unknown, n) => textsIn(item, [...at, n]))
    : Object.entries(value).flatMap(([name, member]) => textsIn(member, [...at, name]));
};

/** The value with `text` at its place; what is missing on the way there is made. */
export const withText = (value: unknown, [name, ...rest]: TextPath, text: string): unknown => {
  if (name === undefined) return text;
  if (typeof name === 'number') {
    const items = Array.isArray(value) ? [...(value as unknown[])] : [];
    items[name] = withText(items[name], rest, text);
    return items;
  }
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  return { ...object, [name]: withText((object as Record<string, unknown>)[name], rest, text) };
};

/** A good call; a query stands in its path. */
export interface GoodRequest {
  readonly method: string;
  /** With `{parameters}`. */
  readonly template: string;
  readonly path: string;
  readonly body?: unknown;
}

/** The text as a part of an address, which is UTF-8: that has no halves of characters. */
export const inAddress = (text: string): string => encodeURIComponent(cut(Buffer.from(text).toString(), 256));

/** The good call once for every text that it has and its operation takes, in body, query and path, with the hostile one in its place. */
export const hostileCalls = (
  { method, template, path, body }: GoodRequest,
  fieldsOf: ReturnType<typeof textFieldsOf>,
  hostile: (most: number) => string,
): { where: string; path: string; body: unknown }[] => {
  const fields = fieldsOf(method, template);
  // Forms are taken as JSON too
  const good: unknown = body instanceof FormData ? Object.fromEntries(body) : body;
  const escaped = inAddress(hostile(Infinity));
  const [address = '', search = ''] = path.split('?');
  // A member that takes anything is described as no text
  const undescribed = textsIn(good).map((at): TextField => ({ at, maxLength: undefined }));
  const described = new Map([...undescribed, ...fields.body].map((field) => [field.at.join('.'), field]));
  const parameters = template.match(/\{\w+\}/g) ?? [];
  const elsewhere = (one: string): string =>
    template.replace(one, escaped).replaceAll(/\{\w+\}/g, 'x') + (search && `?${search}`);
  return [
    ...[...described.values()].map(({ at, maxLength = Infinity }) => ({
      where: at.join('.'),
      path,
      body: withText(good, at, hostile(maxLength)),
    })),
    ...fields.query.map((key) => ({ where: `?${key}`, path: `${address}?${search}&${key}=${escaped}`, body: good })),
    ...parameters.map((one) => ({ where: one, path: elsewhere(one), body: good })),
  ];
};
