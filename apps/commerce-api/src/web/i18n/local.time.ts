import { InvalidInput } from '@platform/errors';

/** What an input of `datetime-local` sends. */
export const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;
const MINUTE_MS = 60_000;

const wallOf = (at: Date, timeZone: string): string => {
  const parts = new Intl.DateTimeFormat('sv-SE', {
    ...{ timeZone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
    hourCycle: 'h23',
  }).format(at);
  return parts.replace(' ', 'T');
};

/** An instant as an input of `datetime-local` shows it on the clocks of a place. */
export const localOf = (at: string, timeZone: string): string => wallOf(new Date(at), timeZone);

/** The instant at which the clocks of a place show this. Throws `InvalidInput` for a day that there is not. */
export const instantOf = (local: string, timeZone: string, field: string): string => {
  const wall = Date.parse(`${local}:00Z`);
  if (Number.isNaN(wall)) throw new InvalidInput([{ field, tag: 'date', message: `${field} must be a date` }]);
  const offset = (at: number): number => Date.parse(`${wallOf(new Date(at), timeZone)}:00Z`) - at;
  const first = wall - offset(wall);
  return new Date(Math.round((wall - offset(first)) / MINUTE_MS) * MINUTE_MS).toISOString();
};
