import { setTimeout as pause } from 'node:timers/promises';

export interface Patience {
  readonly limitMs: number;
  readonly pauseMs: number;
  /** Called before the last failure is thrown: the line to WhatsApp closes first (design 3.2, 5). */
  readonly givingUp: (cause: unknown) => void;
}

/** Tries again until it works or the time is over. */
export const patiently = async <T>(work: () => Promise<T>, { limitMs, pauseMs, givingUp }: Patience): Promise<T> => {
  const end = Date.now() + limitMs;
  for (;;) {
    try {
      return await work();
    } catch (cause) {
      if (Date.now() + pauseMs > end) {
        givingUp(cause);
        throw cause;
      }
      await pause(pauseMs);
    }
  }
};
