import type { Clock } from '@platform/runtime';
import type { UpstreamWords } from './graph.failures';

/** A limit of upstream that holds for everything under its key. */
interface Gate {
  readonly since: number;
  readonly until: number;
  readonly message: string;
  readonly words: UpstreamWords;
  /** One call asks whether the limit is over. */
  probing: boolean;
}

/** What a call is told that is not made. */
export interface Closed {
  readonly message: string;
  readonly words: UpstreamWords;
  readonly retryAfterSeconds: number;
}

export interface Limit extends Omit<Closed, 'retryAfterSeconds'> {
  readonly key: string;
  readonly seconds: number;
}

/** Tells the gates how a call ended that they let through. `passed`: upstream did not limit it. */
export type Report = (passed: boolean) => void;

const SWEEP_AT = 1_000;

/** Not by a clock that was set back since: then one call asks. */
const isShut = ({ since, until }: Gate, now: number): boolean => until > now && since <= now;

/**
 * The limits of upstream that are known: while one lasts no call under its key is made; when it is over one call goes ahead, and
 * only when that is not limited do the others follow. Of this process alone: another one learns of a limit by its own call.
 */
export class Gates {
  private readonly gates = new Map<string, Gate>();

  constructor(private readonly clock: Clock) {}

  /** How many keep calls back now. */
  get open(): number {
    const now = this.clock.now().getTime();
    return [...this.gates.values()].filter((gate) => isShut(gate, now)).length;
  }

  /** Lets a call through that all these keys hold for, or says why not. */
  admit(keys: readonly string[]): Report | Closed {
    const now = this.clock.now().getTime();
    const found = keys.flatMap((key) => {
      const gate = this.gates.get(key);
      return gate ? [{ key, gate }] : [];
    });
    const [closed] = found
      .map(({ gate }) => gate)
      .filter((gate) => gate.probing || isShut(gate, now))
      .sort((one, other) => other.until - one.until);
    if (closed) return told(closed, now);
    for (const { gate } of found) gate.probing = true;
    return (passed) => {
      for (const { key, gate } of found) {
        gate.probing = false;
        if (passed && this.gates.get(key) === gate) this.gates.delete(key);
      }
    };
  }

  close({ key, seconds, message, words }: Limit): void {
    const now = this.clock.now().getTime();
    const before = this.gates.get(key);
    const until = Math.max(now + seconds * 1000, before && isShut(before, now) ? before.until : 0);
    if (this.gates.size >= SWEEP_AT) this.sweep(now);
    this.gates.set(key, { since: now, until, message, words, probing: false });
  }

  /** Of accounts that nobody asked for again. */
  private sweep(now: number): void {
    for (const [key, gate] of this.gates) if (!isShut(gate, now) && !gate.probing) this.gates.delete(key);
  }
}

const told = ({ until, message, words }: Gate, now: number): Closed => ({
  message,
  words,
  retryAfterSeconds: Math.max(1, Math.ceil((until - now) / 1000)),
});
