import { setTimeout as delay } from 'node:timers/promises';
import type { Mailbox } from '../mailbox/public';

export interface Window {
  /** Silence that ends it; 0: there is none. */
  readonly windowMs: number;
  readonly maxWaitMs: number;
}

const pause = (milliseconds: number, signal: AbortSignal): Promise<unknown> =>
  delay(milliseconds, undefined, { signal }).catch(() => undefined);

/** Resolves when the customer has been quiet for the window, has been waited for long enough, or the signal aborts. */
export const untilQuiet = async (
  mailbox: Pick<Mailbox, 'lastArrival'>,
  conversation: string,
  { windowMs, maxWaitMs }: Window,
  signal: AbortSignal,
): Promise<void> => {
  if (windowMs === 0) return;
  const begun = Date.now();
  for (let last = begun; ;) {
    const now = Date.now();
    const left = Math.min(last + windowMs, begun + maxWaitMs) - now;
    if (left <= 0 || signal.aborted) return;
    await pause(left, signal);
    last = await mailbox.lastArrival(conversation);
  }
};
