import { isRecord, objectsIn, type Json } from './json.reader';

/**
 * Reads the `conversation facts: ...` line of the system prompt: `skus` and `orders` as lists (JSON or comma separated) and,
 * while a quote is open, the exact `create_checkout` arguments, recognised by `confirmToken`.
 */
export interface ConversationFacts {
  readonly skus: readonly string[];
  readonly orders: readonly string[];
  readonly quote?: Json;
}

const LINE = /^.*(?:conversation facts|fakta percakapan).*$/im;

export const isFactsLine = (line: string): boolean => LINE.test(line);

export const readConversationFacts = (system: string): ConversationFacts => {
  const line = LINE.exec(system)?.[0] ?? '';
  return {
    skus: listAfter(/\bskus"?/i, line),
    orders: listAfter(/\b(?:orders|order numbers)"?/i, line),
    quote: quoteIn(line),
  };
};

const listAfter = (label: RegExp, line: string): string[] => {
  const found =
    new RegExp(`${label.source}\\s*[:=]\\s*\\[?([^\\];{}|]*?)(?=[\\];{}|]|\\.\\s|$)`, label.flags).exec(line)?.[1] ??
    '';
  return found
    .split(',')
    .map((item) => item.replace(/["'\s.]+$|^["'\s]+/g, ''))
    .filter((item) => /^[\w./-]+$/.test(item));
};

const quoteIn = (line: string): Json | undefined => {
  const search = (value: unknown): Json | undefined => {
    if (!isRecord(value)) return undefined;
    if (typeof value.confirmToken === 'string') return value;
    return Object.values(value).map(search).find(Boolean);
  };
  return objectsIn(line).map(search).find(Boolean);
};

/** What a system prompt says about the shop, as `label: value` or as JSON fields. */
export interface StoreFacts {
  readonly name?: string;
  readonly hours?: string;
}

const VALUE = String.raw`["']?\s*[:=]\s*["']?([^\n;"{[]+?)(?=["']|,\s|\.\s|\.?$|\n|;)`;
const labelled = (labels: string, system: string): string | undefined =>
  new RegExp(`(?:${labels})${VALUE}`, 'im').exec(system)?.[1]?.trim() || undefined;

export const readStoreFacts = (system: string): StoreFacts => ({
  name:
    labelled('nama toko|nama store|store name|toko|store|"name', system) ??
    /\b(?:toko|store|shop)\s+((?:\p{Lu}[\p{L}\p{N}&'-]*[ ]?){1,4})/u.exec(system)?.[1]?.trim(),
  hours: labelled('jam buka|jam operasional|opening hours|hours', system),
});
