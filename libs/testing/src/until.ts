const LIMIT_MS = 30_000;
const PAUSE_MS = 20;

/** Polls until the condition holds; fails with the last value after `limitMs`. Tests wait for conditions, never for time. */
export const until = async <T>(
  value: () => T | Promise<T>,
  holds: (value: T) => boolean = Boolean,
  limitMs = LIMIT_MS,
): Promise<T> => {
  for (const end = Date.now() + limitMs; ;) {
    const now = await value();
    if (holds(now)) return now;
    if (Date.now() > end)
      throw new Error(`did not come true in ${limitMs} ms; the last value was ${JSON.stringify(now)}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
};
