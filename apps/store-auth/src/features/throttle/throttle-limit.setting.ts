import type { Setting } from '@platform/runtime';

/** A number of failures, or calls, within a number of seconds. */
export interface ThrottleLimit {
  readonly attempts: number;
  readonly seconds: number;
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** A limit written as `5/15m`. */
export const throttleLimit = (fallback: ThrottleLimit): Setting<ThrottleLimit> => ({
  expects: 'a limit such as 5/15m (at least 2, per seconds s, minutes m or hours h)',
  fallback,
  read: (text) => {
    const [, attempts, amount, unit = ''] = /^(\d{1,6})\/(\d{1,4})([smh])$/.exec(text) ?? [];
    const limit = { attempts: Number(attempts), seconds: Number(amount) * (SECONDS[unit] ?? 0) };
    return limit.attempts >= 2 && limit.seconds >= 1 ? limit : undefined;
  },
});
