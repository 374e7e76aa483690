export const periods = ['monthly', 'yearly'] as const;
export type Period = (typeof periods)[number];

const MONTHS: Readonly<Record<Period, number>> = { monthly: 1, yearly: 12 };
export const DAY_MS = 86_400_000;

/** Periods begin and end on whole seconds of UTC: proration counts seconds. */
export const wholeSecond = (at: Date): Date => new Date(Math.floor(at.getTime() / 1000) * 1000);

export const daysLater = (at: Date, days: number): Date => new Date(at.getTime() + days * DAY_MS);

/**
 * When a period that begins at `start` ends: at the same time of day a calendar month or year later, on the anchor day or, where the
 * month is shorter, on its last day. So what began on 31 January ends on 28 February, and then on 31 March.
 */
export const endOf = (start: Date, period: Period, anchorDay: number): Date => {
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth() + MONTHS[period]];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const end = new Date(start);
  end.setUTCFullYear(year, month, Math.min(anchorDay, lastDay));
  return end;
};
