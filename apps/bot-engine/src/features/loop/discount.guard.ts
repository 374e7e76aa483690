import { textIn } from '../tools/public';
import {
  BY_BOT,
  BY_SHOP,
  CUT_BEFORE,
  CUT_BEHIND,
  FRACTIONS,
  FREE,
  GIVEN,
  GIVEN_BEFORE,
  LESS,
  OF_HUNDRED,
  PERCENT,
  UNLESS,
  type Denial,
} from './discount.words';
import { tokensOf, type Token } from './money.tokens';
import { isScale, isUnit, valueOfWords } from './number.words';
import type { Sources } from './price.guard';
import { plainText, readingOf } from './plain.reading';
import { once, segmentAt, segmentsOf, type Span } from './segments';

const NEAR = 80;
/** Of a hundred. */
const WHOLE = 100;
const RANGE = /^\s*(?:[-–—~]|s\/d)\s*$/;

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

/** As it is read, near a place: the texts of a shop are long. */
const before = (text: string, { start }: Span): string => plainText(text.slice(Math.max(0, start - NEAR), start));
const behind = (text: string, { end }: Span): string => plainText(text.slice(end, end + NEAR));

const isDenied = (text: string, span: Span, by: Denial): boolean =>
  (by.before.test(before(text, span)) && !UNLESS.test(behind(text, span))) || by.behind.test(behind(text, span));
const isCut = (text: string, span: Span): boolean =>
  CUT_BEFORE.test(before(text, span)) || CUT_BEHIND.test(behind(text, span));

const isPercent = (tokens: readonly Token[], n: number): boolean => {
  const text = tokens[n]?.text ?? '';
  return PERCENT.test(text) || (text === 'per' && OF_HUNDRED.test(tokens[n + 1]?.text ?? ''));
};

const percentsIn = (text: string): Offer[] => {
  const tokens = tokensOf(text);
  return tokens.flatMap((token, n) => {
    if (!isPercent(tokens, n)) return [];
    const from = numberBefore(tokens, n);
    const number = tokens.slice(from, n);
    const [first] = number;
    if (!first) return [];
    const value = first.isDigits ? parseInt(first.text, 10) : valueOfWords(number.map((one) => one.text));
    const least =
      RANGE.test(first.gap) && tokens[from - 1]?.isDigits ? [parseInt(tokens[from - 1]?.text ?? '', 10)] : [];
    const span = { start: first.start, end: token.end };
    const isWhole = value >= WHOLE;
    if (isWhole && !isCut(text, span)) return [];
    const isPlain = isWhole || GIVEN_BEFORE.test(before(text, span));
    return [...least, value].map((part) => ({ what: String(part), span, isPlain }));
  });
};

const wordsIn = (text: string, pattern: RegExp, what: string): Offer[] => {
  const { text: plain, at } = readingOf(text);
  return [...plain.matchAll(pattern)].map(({ 0: { length }, index }) => {
    const span = { start: at[index] ?? 0, end: (at[index + length - 1] ?? 0) + 1 };
    return { what, span, isPlain: true };
  });
};

const offersIn = (text: string): Offer[] => [
  ...percentsIn(text),
  ...FRACTIONS.flatMap(([words, part]) => wordsIn(text, words, part)),
  ...wordsIn(text, FREE, 'free'),
];

const undenied = (text: string, offers: readonly Offer[], by: Denial): Offer[] =>
  offers.filter(({ span }) => !isDenied(text, span, by));

const givenIn = (text: string): Offer[] =>
  undenied(text, [...offersIn(text), ...wordsIn(text, GIVEN, 'free')], BY_SHOP);

/**
 * Where an answer says that something costs less by a part of a hundred, or nothing, which no text of the shop and no tool result
 * says: a customer's word opens no till.
 */
export const wrongDiscounts = (text: string, { facts, prompt, policy, told, store }: Sources): Span[] => {
  const found = undenied(text, offersIn(text), BY_BOT);
  if (found.length === 0) return [];
  const names = facts.products.map(({ name }) => name);
  const shop = [prompt, ...policy, ...told, ...names, textIn(store.facts)];
  const known = new Set(shop.flatMap((one) => givenIn(one).map(({ what }) => what)));
  if ([...facts.amounts, ...facts.products.map(({ price }) => price)].includes(0)) known.add('free');
  const sentences = segmentsOf(text).map(({ start, end }) => ({
    ...{ start, end },
    isOfLess: once(() => LESS.test(plainText(text.slice(start, end)))),
  }));
  return found
    .filter(({ what, span, isPlain }) => !known.has(what) && (isPlain || segmentAt(sentences, span.start)?.isOfLess()))
    .map(({ span }) => span);
};
