import { setTimeout as delay } from 'node:timers/promises';
import { asFailure } from '@platform/errors';

const [STEP_MS, MOST_MS] = [100, 10_000];

/** Whoever sends a form again while it is being worked on waits for the end of that, and is answered what came of it. */
export const afterRunning = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let waited = 0; ; waited += STEP_MS) {
    try {
      return await work();
    } catch (failure) {
      if (waited >= MOST_MS || asFailure(failure).code !== 'idempotency_running') throw failure;
      await delay(STEP_MS);
    }
  }
};
