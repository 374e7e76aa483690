const ISO = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?)?(?:Z|([+-])(\d\d):?(\d\d))$/;
const MAXIMUM_OFFSET_MINUTES = 14 * 60;

const number = (text: string | undefined): number => Number(text ?? 0);

/**
 * Epoch milliseconds of an ISO 8601 date-time with a UTC offset, undefined for anything else. `Date.parse` is too lax for a
 * security check: it takes times without an offset and turns 30 February into 1 March. `-00:00` is accepted, some client
 * libraries send it on a UTC machine (design 5.4, 6.1).
 */
export const timestampOf = (text: string): number | undefined => {
  const match = ISO.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction, sign, offsetHours, offsetMinutes] = match;
  const offset = number(offsetHours) * 60 + number(offsetMinutes);
  if (number(offsetMinutes) > 59 || offset > MAXIMUM_OFFSET_MINUTES) return undefined;
  const local = new Date(
    Date.UTC(number(year), number(month) - 1, number(day), number(hour), number(minute), number(second)),
  );
  // A date that does not exist is normalised to another one
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second ?? '00'}.000Z`;
  if (Number.isNaN(local.getTime()) || local.toISOString() !== written) return undefined;
  const direction = sign === '-' ? -1 : 1;
  return local.getTime() + number(fraction) * 1000 - direction * offset * 60_000;
};
