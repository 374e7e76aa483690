import type { Locale } from './locale';

const TAGS: Readonly<Record<Locale, string>> = { id: 'id-ID', en: 'en-GB' };
/** Of time zones: a formatter costs more than a page. */
const MOST_ZONES = 500;

interface Formats {
  readonly number: Intl.NumberFormat;
  readonly zones: Map<string, { readonly [K in 'day' | 'brief' | 'moment']: Intl.DateTimeFormat }>;
}

const made = (locale: Locale): Formats => ({ number: new Intl.NumberFormat(TAGS[locale]), zones: new Map() });
const formats: Readonly<Record<Locale, Formats>> = { id: made('id'), en: made('en') };

const MINUTES = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;

const zoned = (locale: Locale, timeZone: string) => {
  const { zones } = formats[locale];
  const known = zones.get(timeZone);
  if (known) return known;
  const made = {
    day: new Intl.DateTimeFormat(TAGS[locale], { timeZone, day: 'numeric', month: 'short' }),
    brief: new Intl.DateTimeFormat(TAGS[locale], { timeZone, ...MINUTES }),
    moment: new Intl.DateTimeFormat(TAGS[locale], { timeZone, ...MINUTES, timeZoneName: 'short' }),
  };
  if (zones.size < MOST_ZONES) zones.set(timeZone, made);
  return made;
};

/** `1.284`. */
export const count = (locale: Locale, value: number): string => formats[locale].number.format(value);
/** `Rp 250.000`: rupiah have no decimals; the space keeps amount and currency in one line. */
export const rupiah = (locale: Locale, value: number): string => `Rp\u00a0${count(locale, value)}`;
const UNITS = ['byte', 'kB', 'MB', 'GB'] as const;
/** `1,2 MB`. */
export const bytes = (locale: Locale, value: number): string => {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(value, 1)) / 3));
  const rounded = value / 1000 ** unit;
  return `${count(locale, Number(rounded.toFixed(rounded < 10 && unit > 0 ? 1 : 0)))}\u00a0${UNITS[unit]}`;
};
/** `9 Nov` in the time zone of the store. */
export const day = (locale: Locale, timeZone: string, at: Date): string => zoned(locale, timeZone).day.format(at);
/** With the time, where many stand below each other. */
export const brief = (locale: Locale, timeZone: string, at: Date): string => zoned(locale, timeZone).brief.format(at);
/** With time and zone. */
export const moment = (locale: Locale, timeZone: string, at: Date): string => zoned(locale, timeZone).moment.format(at);
