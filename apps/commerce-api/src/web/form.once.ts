import { setTimeout as delay } from 'node:timers/promises';
import { asFailure } from '@platform/errors';

const PATIENCE = { stepMs: 100, mostMs: 10_000 };

/** Whoever sends a form again while it is being worked on waits for the end of that, and is answered what came of it. */
export const afterRunning = async <T>(
  work: () => Promise<T>,
  { stepMs, mostMs }: typeof PATIENCE = PATIENCE,
): Promise<T> => {
  for (let waited = 0; ; waited += stepMs) {
    try {
      return await work();
    } catch (failure) {
      if (waited >= mostMs || asFailure(failure).code !== 'idempotency_running') throw failure;
      await delay(stepMs);
    }
  }
};
