import { systemClock, type Clock } from './clock';
import type { Fields, Logger } from './logger';

const REMINDER_MS = 60_000;

/** Logs the outages of a peer that is called again and again. */
export interface Outage {
  /** The peer did not answer: warns the first time, then at most once a minute with the number of failures since. */
  failed(fields?: Fields): void;
  /** It answered: logged once after a failure. */
  answered(): void;
}

export interface OutageTexts {
  readonly failed: string;
  readonly answered: string;
}

/** An outage is logged at its beginning and end, not at every poll. Texts are fixed, like those of any log line. */
export const outage = (texts: OutageTexts, logger: Logger, clock: Clock = systemClock): Outage => {
  let toldAt: number | undefined;
  let untold = 0;
  return {
    failed: (fields) => {
      untold += 1;
      const now = clock.now().getTime();
      if (toldAt !== undefined && now - toldAt < REMINDER_MS) return;
      logger.warn(texts.failed, { ...fields, failures: untold });
      [toldAt, untold] = [now, 0];
    },
    answered: () => {
      if (toldAt === undefined) return;
      logger.info(texts.answered);
      [toldAt, untold] = [undefined, 0];
    },
  };
};
