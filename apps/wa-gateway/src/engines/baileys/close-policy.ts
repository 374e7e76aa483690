import type { DeviceState } from '../engine.types';

/** How a connection ended, in the library's terms. */
export interface Closing {
  readonly code?: number;
  readonly text: string;
  /** Whether an account is linked; without one this was a pairing round. */
  readonly linked: boolean;
}

export type ClosingDecision =
  | { readonly kind: 'restart'; readonly afterMs: number; readonly state: DeviceState }
  /** `archive`: the account is gone, its keys are of no use any more. */
  | { readonly kind: 'stop'; readonly state: DeviceState; readonly archive: boolean };

const RESTART_REQUIRED = 515;
const ENDS: Readonly<Record<number, { state: DeviceState; archive?: boolean }>> = {
  401: { state: 'logged_out', archive: true },
  411: { state: 'logged_out', archive: true },
  402: { state: 'banned' },
  403: { state: 'banned' },
  405: { state: 'outdated' },
  406: { state: 'banned' },
  440: { state: 'replaced' },
};
const CODES_USED_UP = /QR refs attempts ended/;

const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;
const FAILURES_BEFORE_PROBING = 10;
const PROBE_MS = 300_000;

/** The table of design 3.1: what follows from the way a connection ended. Credentials are never given up for a bad line. */
export class ClosePolicy {
  private failures = 0;

  /** `random` in [0, 1): the jitter. */
  constructor(private readonly random: () => number) {}

  opened(): void {
    this.failures = 0;
  }

  decide({ code, text, linked }: Closing): ClosingDecision {
    if (code === RESTART_REQUIRED) return { kind: 'restart', afterMs: 0, state: 'connecting' };
    if (CODES_USED_UP.test(text)) return { kind: 'stop', state: 'qr_expired', archive: false };
    const end = code === undefined ? undefined : ENDS[code];
    if (end) return { kind: 'stop', state: end.state, archive: end.archive ?? false };
    this.failures += 1;
    const circuitOpen = this.failures > FAILURES_BEFORE_PROBING;
    if (!linked)
      return circuitOpen
        ? { kind: 'stop', state: 'qr_expired', archive: false }
        : { kind: 'restart', afterMs: this.backoff(), state: 'connecting' };
    return circuitOpen
      ? { kind: 'restart', afterMs: PROBE_MS, state: 'disconnected' }
      : { kind: 'restart', afterMs: this.backoff(), state: 'reconnecting' };
  }

  /** Full jitter. */
  private backoff(): number {
    return Math.round(this.random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** this.failures));
  }
}

/** The one delayed restart of a device: a new cause replaces the former one. */
export class RestartSlot {
  private timer: NodeJS.Timeout | undefined;

  schedule(afterMs: number, work: () => void): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(work, afterMs).unref();
  }

  cancel(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
