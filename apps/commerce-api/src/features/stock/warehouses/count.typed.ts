import type { Typed } from '../../../web/sessions/drafts';

const MEMBER = /^lines\[(\d+)\]\[(variant_id|counted)\]$/;

export interface Counted {
  readonly variant_id: string;
  /** As it was typed. */
  readonly counted: string;
}

/** What was counted, in the order of the sheet; what was left empty is not among it. */
export const countedIn = (typed: Typed): readonly Counted[] => {
  const rows: Record<string, Record<string, string>> = {};
  for (const [name, value] of Object.entries(typed)) {
    const [, at = '', member = ''] = MEMBER.exec(name) ?? [];
    if (member !== '' && typeof value === 'string') rows[at] = { ...rows[at], [member]: value.trim() };
  }
  return Object.entries(rows)
    .sort(([one], [other]) => Number(one) - Number(other))
    .map(([, { variant_id = '', counted = '' }]) => ({ variant_id, counted }))
    .filter(({ counted }) => counted !== '');
};

/** The sheet as a stock count reads it. */
export const countTyped = (typed: Typed): Typed => ({
  note: typed.note,
  ...Object.fromEntries(
    countedIn(typed).flatMap(({ variant_id, counted }, at) => [
      [`lines[${at}][variant_id]`, variant_id],
      [`lines[${at}][counted]`, counted],
    ]),
  ),
});
