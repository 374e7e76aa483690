import type { Transaction } from '@platform/data';
import { cut } from '@platform/runtime';

/** Runs in the transaction that ends the row, before the row is marked. When it throws, the row stays and is tried again. */
export type Settle = (tx: Transaction) => Promise<void>;

/** The row was sent and accepted. `outcome` is stored with the row. */
export interface Done {
  verdict: 'done';
  outcome?: string;
  settle?: Settle;
}

/** The row will be sent again; its lane waits. */
export interface Retry {
  verdict: 'retry';
  reason: string;
  /** Pause; by default full jitter over 1, 2, 4 … 300 s. Ignored while the target is held. */
  afterSeconds?: number;
  /** Whether this try counts in `row.attempt`. */
  spend: boolean;
  /** The target could not be reached (network, time-out). Ten consecutive ones open its breaker; any other verdict closes it. */
  transport?: boolean;
  /** Age since the first try at which the row dies. */
  maxAgeSeconds?: number;
  /** Runs when `maxAgeSeconds` ends it. */
  settle?: Settle;
}

/** The whole target accepts nothing for now: all its lanes wait, then one probes. No try is spent. */
export interface Hold {
  verdict: 'hold';
  reason: string;
  seconds: number;
  maxAgeSeconds?: number;
  settle?: Settle;
}

/** The row will never be accepted. It is kept for `dead()` and `replay()`; its lane continues. */
export interface Dead {
  verdict: 'dead';
  reason: string;
  settle?: Settle;
}

export type Verdict = Done | Retry | Hold | Dead;

export interface Finish {
  action: 'finish';
  state: 'done' | 'dead';
  note: string | null;
  /** The target answered; false when the row died waiting. */
  alive: boolean;
  settle?: Settle;
}

export interface Postpone {
  action: 'postpone';
  error: string;
  spend: boolean;
  delaySeconds: number;
  holdSeconds: number | null;
  transport: boolean;
}

const FIRST_PAUSE_SECONDS = 1;
const LONGEST_PAUSE_SECONDS = 300;
const LONGEST_NOTE = 2_000;

/**
 * Seconds to wait after the `failures`-th consecutive failure (from 1): "full jitter", a random part of base × 2^(failures-1),
 * at most `cap` ("Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
 */
export const fullJitter = (
  failures: number,
  base = FIRST_PAUSE_SECONDS,
  cap = LONGEST_PAUSE_SECONDS,
  random: () => number = Math.random,
): number => random() * Math.min(cap, base * 2 ** Math.min(failures - 1, 30));

const tooOld = ({ maxAgeSeconds }: Retry | Hold, triedSeconds: number | null): boolean =>
  maxAgeSeconds !== undefined && triedSeconds !== null && triedSeconds >= maxAgeSeconds;

/** What a verdict means for a row that has failed `failures` consecutive times so far. */
export const conclude = (
  verdict: Verdict,
  row: { failures: number; triedSeconds: number | null },
): Finish | Postpone => {
  const { settle } = verdict;
  if (verdict.verdict === 'done')
    return { action: 'finish', state: 'done', note: verdict.outcome ?? null, alive: true, settle };
  const reason = cut(verdict.reason, LONGEST_NOTE);
  if (verdict.verdict === 'dead') return { action: 'finish', state: 'dead', note: reason, alive: true, settle };
  if (tooOld(verdict, row.triedSeconds))
    return {
      action: 'finish',
      state: 'dead',
      note: `given up after ${verdict.maxAgeSeconds} s: ${reason}`,
      alive: false,
      settle,
    };
  if (verdict.verdict === 'hold')
    return {
      action: 'postpone',
      error: reason,
      spend: false,
      delaySeconds: verdict.seconds,
      holdSeconds: verdict.seconds,
      transport: false,
    };
  return {
    action: 'postpone',
    error: reason,
    spend: verdict.spend,
    delaySeconds: verdict.afterSeconds ?? fullJitter(row.failures + 1),
    holdSeconds: null,
    transport: verdict.transport ?? false,
  };
};
