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

/** The rows of couriers whose code was not emptied, in their order. */
const keptIn = (typed: Typed): string[] => {
  const rows = new Set(Object.keys(typed).flatMap((name) => COURIER.exec(name)?.[1] ?? []));
  return [...rows]
    .sort((one, other) => Number(one) - Number(other))
    .filter((at) => textOf(typed[`couriers[${at}][code]`]) !== '');
};

/** Rows that were emptied are not counted in the body, and stand in the form. */
export const courierTypedAt = (name: string, typed: Typed): string =>
  name.replace(COURIER, (_, at: string, member: string) => `couriers[${keptIn(typed)[Number(at)] ?? at}]${member}`);

/** Couriers without those whose code was emptied, counted anew; a rule that was emptied is none. */
export const couriersTyped = (typed: Typed): Typed => {
  const rows: Record<string, Record<string, unknown>> = {};
  const others: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(typed)) {
    const [, at = '', member = ''] = COURIER.exec(name) ?? [];
    if (member === '') others[name] = value;
    else rows[at] = { '[active]': 'false', ...rows[at], [member]: value };
  }
  const couriers = keptIn(typed).flatMap((row, at) =>
    Object.entries(rows[row] ?? {}).map(([member, value]) => [`couriers[${at}]${member}`, value]),
  );
  const hasRule = textOf(others['free_shipping[min_subtotal]']) !== '';
  const rule = Object.entries(others).filter(([name]) => hasRule || !name.startsWith('free_shipping'));
  // None at all is a list, too
  const listed = couriers.length > 0 ? couriers : [['couriers', []]];
  return percentsTyped(Object.fromEntries([...rule, ...listed]));
};
