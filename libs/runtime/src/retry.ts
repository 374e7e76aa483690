import { setTimeout as pause } from 'node:timers/promises';

export interface RetryOptions {
  /** No attempt begins later than this after the first one began; 0: one attempt. */
  readonly limitMs: number;
  /** Pause between the end of an attempt and the next one. */
  readonly pauseMs: number;
  /** Called with the last failure before it is thrown. */
  readonly givingUp: (cause: unknown) => void;
  /** Failures that another attempt cannot mend: thrown at once, without `givingUp`. */
  readonly isFinal?: (cause: unknown) => boolean;
}

/** Calls `work` until it succeeds; throws its last failure when the next attempt would begin after the limit, a final one at once. */
export const retry = async <T>(
  work: () => Promise<T>,
  { limitMs, pauseMs, givingUp, isFinal }: RetryOptions,
): Promise<T> => {
  const end = Date.now() + limitMs;
  for (;;) {
    try {
      return await work();
    } catch (cause) {
      if (isFinal?.(cause)) throw cause;
      if (Date.now() + pauseMs > end) {
        givingUp(cause);
        throw cause;
      }
      await pause(pauseMs);
    }
  }
};
