import type { Sources } from './price.guard';
import { readingOf } from './plain.reading';
import { segmentsOf, type Span } from './segments';

const DISCOUNT =
  /(?<!\p{L})(?:diskon|discount|disc|potongan|potong|korting|cashback|hemat|off|promo|voucher|kupon)(?:nya)?(?!\p{L})/u;
const PERCENT = /(?<![\p{L}\d.,])(\d{1,3})(?:[.,]\d+)?\s{0,3}(?:%|persen|percent|prosen)/gu;

const percentsIn = (text: string): { readonly percent: string; readonly span: Span }[] => {
  const { text: plain, at } = readingOf(text);
  return [...plain.matchAll(PERCENT)].map(({ 0: { length }, 1: digits = '', index }) => ({
    percent: String(Number(digits)),
    span: { start: at[index] ?? 0, end: (at[index + length - 1] ?? 0) + 1 },
  }));
};

/** Percentages of which an answer says that the price falls by them, and which no text of the shop names: a customer's word opens no till. */
export const wrongDiscounts = (text: string, { facts, prompt, policy, told, store }: Sources): Span[] => {
  const found = percentsIn(text);
  if (found.length === 0) return [];
  const names = facts.products.map(({ name }) => name);
  const shop = [prompt, ...policy, ...told, ...names, JSON.stringify(store.facts)];
  const known = new Set(shop.flatMap((one) => percentsIn(one).map(({ percent }) => percent)));
  const segments = segmentsOf(text);
  return found
    .filter(({ percent, span }) => {
      const segment = segments.find(({ start, end }) => start <= span.start && span.start < end);
      return !known.has(percent) && DISCOUNT.test(readingOf(text.slice(segment?.start, segment?.end)).text);
    })
    .map(({ span }) => span);
};
