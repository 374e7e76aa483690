import { isUuid } from '@platform/runtime';
import type { Typed } from '../../../web/sessions/drafts';

/** Lines of the form; it has at most 200 fields. */
const MOST_LINES = 50;
const MEMBER = /^(\w+)\[(\d+)\]\[(variant_id|qty)\]$/;
/** What the buttons say that only look goods up. */
const LOOKS = ['find', 'add'];
/** Names of inputs that are no part of what is made. */
export const pickingNames: ReadonlySet<string> = new Set([...LOOKS, 'q']);

export interface TypedLine {
  readonly variant_id: string;
  /** As it was typed. */
  readonly qty: string;
}

export const textOf = (typed: Typed, name: string): string => {
  const value = typed[name];
  return typeof value === 'string' ? value.trim() : '';
};

/** Whether an input is one of a line of `list`. */
export const isLine = (name: string, list: string): boolean => MEMBER.exec(name)?.[1] === list;

const withAdded = (lines: readonly TypedLine[], added: string): readonly TypedLine[] => {
  if (!isUuid(added)) return lines;
  const more = (line: TypedLine) => ({ ...line, qty: String((Number(line.qty) || 0) + 1) });
  return lines.some(({ variant_id }) => variant_id === added)
    ? lines.map((line) => (line.variant_id === added ? more(line) : line))
    : [...lines, { variant_id: added, qty: '1' }];
};

/** The goods of a form in their order, with what is to be added; a line without a quantity is gone. */
export const linesTyped = (typed: Typed, list: string): readonly TypedLine[] => {
  const rows: Record<string, Record<string, string>> = {};
  for (const name of Object.keys(typed)) {
    const [, of = '', at = '', member = ''] = MEMBER.exec(name) ?? [];
    if (of === list) rows[at] = { ...rows[at], [member]: textOf(typed, name) };
  }
  const lines = Object.entries(rows)
    .sort(([one], [other]) => Number(one) - Number(other))
    .map(([, { variant_id = '', qty = '' }]) => ({ variant_id: variant_id.toLowerCase(), qty }))
    .filter(({ variant_id, qty }) => isUuid(variant_id) && qty !== '' && qty !== '0');
  return withAdded(lines, textOf(typed, 'add').toLowerCase()).slice(0, MOST_LINES);
};

/** Lines as the inputs of a form. */
export const lineFields = (lines: readonly TypedLine[], list: string): Typed =>
  Object.fromEntries(
    lines.flatMap(({ variant_id, qty }, at) => [
      [`${list}[${at}][variant_id]`, variant_id],
      [`${list}[${at}][qty]`, qty],
    ]),
  );

/** What was typed as a DTO with lines reads it: those that were emptied are left out, and how goods are looked up. */
export const pickedTyped = (typed: Typed, list: string): Typed => {
  const others = Object.entries(typed).filter(([name]) => !pickingNames.has(name) && !isLine(name, list));
  return { ...Object.fromEntries(others), ...lineFields(linesTyped(typed, list), list) };
};

/** Whether a button was pressed that only looks goods up. */
export const looksForGoods = (typed: Typed): boolean => LOOKS.some((name) => typed[name] !== undefined);
