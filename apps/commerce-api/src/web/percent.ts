import type { Typed } from './sessions/drafts';

/** In hundredths of a percent, as the body of a form reads it. */
const OF_POINTS = /\[(percent|rate)_bp\]$/;
const PERCENT = /^(?=.?\d)(\d{0,6})(?:[.,](\d{0,2}))?\s*%?$/;

/** Whether an input of this name is typed as percent. */
export const isPercent = (name: string): boolean => OF_POINTS.test(name);

const pointsOf = (value: Typed[string]): Typed[string] => {
  if (typeof value !== 'string' || value.trim() === '') return value;
  const [, whole, decimals = ''] = PERCENT.exec(value.trim()) ?? [];
  // What is no percentage is none of any other number either, such as one with dots
  return whole === undefined ? `${value} %` : String(Number(whole + decimals.padEnd(2, '0')));
};

/** People type percent, with a comma or a dot; what is kept are hundredths of one. */
export const percentsTyped = (typed: Typed): Typed =>
  Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, isPercent(name) ? pointsOf(value) : value]));
