import { Breaker, type Sign } from '@platform/http';
import type { Pushed } from './push.services';

/** Calls at once to hosts that had no answer last: the other places are for those that answer. */
const DOUBTED_AT_ONCE = 2;
/** So many calls without an answer shut a host to a store, or of several stores to all, for a while. */
const FAILURES = 2;
const PAUSE_MS = 10_000;
/** Any browser may name a host of its own: beyond so many the one that was met first is met anew. */
const MOST_HOSTS = 1_000;

/**
 * Whom push services keep waiting. All stores share the places in which is pushed, so one that hangs must not have them all: who had no
 * answer last is called in two places at most, and not at all for a while when it goes on. Not called is answered `later`.
 */
export class PushHosts {
  private readonly breakers = new Map<string, Breaker>();
  private doubted = 0;

  async call(endpoint: string, storeId: string, send: () => Promise<Pushed>): Promise<Pushed> {
    const leave = this.enter(this.breakerOf(new URL(endpoint).host), storeId);
    if (!leave) return { kind: 'later' };
    let sign: Sign = 'unknown';
    try {
      const pushed = await send();
      sign = pushed.status === undefined ? 'absent' : 'alive';
      return pushed;
    } finally {
      leave(sign);
    }
  }

  private enter(breaker: Breaker, storeId: string): ((sign: Sign) => void) | undefined {
    const isDoubted = breaker.isDoubted(storeId);
    if (isDoubted && this.doubted >= DOUBTED_AT_ONCE) return undefined;
    const settle = breaker.admit(storeId);
    if (!settle || !isDoubted) return settle;
    this.doubted += 1;
    return (sign) => {
      this.doubted -= 1;
      settle(sign);
    };
  }

  private breakerOf(host: string): Breaker {
    const known = this.breakers.get(host);
    if (known) return known;
    const breaker = new Breaker({ failures: FAILURES, pauseMs: PAUSE_MS, perStore: true });
    this.breakers.set(host, breaker);
    const [first] = this.breakers.keys();
    if (this.breakers.size > MOST_HOSTS && first !== undefined) this.breakers.delete(first);
    return breaker;
  }
}
