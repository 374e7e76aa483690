import type { Typed } from '../../../web/sessions/drafts';

const HOURS = /^hours\[(\d+)\]\[(open|close|day)\]$/;
const rowOf = (name: string): string | undefined => HOURS.exec(name)?.[1];
const isEmpty = (value: unknown): boolean => typeof value !== 'string' || value.trim() === '';

const openRows = (typed: Typed): string[] => {
  const isClosed = (at: string) => isEmpty(typed[`hours[${at}][open]`]) && isEmpty(typed[`hours[${at}][close]`]);
  const rows = new Set(Object.keys(typed).flatMap((name) => rowOf(name) ?? []));
  return [...rows].filter((at) => !isClosed(at));
};

/** The day of each row, closed ones too. */
export const daysTyped = (typed: Typed): number[] =>
  Object.keys(typed).flatMap((name) => (HOURS.exec(name)?.[2] === 'day' ? [Number(typed[name])] : []));

/** Days that are closed are not counted in the body, and stand in the form. */
export const hoursTypedAt = (name: string, typed: Typed): string =>
  name.replace(HOURS, (_, at: string, part: string) => `hours[${openRows(typed)[Number(at)] ?? at}][${part}]`);

/** Without the days that are closed; none at all when every day is. A form without these inputs leaves them as they are. */
export const hoursTyped = (typed: Typed): Typed => {
  if (!Object.keys(typed).some((name) => rowOf(name) !== undefined)) return typed;
  const rows = openRows(typed);
  const counted = Object.entries(typed).flatMap(([name, value]) => {
    const at = rowOf(name);
    if (at === undefined) return [[name, value] as const];
    return rows.includes(at) ? [[name.replace(`[${at}]`, `[${rows.indexOf(at)}]`), value] as const] : [];
  });
  return { ...Object.fromEntries(counted), ...(rows.length === 0 && { hours: '' }) };
};
