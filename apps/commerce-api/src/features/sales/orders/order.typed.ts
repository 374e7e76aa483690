import { isUuid } from '@platform/runtime';
import type { Typed } from '../../../web/sessions/drafts';

/** Lines of the form; it has at most 200 fields. */
const MOST_LINES = 50;
const LINE = /^items\[(\d+)\]\[(variant_id|qty)\]$/;
const ADDRESS = ['line', 'district', 'city', 'province', 'postcode'].map((name) => `address[${name}]`);
/** What its buttons say that only look something up. */
const LOOKS = ['find', 'add', 'count'];
/** Not of an order: how the form is filled in. */
const BESIDE = new Set([...LOOKS, 'q', 'way', 'quote']);
/** An order was sent in a way that is not offered any more: another must be chosen. */
export const LOST = 'lost';

export interface TypedLine {
  readonly variant_id: string;
  /** As it was typed. */
  readonly qty: string;
}

export const textOf = (typed: Typed, name: string): string => {
  const value = typed[name];
  return typeof value === 'string' ? value.trim() : '';
};

const withAdded = (lines: readonly TypedLine[], added: string): readonly TypedLine[] => {
  if (!isUuid(added)) return lines;
  const more = (line: TypedLine) => ({ ...line, qty: String((Number(line.qty) || 0) + 1) });
  return lines.some(({ variant_id }) => variant_id === added)
    ? lines.map((line) => (line.variant_id === added ? more(line) : line))
    : [...lines, { variant_id: added, qty: '1' }];
};

/** The goods of the form in their order, with what is to be added; a line without a quantity is gone. */
export const linesTyped = (typed: Typed): readonly TypedLine[] => {
  const rows: Record<string, Record<string, string>> = {};
  for (const name of Object.keys(typed)) {
    const [, at = '', member = ''] = LINE.exec(name) ?? [];
    if (member !== '') rows[at] = { ...rows[at], [member]: textOf(typed, name) };
  }
  const lines = Object.entries(rows)
    .sort(([one], [other]) => Number(one) - Number(other))
    .map(([, { variant_id = '', qty = '' }]) => ({ variant_id: variant_id.toLowerCase(), qty }))
    .filter(({ variant_id, qty }) => isUuid(variant_id) && qty !== '' && qty !== '0');
  return withAdded(lines, textOf(typed, 'add').toLowerCase()).slice(0, MOST_LINES);
};

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
  const others = Object.entries(typed).filter(
    ([name]) => !BESIDE.has(name) && !LINE.test(name) && (hasPlace || !ADDRESS.includes(name)),
  );
  const lines = linesTyped(typed).flatMap(({ variant_id, qty }, at) => [
    [`items[${at}][variant_id]`, variant_id],
    [`items[${at}][qty]`, qty],
  ]);
  return { ...Object.fromEntries([...others, ...lines]), ...shippingOf(typed) };
};

/** Whether a button was pressed that only looks something up. */
export const looksUp = (typed: Typed): boolean => LOOKS.some((name) => typed[name] !== undefined);
