import { hx } from './hx';

/** A list by its address: where it is, and what it was asked for. */
export interface ListParts {
  readonly path: string;
  readonly query: { readonly sort?: string; readonly page?: number; readonly q?: string };
  /** How it is sorted unless somebody says otherwise. */
  readonly usualSort: string;
}

/** The element that holds a list; the name of its fragment. */
export const LIST = 'list';

/** The address of a list with one thing changed; what it was filtered by stays. */
export const addressOf = (
  { path, query }: { readonly path: string; readonly query: object },
  change: Readonly<Record<string, string | number | undefined>>,
): string => {
  const all: Readonly<Record<string, unknown>> = { ...query, ...change };
  const given = Object.entries(all).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
};

/** A link within a list: only the list is fetched, and what somebody types in it stays. */
export const hxList = (get: string, trigger?: string): Readonly<Record<string, string>> =>
  hx({ get, target: `#${LIST}`, swap: 'outerMorph', ...(trigger !== undefined && { trigger }), pushUrl: true });
