import type { Locale } from './locale';

const TAGS: Readonly<Record<Locale, string>> = { id: 'id-ID', en: 'en-GB' };
/** Are kept, of all zones: a formatter costs more than a page. */
const MOST = 2_000;

const DAY = { day: 'numeric', month: 'short' } as const;
const MINUTES = { ...DAY, hour: '2-digit', minute: '2-digit' } as const;
const ZONED = { ...MINUTES, timeZoneName: 'short' } as const;
const YEAR = { year: 'numeric' } as const;
const KINDS = {
  ...{ day: DAY, brief: MINUTES, moment: ZONED },
  ...{ dayOfYear: { ...DAY, ...YEAR }, briefOfYear: { ...MINUTES, ...YEAR }, momentOfYear: { ...ZONED, ...YEAR } },
  year: YEAR,
} satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

const numbers: Readonly<Record<Locale, Intl.NumberFormat>> = {
  id: new Intl.NumberFormat(TAGS.id),
  en: new Intl.NumberFormat(TAGS.en),
};
const made = new Map<string, Intl.DateTimeFormat>();

const formatOf = (locale: Locale, timeZone: string, kind: keyof typeof KINDS): Intl.DateTimeFormat => {
  const key = `${locale} ${kind} ${timeZone}`;
  const known = made.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat(TAGS[locale], { timeZone, ...KINDS[kind] });
  if (made.size < MOST) made.set(key, format);
  return format;
};

/** `1.284`. */
export const count = (locale: Locale, value: number): string => numbers[locale].format(value);
/** `Rp 250.000`: rupiah have no decimals; the space keeps amount and currency in one line. */
export const rupiah = (locale: Locale, value: number): string => `Rp\u00a0${count(locale, value)}`;
const UNITS = ['byte', 'kB', 'MB', 'GB'] as const;
/** `1,2 MB`. */
export const bytes = (locale: Locale, value: number): string => {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(value, 1)) / 3));
  const rounded = value / 1000 ** unit;
  return `${count(locale, Number(rounded.toFixed(rounded < 10 && unit > 0 ? 1 : 0)))}\u00a0${UNITS[unit]}`;
};

/** Whose clock is looked at, and when: a year that is not this one is told. */
interface Clocked {
  readonly locale: Locale;
  readonly timeZone: string;
  readonly now: Date | undefined;
  /** Where it is now, when the clock that is looked at is another. */
  readonly nowIn?: string;
}
/** Beyond any zone's distance from UTC. */
const FURTHEST_MS = 15 * 3_600_000;

/** The year on a clock there. Asking `Intl` costs as much as the date that is shown, and nobody needs it but around New Year. */
const yearOf = (locale: Locale, timeZone: string, at: Date): number => {
  const [before, after] = [-FURTHEST_MS, FURTHEST_MS].map((ms) => new Date(at.getTime() + ms).getUTCFullYear());
  return before !== undefined && before === after ? before : Number(formatOf(locale, timeZone, 'year').format(at));
};

const timed =
  (kind: 'day' | 'brief' | 'moment') =>
  ({ locale, timeZone, now, nowIn = timeZone }: Clocked, at: Date): string => {
    const isThisYear = now === undefined || yearOf(locale, nowIn, now) === yearOf(locale, timeZone, at);
    return formatOf(locale, timeZone, isThisYear ? kind : `${kind}OfYear`).format(at);
  };

/** `9 Nov` in the time zone of the store. */
export const day = timed('day');
/** With the time, where many stand below each other. */
export const brief = timed('brief');
/** With time and zone. */
export const moment = timed('moment');
