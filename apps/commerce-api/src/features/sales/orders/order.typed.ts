import type { Typed } from '../../../web/sessions/drafts';
import { looksForGoods, pickedTyped, textOf } from '../picking/public';

/** How lines of an order are called. */
export const ITEMS = 'items';
const ADDRESS = ['line', 'district', 'city', 'province', 'postcode'].map((name) => `address[${name}]`);
/** How the form is filled in; no part of an order. */
const BESIDE = new Set(['count', 'way', 'quote']);
/** An order was sent in a way that is not offered any more: another must be chosen. */
export const LOST = 'lost';

const shippingOf = (typed: Typed): Typed => {
  const way = textOf(typed, 'way');
  if (way === '') return {};
  if (way === 'pickup') return { 'shipping[kind]': way };
  if (way === LOST) return { 'shipping[option]': way };
  return way.startsWith('own:')
    ? { 'shipping[method_id]': way.slice('own:'.length) }
    : { 'shipping[quote_id]': textOf(typed, 'quote'), 'shipping[option]': way };
};

/** What was typed as an order reads it: without lines that were emptied, and without an address where none was typed. */
export const orderTyped = (typed: Typed): Typed => {
  const hasPlace = ADDRESS.some((name) => textOf(typed, name) !== '');
  const others = Object.entries(pickedTyped(typed, ITEMS)).filter(
    ([name]) => !BESIDE.has(name) && (hasPlace || !ADDRESS.includes(name)),
  );
  return { ...Object.fromEntries(others), ...shippingOf(typed) };
};

/** Whether a button was pressed that only looks something up. */
export const looksUp = (typed: Typed): boolean => looksForGoods(typed) || typed.count !== undefined;
