import { setTimeout as pause } from 'node:timers/promises';
import type { Starting } from './component';

const LOOK_AGAIN_MS = 2_000;

/**
 * Resolves when `lack` finds nothing missing any more, to whether it was waited for; tells what is missing and looks again every
 * two seconds. Throws it where nobody hears that a start waits, and when the start is given up.
 */
export const untilNothingLacks = async (
  lack: () => Promise<string | undefined>,
  starting: Starting | undefined,
): Promise<boolean> => {
  for (let waited = false; ; waited = true) {
    const missing = await lack();
    if (missing === undefined) return waited;
    if (!starting || starting.signal.aborted) throw new Error(missing);
    starting.waits(missing);
    await pause(LOOK_AGAIN_MS, undefined, { signal: starting.signal }).catch(() => undefined);
  }
};
