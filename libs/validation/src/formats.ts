import { isDateString, isEmail, isLatitude, isLongitude, isUUID, isURL } from 'class-validator';
import type { JsonSchema } from './field';

/** A rule over texts: class-validator's predicate under go-playground's tag and English text. */
export interface Rule {
  readonly tag: string;
  readonly message: (field: string) => string;
  readonly test: (value: string) => boolean;
  readonly schema: JsonSchema;
}

const rule = (tag: string, text: string, test: (value: string) => boolean, schema: JsonSchema): Rule => ({
  tag,
  message: (field) => `${field} ${text}`,
  test,
  schema,
});

/** JavaScript reads February 30 as March 2, so the parsed day must equal the given one. */
const isMinute = (value: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/.test(value)) return false;
  const read = new Date(`${value.replace(' ', 'T')}:00Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(value.replace(' ', 'T'));
};

/** A day, with or without a time: the part of ISO 8601 that PostgreSQL reads too (no weeks, no hours alone, offsets up to 15 hours). */
const STORABLE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-](0\d|1[0-5]):\d{2})?)?$/;
const isInstant = (value: string): boolean =>
  STORABLE.test(value) && isDateString(value, { strict: true, strictSeparator: true });

export const formats = {
  email: rule('email', 'must be a valid email address', (value) => isEmail(value), { format: 'email' }),
  uuid: rule('uuid', 'must be a valid UUID', (value) => isUUID(value), { format: 'uuid' }),
  url: rule(
    'url',
    'must be a valid URL',
    // What is taken for one is read by `new URL` later, which knows that no host is called xn--a
    (value) =>
      isURL(value, { protocols: ['http', 'https'], require_protocol: true, require_tld: false }) && URL.canParse(value),
    { format: 'uri' },
  ),
  numeric: rule('numeric', 'must be a valid numeric value', (value) => /^\d+$/.test(value), { pattern: '^\\d+$' }),
  latitude: rule('latitude', 'must contain valid latitude coordinates', (value) => isLatitude(value), {}),
  longitude: rule('longitude', 'must contain a valid longitude coordinates', (value) => isLongitude(value), {}),
  /** `YYYY-MM-DD HH:MM`, named by Go's reference time as the contract's validator does. */
  minute: rule('datetime', 'does not match the 2006-01-02 15:04 format', isMinute, {
    pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}$',
  }),
  date: rule(
    'datetime',
    'does not match the 2006-01-02 format',
    (value) => /^\d{4}-\d{2}-\d{2}$/.test(value) && isDateString(value, { strict: true }),
    { format: 'date' },
  ),
  instant: rule('datetime', 'does not match the 2006-01-02T15:04:05Z07:00 format', isInstant, { format: 'date-time' }),
} as const satisfies Record<string, Rule>;

export type TextFormat = keyof typeof formats;
