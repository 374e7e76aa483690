import { hxAttributes } from './ui/hx';

/** Whether there is a route of ours for it. */
export type IsMounted = (path: string, method: 'get' | 'post') => boolean;

interface Tag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const TAG = /<([a-z][\w-]*)((?:\s+[^\s=>"/]+(?:="[^"]*")?)*)\s*\/?>/g;
const ATTRIBUTE = /([^\s=>"/]+)(?:="([^"]*)")?/g;

const plain = (value: string): string => value.replaceAll('&quot;', '"').replaceAll('&amp;', '&');

const tagsOf = (html: string): Tag[] =>
  [...html.matchAll(TAG)].map(([, name = '', rest = '']) => ({
    name,
    attributes: Object.fromEntries(
      [...rest.matchAll(ATTRIBUTE)].map(([, attribute = '', value = '']) => [attribute, plain(value)]),
    ),
  }));

/** What the tag asks the server for, and how. */
const asksOf = ({ name, attributes }: Tag): (readonly [string, 'get' | 'post'])[] => {
  const { href, action, method, formaction } = attributes;
  const how = method?.toLowerCase() === 'post' ? 'post' : 'get';
  return [
    ...(name === 'a' && href !== undefined ? [[href, 'get'] as const] : []),
    ...(name === 'form' && action !== undefined ? [[action, how] as const] : []),
    ...(formaction === undefined ? [] : [[formaction, 'post'] as const]),
    ...(attributes['hx-get'] === undefined ? [] : [[attributes['hx-get'], 'get'] as const]),
    ...(attributes['hx-post'] === undefined ? [] : [[attributes['hx-post'], 'post'] as const]),
  ];
};

/** Files are no pages: where there is none the route says so. */
const FILE = /^(https:\/\/shop\.example)?\/(blob|api\/digital-store\/download)\//;

/** A place on the page itself, another program's address, or one of ours that is there. */
const leadsSomewhere = (target: string, method: 'get' | 'post', isMounted: IsMounted): boolean =>
  target.startsWith('#') ||
  /^(https:\/\/wa\.me\/|mailto:|tel:)/.test(target) ||
  FILE.test(target) ||
  isMounted(target.split(/[?#]/)[0] ?? target, method);

/** What is wrong with the links, forms and attributes of a page: where they lead nowhere, and what htmx does not know. */
export const faultsOf = (html: string, isMounted: IsMounted): string[] =>
  tagsOf(html).flatMap((tag) => [
    ...asksOf(tag)
      .filter(([target, method]) => !leadsSomewhere(target, method, isMounted))
      .map(([target, method]) => `${tag.name}: no ${method.toUpperCase()} ${target}`),
    ...Object.keys(tag.attributes)
      .filter((name) => /^(data-)?hx-/.test(name) && !hxAttributes.includes(name))
      .map((name) => `${tag.name}: ${name} is no attribute of ours`),
    ...Object.keys(tag.attributes)
      .filter((name) => name === 'style' || name.startsWith('on'))
      .map((name) => `${tag.name}: ${name} is inline`),
  ]);

/** The elements that htmx replaces on a page, by their ids, and where it asks for each. */
export const partsAsked = (html: string): Map<string, string> =>
  new Map(
    tagsOf(html).flatMap(({ attributes: { 'hx-get': get, 'hx-target': target } }) =>
      get !== undefined && target?.startsWith('#') ? [[target.slice(1), get] as const] : [],
    ),
  );

/** The ids that several elements have: labels and links would lead to the first alone. */
export const doubledIds = (html: string): string[] => {
  const ids = tagsOf(html).flatMap(({ attributes: { id } }) => (id === undefined ? [] : [id]));
  return [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))];
};
