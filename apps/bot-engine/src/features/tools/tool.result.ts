import { cut } from '@platform/runtime';

/** Bytes of one result, as the model gets it (design 3.4). */
const MAX_RESULT = 4_096;
/** Rows of a list in a result. */
const MAX_ROWS = 5;

/** Control characters, those that turn the direction of text, and those that nobody sees: places to hide instructions in. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}]/gu;
const VISIBLE_BREAKS = /[\n\t]/;

export const visible = (text: string): string =>
  text.replace(UNSEEN, (character) => (VISIBLE_BREAKS.test(character) ? character : ''));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** A copy without unseen characters in any text, with at most five rows in any list. */
const cleaned = (value: unknown): unknown => {
  if (typeof value === 'string') return visible(value);
  if (Array.isArray(value)) return value.slice(0, MAX_ROWS).map(cleaned);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [visible(name), cleaned(member)]));
};

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The first list of several rows in a value, at any depth; its last row gives way first. */
const listIn = (value: unknown): unknown[] | undefined => {
  if (!isObject(value)) return undefined;
  if (Array.isArray(value) && value.length > 1) return value as unknown[];
  for (const member of Object.values(value)) {
    const list = listIn(member);
    if (list) return list;
  }
  return undefined;
};

/** Every text shortened to `most` characters. */
const shortened = (value: unknown, most: number): unknown => {
  if (typeof value === 'string') return cut(value, most);
  if (Array.isArray(value)) return value.map((item) => shortened(item, most));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member, most)]));
};

/** The value within the cap, still valid JSON: last rows go, then ends of texts, then everything. */
const within = (value: unknown): unknown => {
  while (bytes(value) > MAX_RESULT) {
    const list = listIn(value);
    if (!list) break;
    list.pop();
  }
  for (const most of [800, 200, 50]) {
    if (bytes(value) <= MAX_RESULT) return value;
    value = shortened(value, most);
  }
  return bytes(value) <= MAX_RESULT ? value : { error: 'too_long' };
};

/** A tool's result as the model gets it: marked as data, at most 4 kB of JSON, without unseen characters (design 3.5). */
export const dataResult = (result: object): string => JSON.stringify(within({ data: cleaned(result) }));

/** What went wrong with a call, for the model; `more` may say what to do instead. */
export const errorResult = (error: string, more: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify(within(cleaned({ error, ...more })));
