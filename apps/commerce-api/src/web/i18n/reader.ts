import { brief, bytes, count, day, moment, rupiah } from './format';
import type { Locale } from './locale';
import { textsOf, type Texts } from './texts';

/** How things are said to one reader: in their language, on the clock of the store. */
export interface Reader extends Texts {
  readonly locale: Locale;
  readonly timeZone: string;
  /** `1.284`. */
  count(value: number): string;
  /** `Rp 250.000`. */
  money(amount: number): string;
  /** `1,2 MB`. */
  bytes(value: number): string;
  /** `9 Nov`, of an instant, or of a day of the calendar; `9 Nov 2025`, of another year than now. */
  day(at: string): string;
  /** With the time. */
  brief(at: string): string;
  /** With time and zone. */
  moment(at: string): string;
}

/** Where nobody has said otherwise. */
export const USUAL_ZONE = 'Asia/Jakarta';
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** A day of the calendar is the same everywhere: its noon in UTC names it. */
const noonOf = (date: string): Date => new Date(`${date}T12:00:00Z`);

/** `now`: of which year nobody needs to be told; without it none is. */
export const readerOf = (locale: Locale, timeZone = USUAL_ZONE, now?: Date): Reader => ({
  ...textsOf({ locale }),
  locale,
  timeZone,
  count: (value) => count(locale, value),
  money: (amount) => rupiah(locale, amount),
  bytes: (value) => bytes(locale, value),
  day: (at) =>
    DAY.test(at)
      ? day({ locale, timeZone: 'UTC', now, nowIn: timeZone }, noonOf(at))
      : day({ locale, timeZone, now }, new Date(at)),
  brief: (at) => brief({ locale, timeZone, now }, new Date(at)),
  moment: (at) => moment({ locale, timeZone, now }, new Date(at)),
});
