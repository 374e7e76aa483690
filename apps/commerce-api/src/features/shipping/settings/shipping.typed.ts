import { percentsTyped } from '../../../web/percent';
import type { Typed } from '../../../web/sessions/drafts';

const COURIER = /^couriers\[(\d+)\](.*)$/;
const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** Places are typed one a line; a box that is not ticked says no. */
export const methodTyped = ({ areas, ...typed }: Typed): Typed => ({
  active: 'false',
  ...typed,
  areas: textOf(areas)
    .split(/\r?\n/)
    .map((area) => area.trim())
    .filter(Boolean),
});

/** Couriers without those whose code was emptied, counted anew; a rule that was emptied is none. */
export const couriersTyped = (typed: Typed): Typed => {
  const rows: Record<string, Record<string, unknown>> = {};
  const others: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(typed)) {
    const [, at = '', member = ''] = COURIER.exec(name) ?? [];
    if (member === '') others[name] = value;
    else rows[at] = { '[active]': 'false', ...rows[at], [member]: value };
  }
  const kept = Object.entries(rows)
    .sort(([one], [other]) => Number(one) - Number(other))
    .filter(([, row]) => textOf(row['[code]']) !== '');
  const couriers = kept.flatMap(([, row], at) =>
    Object.entries(row).map(([member, value]) => [`couriers[${at}]${member}`, value]),
  );
  const hasRule = textOf(others['free_shipping[min_subtotal]']) !== '';
  const rule = Object.entries(others).filter(([name]) => hasRule || !name.startsWith('free_shipping'));
  return percentsTyped(Object.fromEntries([...rule, ...couriers]));
};
