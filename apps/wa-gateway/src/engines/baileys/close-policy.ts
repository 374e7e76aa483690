import type { DeviceState } from '../engine.types';

/** How a connection ended, in the library's terms. */
export interface Closing {
  readonly code?: number;
  readonly text: string;
  /** Whether an account is linked; without one this was a pairing round. */
  readonly linked: boolean;
  /** Seconds until the end of a temporary ban, where WhatsApp names it. */
  readonly expire?: unknown;
  /** We closed it ourselves. */
  readonly byUs?: boolean;
  /** It was replaced, by a login of our own that is over. */
  readonly isForgiven?: boolean;
}

export type ClosingDecision =
  /** `until`: WhatsApp named the end of what keeps the device away. */
  | { readonly kind: 'restart'; readonly afterMs: number; readonly state: DeviceState; readonly until?: Date }
  /** `archive`: the account is gone, its keys are of no use any more. */
  | { readonly kind: 'stop'; readonly state: DeviceState; readonly archive: boolean };

const RESTART_REQUIRED = 515;
const REPLACED = 440;
const BANNED_FOR_A_WHILE = 402;
/** WhatsApp has ended the account's link with 401, 403, 406 and 411: only a new pairing helps. It does not know such a client with 405 and 409. */
const ENDS: Readonly<Record<number, { state: DeviceState; archive?: boolean }>> = {
  401: { state: 'logged_out', archive: true },
  411: { state: 'logged_out', archive: true },
  403: { state: 'banned', archive: true },
  406: { state: 'banned', archive: true },
  405: { state: 'outdated' },
  409: { state: 'outdated' },
  [REPLACED]: { state: 'replaced' },
};
/** Another client has logged in as the device. */
export const isReplaced = ({ code }: Pick<Closing, 'code'>): boolean => code === REPLACED;

const CODES_USED_UP = /QR refs attempts ended/;

const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;
const FAILURES_BEFORE_PROBING = 10;
const PROBE_MS = 300_000;
/** A connection that lasts that long has succeeded. */
const STABLE_MS = 60_000;
/** Logins in a row that did not last: the first is bad luck, of the third on WhatsApp is asked no more often than by a probe. */
const FLAPS_BEFORE_PROBING = 3;
const BAN_SECONDS = { unnamed: 24 * 3_600, longest: 365 * 24 * 3_600 };

/** The table of design 3.1: what follows from the way a connection ended. Credentials are never given up for a bad line. */
export class ClosePolicy {
  private failures = 0;
  private flaps = 0;
  private openedAt: number | undefined;
  private hasRestarted = false;

  constructor(
    /** In [0, 1): the jitter. */
    private readonly random: () => number,
    private readonly now: () => Date,
  ) {}

  opened(): void {
    this.openedAt = this.now().getTime();
  }

  /** A new account begins without the failures of the former one. */
  renew(): void {
    this.failures = 0;
    this.flaps = 0;
    this.hasRestarted = false;
  }

  decide(closing: Closing): ClosingDecision {
    this.judge(closing.byUs ?? false);
    const { code, text } = closing;
    if (code === RESTART_REQUIRED && !this.hasRestarted) {
      this.hasRestarted = true;
      return { kind: 'restart', afterMs: 0, state: 'connecting' };
    }
    if (code === BANNED_FOR_A_WHILE) return this.afterBan(closing.expire);
    if (CODES_USED_UP.test(text)) return { kind: 'stop', state: 'qr_expired', archive: false };
    const end = code === undefined || closing.isForgiven ? undefined : ENDS[code];
    if (end) return { kind: 'stop', state: end.state, archive: end.archive ?? false };
    return this.again(closing.linked);
  }

  /** Only a connection that lasted makes up for those that failed: a login every second is what gets numbers restricted. */
  private judge(byUs: boolean): void {
    if (this.openedAt === undefined) return;
    const isStable = this.now().getTime() - this.openedAt >= STABLE_MS;
    this.openedAt = undefined;
    if (isStable) this.renew();
    else if (!byUs) this.flaps += 1;
  }

  private again(linked: boolean): ClosingDecision {
    this.failures += 1;
    const isOpenCircuit = this.failures > FAILURES_BEFORE_PROBING || this.flaps >= FLAPS_BEFORE_PROBING;
    if (!linked)
      return isOpenCircuit
        ? { kind: 'stop', state: 'qr_expired', archive: false }
        : { kind: 'restart', afterMs: this.backoff(), state: 'connecting' };
    return isOpenCircuit
      ? { kind: 'restart', afterMs: PROBE_MS, state: 'disconnected' }
      : { kind: 'restart', afterMs: this.backoff(), state: 'reconnecting' };
  }

  private afterBan(expire: unknown): ClosingDecision {
    const named = Number(expire);
    const seconds = named > 0 ? Math.min(named, BAN_SECONDS.longest) : BAN_SECONDS.unnamed;
    const afterMs = Math.round(seconds * 1_000);
    return { kind: 'restart', afterMs, state: 'banned', until: new Date(this.now().getTime() + afterMs) };
  }

  /** Full jitter; above a whole minute after a second login that did not last. */
  private backoff(): number {
    if (this.flaps > 1) return LONGEST_MS + Math.round(this.random() * LONGEST_MS);
    return Math.round(this.random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** this.failures));
  }
}

/** What a timer can wait. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The one delayed restart of a device: a new cause replaces the former one. */
export class RestartSlot {
  private timer: NodeJS.Timeout | undefined;
  private work: (() => void) | undefined;

  schedule(afterMs: number, work: () => void): void {
    clearTimeout(this.timer);
    this.work = work;
    const rest = afterMs - LONGEST_TIMER_MS;
    const next = rest > 0 ? () => this.schedule(rest, work) : () => this.hurry();
    this.timer = setTimeout(next, Math.min(afterMs, LONGEST_TIMER_MS)).unref();
  }

  /** At once, if one is scheduled. */
  hurry(): void {
    const { work } = this;
    this.cancel();
    work?.();
  }

  cancel(): void {
    clearTimeout(this.timer);
    this.work = undefined;
  }
}
