/** For what hangs: it tells nothing of a machine's speed, so no test has a limit of its own. */
const LIMIT_MS = 240_000;
/** Short at first, because most come true soon; a look may be a query, and it is to leave the machine to what it waits for. */
const pauseMs = (waitedMs: number): number => Math.min(1 + waitedMs / 5, 20);

/** Polls until the condition holds; fails with the last value when it hangs. Tests wait for conditions, never for time. */
export const until = async <T>(value: () => T | Promise<T>, holds: (value: T) => boolean = Boolean): Promise<T> => {
  for (const since = Date.now(); ;) {
    const now = await value();
    if (holds(now)) return now;
    const waitedMs = Date.now() - since;
    if (waitedMs > LIMIT_MS)
      throw new Error(`did not come true in ${LIMIT_MS} ms; the last value was ${JSON.stringify(now)}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs(waitedMs)));
  }
};
