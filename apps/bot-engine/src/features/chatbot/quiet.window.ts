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
  const begun = performance.now();
  for (let left = Math.min(windowMs, maxWaitMs); left > 0 && !signal.aborted;) {
    await pause(left, signal);
    const last = await mailbox.lastArrival(conversation);
    // By the clock of whoever took it: one that is ahead, or was set back since, keeps nobody waiting for longer than a window
    const quiet = Math.min(windowMs, last + windowMs - Date.now());
    left = Math.min(quiet, begun + maxWaitMs - performance.now());
  }
};
