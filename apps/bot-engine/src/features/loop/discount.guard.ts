import { textIn } from '../tools/public';
import { tokensOf, type Token } from './money.tokens';
import { isScale, isUnit, valueOfWords } from './number.words';
import type { Sources } from './price.guard';
import { plainText, readingOf } from './plain.reading';
import { segmentsOf, type Span } from './segments';

const LESS =
  /(?<!\p{L})(?:diskon|discount|disc|potongan|potong|korting|cashback|hemat|off|promo|voucher|kupon|sale|obral|lebih murah|turun|cheaper|save)(?:nya)?(?!\p{L})/u;
const PERCENT = /^(?:%|persen|percent|prosen|pct)$/;
const HALF = /(?<!\p{L})(?:setengah|separ[uo]h?|half)(?: (?:dari|of|the)){0,2} (?:harga|price)(?!\p{L})/gu;
const FREE =
  /(?<!\p{L})(?:gratis(?:nya)?|cuma-cuma|bebas (?:ongkir|ongkos|biaya)|free (?:ongkir|shipping|delivery|gift|of charge)|for free|get one free)(?!\p{L})/gu;
/** Before or behind a word of `FREE`: it is said not to be. */
const NOT_BEFORE = /(?<!\p{L})(?:tidak|tak|nggak|enggak|gak|ga|belum|bukan|no|not|without)(?: \p{L}+){0,3} $/u;
const NOT_BEHIND =
  /^(?: \p{L}+){0,3} (?:tidak|tak|nggak|enggak|gak|ga|belum|is not|not) (?:ada|tersedia|berlaku|bisa|dapat|available)(?!\p{L})/u;

const NEAR = 80;

/** What a text promises beside amounts of money: a part of a hundred, or that something costs nothing. */
interface Offer {
  readonly what: string;
  readonly span: Span;
  /** A promise whatever else its sentence says. */
  readonly isPlain: boolean;
}

/** Where the number begins that ends before token `n`. */
const numberBefore = (tokens: readonly Token[], n: number): number => {
  const isPart = ({ text }: Token): boolean => isUnit(text) || isScale(text);
  let from = n;
  while (from > 0 && /^[\s-]{0,3}$/.test((tokens[from] as Token).gap) && isPart(tokens[from - 1] as Token)) from -= 1;
  const before = tokens[n - 1];
  return from === n && before?.isDigits && /^\s{0,3}$/.test((tokens[n] as Token).gap) ? n - 1 : from;
};

const percentsIn = (text: string): Offer[] => {
  const tokens = tokensOf(text);
  return tokens.flatMap((token, n) => {
    if (!PERCENT.test(token.text)) return [];
    const number = tokens.slice(numberBefore(tokens, n), n);
    const [first] = number;
    if (!first) return [];
    const value = first.isDigits ? parseInt(first.text, 10) : valueOfWords(number.map((one) => one.text));
    return [{ what: String(value), span: { start: first.start, end: token.end }, isPlain: false }];
  });
};

/** Near it: the texts of a shop are long. */
const isDenied = (text: string, start: number, end: number): boolean =>
  NOT_BEFORE.test(text.slice(Math.max(0, start - NEAR), start)) || NOT_BEHIND.test(text.slice(end, end + NEAR));

const wordsIn = (text: string, pattern: RegExp, what: string): Offer[] => {
  const { text: plain, at } = readingOf(text);
  return [...plain.matchAll(pattern)].flatMap(({ 0: { length }, index }) => {
    const end = index + length;
    if (pattern === FREE && isDenied(plain, index, end)) return [];
    return [{ what, span: { start: at[index] ?? 0, end: (at[end - 1] ?? 0) + 1 }, isPlain: true }];
  });
};

const offersIn = (text: string): Offer[] => [
  ...percentsIn(text),
  ...wordsIn(text, HALF, '50'),
  ...wordsIn(text, FREE, 'free'),
];

/**
 * Where an answer says that something costs less by a part of a hundred, or nothing, which no text of the shop and no tool result
 * says: a customer's word opens no till.
 */
export const wrongDiscounts = (text: string, { facts, prompt, policy, told, store }: Sources): Span[] => {
  const found = offersIn(text);
  if (found.length === 0) return [];
  const names = facts.products.map(({ name }) => name);
  const shop = [prompt, ...policy, ...told, ...names, textIn(store.facts)];
  const known = new Set(shop.flatMap((one) => offersIn(one).map(({ what }) => what)));
  if ([...facts.amounts, ...facts.products.map(({ price }) => price)].includes(0)) known.add('free');
  const segments = segmentsOf(text);
  return found
    .filter(({ what, span, isPlain }) => {
      const segment = segments.find(({ start, end }) => start <= span.start && span.start < end);
      return !known.has(what) && (isPlain || LESS.test(plainText(text.slice(segment?.start, segment?.end))));
    })
    .map(({ span }) => span);
};
