/** How a campaign wants to be paced. Seconds. */
export interface Pace {
  readonly delayMin: number;
  readonly delayMax: number;
  readonly batchSize: number;
  readonly batchPause: number;
}

export const defaultPace: Pace = { delayMin: 3, delayMax: 8, batchSize: 20, batchPause: 60 };

/** What the lane remembers of its campaign sends. */
export interface LanePace {
  readonly nextAt: Date;
  readonly lastAt: Date;
  /** The day, in TZ_DEFAULT, that `sent` counts. */
  readonly day: string;
  readonly sent: number;
  /** Sends since the last pause between batches. */
  readonly batch: number;
}

/** Numbers from 0 up to, and without, 1. */
export type Random = () => number;

/** Box, G. E. P., Muller, M. E. (1958): A Note on the Generation of Random Normal Deviates. Ann. Math. Stat. 29(2), 610-611. */
const standardNormal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/**
 * Seconds between two campaign sends: a normal distribution around the middle of the range, a quarter of the range wide,
 * cut off at its ends. A draw beyond them is thrown away and repeated, which gives exactly the truncated distribution
 * (Robert, C. P. (1995): Simulation of truncated normal variables. Statistics and Computing 5, 121-125, section 2.1) and is
 * needed for one in 22. Its mean is the middle of the range. Fixed intervals are a signature of bots (design 3.6).
 */
export const drawDelay = ({ delayMin, delayMax }: Pick<Pace, 'delayMin' | 'delayMax'>, random: Random): number => {
  const middle = (delayMin + delayMax) / 2;
  const width = (delayMax - delayMin) / 4;
  if (width === 0) return middle;
  for (;;) {
    const delay = middle + width * standardNormal(random);
    if (delay >= delayMin && delay <= delayMax) return delay;
  }
};

/** Mean seconds between two sends, pauses between batches included. */
export const meanInterval = ({ delayMin, delayMax, batchSize, batchPause }: Pace): number => {
  const delay = (delayMin + delayMax) / 2;
  return (delay * (batchSize - 1) + Math.max(delay, batchPause)) / batchSize;
};

/** Seconds until the lane may go on after a send that is the `batch`-th since the last pause. */
export const pauseAfter = (pace: Pace, batch: number, delay: number): number =>
  batch >= pace.batchSize ? Math.max(delay, pace.batchPause) : delay;

const later = (at: Date, seconds: number): Date => new Date(at.getTime() + Math.round(seconds * 1000));

/** The lane after a send: its pause, and one more on the day's count. */
export const afterSend = (lane: LanePace, pace: Pace, { now, day, random }: Booking): LanePace => {
  // A lane that has rested for as long as a pause begins a batch
  const rested = now.getTime() - lane.lastAt.getTime() >= pace.batchPause * 1000;
  const batch = (rested ? 0 : lane.batch) + 1;
  const nextAt = later(now, pauseAfter(pace, batch, drawDelay(pace, random)));
  const sent = (lane.day === day ? lane.sent : 0) + 1;
  return { nextAt, lastAt: now, day, sent, batch: batch >= pace.batchSize ? 0 : batch };
};

/** The lane after WhatsApp was asked about a number and nothing was sent: questions are paced too, and not counted. */
export const afterQuestion = (lane: LanePace, pace: Pace, { now, random }: Booking): LanePace => ({
  ...lane,
  nextAt: later(now, drawDelay(pace, random)),
});

export interface Booking {
  readonly now: Date;
  /** Of `now`, in TZ_DEFAULT. */
  readonly day: string;
  readonly random: Random;
}
