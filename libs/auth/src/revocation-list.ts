import {
  asAuthEvent,
  type AuthEvent,
  type AuthEventPage,
  type Claims,
  type MembershipEvent,
  type RevokeEvent,
} from '@platform/contracts';
import { outage, systemClock, type Clock, type Component, type Logger, type Outage } from '@platform/runtime';
import type { Revocations } from './token-verifier';

/** The feed of store-auth (`GET /internal/events?since=`); without a cursor as far back as tokens live. */
export interface RevocationFeed {
  since(cursor: string | undefined): Promise<AuthEventPage>;
  /** Releases its connections. */
  close?(): Promise<void>;
}

/** Subscribes to the channel `auth:events`: the `cache` port's `subscribe` with the channel filled in. Resolves to the function that ends it. */
export type EventSubscription = (handler: (message: string) => void) => Promise<() => Promise<void> | void>;

export interface RevocationListOptions {
  readonly feed: RevocationFeed;
  /** With Redis: events within a second instead of the poll's interval. */
  readonly subscribe?: EventSubscription;
  readonly intervalSeconds?: number;
  readonly logger: Logger;
  readonly clock?: Clock;
}

export interface RevocationList extends Component, Revocations {
  /** Calls the listener once for every new event: sockets close, rooms are left. Returns the function that ends it. */
  onChange(listener: (event: AuthEvent) => void): () => void;
  /** Asks the feed now, page by page. Rejects when it cannot be read. */
  refresh(): Promise<void>;
  /** Whether the feed was read within the last 15 s: what is not revoked here is then not revoked there. */
  isCurrent(): boolean;
}

/** Events arrive within 5 s (store-auth design 3.2): the pause, and a second for the request itself. */
const POLL_SECONDS = 4;

/** Some polls in a row that bring nothing: from then on nobody knows what was revoked. */
const CURRENT_MS = 15_000;

/** A minute more than a token's lifetime: verifiers accept a skew of 30 s. */
const SKEW_MS = 60_000;

/** No access token lives longer (store-auth design 3.1), so an older membership change is in every token's claims. */
const OVERRIDE_LIFE_MS = 3600 * 1000;

const memberKey = (storeId: string, userId: string): string => `${storeId}\n${userId}`;

/** Revoked logins and changed memberships, in memory, wherever the events come from. What concerns no token any more is not kept. */
const eventMemory = (clock: Clock) => {
  const revoked = new Map<string, number>();
  const members = new Map<string, MembershipEvent>();
  const isPast = (until: number): boolean => until + SKEW_MS < clock.now().getTime();
  const learnRevoke = ({ sid_hash, jti, kid, exp }: RevokeEvent): boolean => {
    if (isPast(exp * 1000)) return false;
    const news = [sid_hash, jti, kid].filter((key) => key !== undefined).filter((key) => (revoked.get(key) ?? 0) < exp);
    for (const key of news) revoked.set(key, exp);
    return news.length > 0;
  };
  const learnMember = (event: MembershipEvent): boolean => {
    if (isPast(event.at + OVERRIDE_LIFE_MS)) return false;
    const key = memberKey(event.store_id, event.user_id);
    if ((members.get(key)?.at ?? 0) >= event.at) return false;
    members.set(key, event);
    return true;
  };
  return {
    learn: (event: AuthEvent): boolean => (event.type === 'revoke' ? learnRevoke(event) : learnMember(event)),
    forgetExpired: (): void => {
      for (const [key, exp] of revoked) if (isPast(exp * 1000)) revoked.delete(key);
      for (const [key, { at }] of members) if (isPast(at + OVERRIDE_LIFE_MS)) members.delete(key);
    },
    isRevoked: (key: string): boolean => revoked.has(key),
    current: (claims: Claims): Claims => {
      const newer = members.size > 0 ? members.get(memberKey(claims.store_id, claims.sub)) : undefined;
      return newer && claims.iat * 1000 < newer.at ? { ...claims, role: newer.role, teams: newer.teams } : claims;
    },
  };
};

class PolledList implements RevocationList {
  readonly name = 'revocations';
  private readonly memory: ReturnType<typeof eventMemory>;
  private readonly listeners = new Set<(event: AuthEvent) => void>();
  private cursor: string | undefined;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  /** On the monotonic clock: when the feed was last read to its end. */
  private readAt = -Infinity;
  /** Between the clock and the monotonic one, when the feed was asked last. */
  private lead: number | undefined;
  /** True before the first request too, which `start` waits for. */
  private asking = true;
  /** Something has changed since the feed was last asked. */
  private news = false;
  private unsubscribe: (() => Promise<void> | void) | undefined;

  private readonly source: Outage;

  constructor(private readonly options: RevocationListOptions) {
    const texts = {
      failed: 'the revocation feed could not be read',
      answered: 'the revocation feed is read again',
    };
    this.source = outage(texts, options.logger, options.clock);
    this.memory = eventMemory(options.clock ?? systemClock);
  }

  readonly isRevoked = (key: string): boolean => this.memory.isRevoked(key);

  readonly current = (claims: Claims): Claims => this.memory.current(claims);

  onChange(listener: (event: AuthEvent) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  async start(): Promise<void> {
    this.unsubscribe = await this.options.subscribe?.((message) => this.hear(message));
    await this.poll();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.unsubscribe?.();
    await this.options.feed.close?.();
  }

  async refresh(): Promise<void> {
    if (this.wasSetBack()) this.cursor = undefined;
    for (let more = true; more;) {
      const page = await this.options.feed.since(this.cursor);
      for (const item of page.items) this.take(item);
      more = page.items.length > 0 && page.cursor !== this.cursor;
      this.cursor = page.cursor;
    }
    this.memory.forgetExpired();
    this.readAt = performance.now();
  }

  isCurrent(): boolean {
    return performance.now() - this.readAt < CURRENT_MS;
  }

  /** What a clock that was ahead took for past was forgotten, and its tokens are good again: the feed is read anew. */
  private wasSetBack(): boolean {
    const [now, before] = [(this.options.clock ?? systemClock).now().getTime() - performance.now(), this.lead];
    this.lead = now;
    return before !== undefined && now < before - SKEW_MS;
  }

  private async poll(): Promise<void> {
    const { intervalSeconds = POLL_SECONDS } = this.options;
    this.asking = true;
    do {
      this.news = false;
      await this.refresh().then(this.source.answered, (cause: unknown) => this.source.failed({ cause: String(cause) }));
    } while (this.news && !this.stopped);
    this.asking = false;
    if (!this.stopped) this.timer = setTimeout(() => void this.poll(), intervalSeconds * 1000).unref();
  }

  /**
   * Other installations may share the Redis, and whoever reaches it may publish: the hash of a login is its own proof, but rights,
   * and the end of a key, whose name everybody knows, come from store-auth alone.
   */
  private hear(message: string): void {
    try {
      const event = asAuthEvent(JSON.parse(message));
      if (event?.type === 'membership' || event?.kid !== undefined) this.askNow();
      else this.take(event);
    } catch (cause) {
      this.options.logger.warn('an auth event could not be read', { cause: String(cause) });
    }
  }

  private askNow(): void {
    this.news = true;
    if (this.asking || this.stopped) return;
    clearTimeout(this.timer);
    void this.poll();
  }

  private take(raw: unknown): void {
    const event = asAuthEvent(raw);
    if (event && this.memory.learn(event)) for (const listener of this.listeners) listener(event);
  }
}

/**
 * Revoked logins and changed memberships, held in memory: read from store-auth's feed at the start and every
 * `intervalSeconds` (4), applied at once when there is a channel: a revoked login from the channel itself, a membership or a key from the
 * feed, which is then read at once. Polling continues beside the channel, so a lost connection costs seconds and no event. While store-auth is down the list keeps working with what it has, even from the start:
 * the damage is bounded by the lifetime of a token.
 */
export const revocationList = (options: RevocationListOptions): RevocationList => new PolledList(options);
