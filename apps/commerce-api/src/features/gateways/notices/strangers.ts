import { TooMany } from '@platform/errors';
import type { Clock } from '@platform/runtime';

const MINUTE_MS = 60_000;
/** Notices of one address that nobody has signed: after so many in a minute it is not listened to, and fewer are kept. */
const HEARD = 300;
const KEPT = 20;

/** Who sends notices that no provider has signed. Providers never do, so theirs are not counted, however many they are. */
export class Strangers {
  private counts = new Map<string, number>();
  private since = 0;

  constructor(private readonly clock: Clock) {}

  /** Throws `TooMany` for an address of which too many were refused. */
  refuse(address: string): void {
    this.turn();
    if ((this.counts.get(address) ?? 0) < HEARD) return;
    throw new TooMany('Too many notices with a wrong signature', {
      ...{ retryAfterSeconds: 60, limit: { requests: HEARD, perSeconds: 60 } },
    });
  }

  /** Counts one more; whether it is kept to be looked at. */
  note(address: string): boolean {
    const count = (this.counts.get(address) ?? 0) + 1;
    this.counts.set(address, count);
    return count <= KEPT;
  }

  private turn(): void {
    const now = this.clock.now().getTime();
    if (now - this.since < MINUTE_MS) return;
    this.since = now;
    this.counts = new Map();
  }
}
