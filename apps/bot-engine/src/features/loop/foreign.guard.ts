import type { ConversationFacts } from '../tools/public';
import { plainText, readingOf } from './plain.reading';
import type { Span } from './segments';

const TLD =
  'com|net|org|id|co|me|ly|shop|store|link|xyz|info|biz|app|io|site|online|top|club|example|my|sg|to|cc|gl|page|dev';
/** Addresses of web pages, with and without scheme; not those of e-mail. */
const ADDRESS = new RegExp(
  String.raw`https?\s?:\s?\/\/[^\s<>"']+|(?<![\p{L}\d@.-])(?:www\.)?(?:[a-z\d-]+\.)+(?:${TLD})(?![\p{L}\d-])(?:[:/][^\s<>"']*)?`,
  'giu',
);
const ORDER = /(?<![\p{L}\d])inv-[a-z\d][a-z\d-]{3,}/giu;

const bare = (address: string): string =>
  address
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/[.,;:!?)\]}>*_'"]+$/, '')
    .replace(/\/$/, '');

const found = (text: string, pattern: RegExp): { what: string; span: Span }[] => {
  const { text: plain, at } = readingOf(text);
  return [...plain.matchAll(pattern)].map(({ 0: what, index }) => ({
    what,
    span: { start: at[index] ?? 0, end: (at[index + what.length - 1] ?? 0) + 1 },
  }));
};

const addressesIn = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => found(text, ADDRESS).map(({ what }) => bare(what)));

/** Addresses in an answer that neither a tool result nor a text of the shop holds. `shop`: texts that the shop wrote. */
export const foreignAddresses = (text: string, { urls }: ConversationFacts, shop: readonly string[]): Span[] => {
  const inAnswer = found(text, ADDRESS);
  if (inAnswer.length === 0) return [];
  const known = new Set([...urls.map((url) => bare(plainText(url))), ...addressesIn(shop)]);
  return inAnswer.filter(({ what }) => !known.has(bare(what))).map(({ span }) => span);
};

/** Where addresses of tool results stand: whatever digits they have are theirs. */
export const toldAddresses = (text: string, { urls }: Pick<ConversationFacts, 'urls'>): Span[] => {
  const known = new Set(urls.map((url) => bare(plainText(url))));
  return found(text, ADDRESS)
    .filter(({ what }) => known.has(bare(what)))
    .map(({ span }) => span);
};

/** Where numbers of orders of this conversation stand: `INV-261129-87RB2S` is about no 87 thousand. */
export const toldOrders = (text: string, { orders }: Pick<ConversationFacts, 'orders'>): Span[] => {
  const known = new Set(orders.map(plainText));
  return found(text, ORDER)
    .filter(({ what }) => known.has(what))
    .map(({ span }) => span);
};

/** Order numbers in an answer that are not of this conversation and that the customer did not name. */
export const foreignOrders = (text: string, { orders }: ConversationFacts, said: readonly string[]): Span[] => {
  const known = new Set([
    ...orders.map(plainText),
    ...said.flatMap((one) => found(one, ORDER).map(({ what }) => what)),
  ]);
  return found(text, ORDER)
    .filter(({ what }) => !known.has(what))
    .map(({ span }) => span);
};
