import type { Cache } from '@platform/data';
import { storableJson, uuidv7, type Clock } from '@platform/runtime';
import { DUE, keysOf } from './mailbox.keys';
import * as scripts from './mailbox.scripts';
import type { Claimed, Finish, Mailbox, MailboxLine, Offer } from './mailbox.types';

export interface CacheMailboxOptions {
  readonly cache: Pick<Cache, 'get' | 'set' | 'runScript'>;
  readonly clock: Clock;
  readonly leaseMs: number;
}

interface Waiting {
  readonly conversation: string;
  /** Epoch milliseconds. */
  readonly since: number;
}

const DAY_SECONDS = scripts.DAY_MS / 1000;
/** Conversations that are looked at together. */
const PAGE = 500;
const MOST = 100;

const roleOf = (seen: string): 'leader' | 'joined' => (seen.startsWith('L:') ? 'leader' : 'joined');

const readLine = (text: string): MailboxLine => JSON.parse(text) as MailboxLine;

/** What the cache keeps: all of it with Redis, and until the process ends without. */
export class CacheMailbox implements Mailbox {
  readonly leaseMs: number;

  constructor(private readonly options: CacheMailboxOptions) {
    this.leaseMs = options.leaseMs;
  }

  async offer(conversation: string, line: MailboxLine, token: string): Promise<Offer> {
    const keys = keysOf(conversation);
    const [kind, told] = await this.options.cache.runScript(
      scripts.OFFER,
      [keys.seen(line.idMessage), keys.mailbox, keys.lease, keys.arrival, DUE],
      [token, this.leaseMs, this.now(), storableJson(line), conversation],
    );
    return kind === 'dup' ? { kind, was: roleOf(told), token: told.slice(2) } : { kind, token: told };
  }

  /** Takes back an offer that is not in flight yet; false: too late, somebody answers it. */
  async withdraw(conversation: string, line: MailboxLine, token: string): Promise<boolean> {
    const keys = keysOf(conversation);
    const touched = [keys.seen(line.idMessage), keys.mailbox, keys.inFlight, keys.lease, DUE];
    const args = [token, storableJson(line), conversation];
    return (await this.options.cache.runScript(scripts.WITHDRAW, touched, args)) === 1;
  }

  async lastArrival(conversation: string): Promise<number> {
    return Number((await this.options.cache.get(keysOf(conversation).arrival)) ?? 0);
  }

  async drain(conversation: string, token: string): Promise<MailboxLine[] | null> {
    const { mailbox, inFlight, lease } = keysOf(conversation);
    const lines = await this.options.cache.runScript(scripts.DRAIN, [mailbox, inFlight, lease], [token]);
    return lines?.map(readLine) ?? null;
  }

  attempt(conversation: string, token: string): Promise<number> {
    const { tries, lease } = keysOf(conversation);
    return this.options.cache.runScript(scripts.ATTEMPT, [tries, lease], [token]);
  }

  finish(conversation: string, token: string, mayContinue: boolean): Promise<Finish> {
    const { mailbox, inFlight, lease, tries } = keysOf(conversation);
    const args = [token, conversation, mayContinue ? 1 : 0];
    return this.options.cache.runScript(scripts.FINISH, [mailbox, inFlight, lease, DUE, tries], args);
  }

  async renew(conversation: string, token: string): Promise<boolean> {
    const renewed = await this.options.cache.runScript(
      scripts.RENEW,
      [keysOf(conversation).lease],
      [token, this.leaseMs],
    );
    return renewed === 1;
  }

  async release(conversation: string, token: string, notBeforeMs: number): Promise<void> {
    const keys = [keysOf(conversation).lease, DUE];
    await this.options.cache.runScript(scripts.RELEASE, keys, [token, conversation, notBeforeMs]);
  }

  async claimDue(minAgeMs: number, most = MOST): Promise<Claimed[]> {
    const latest = this.now() - minAgeMs;
    const claimed: Claimed[] = [];
    for await (const waiting of this.unled(latest)) {
      const some = waiting.slice(0, most - claimed.length);
      const tokens = await Promise.all(some.map(({ conversation }) => this.claim(conversation, latest)));
      claimed.push(...tokens.flatMap((each) => each ?? []));
      if (claimed.length >= most) break;
    }
    return claimed;
  }

  async pending(conversation: string): Promise<boolean> {
    const { lease, mailbox, inFlight } = keysOf(conversation);
    return (await this.options.cache.runScript(scripts.PENDING, [lease, mailbox, inFlight], [])) > 0;
  }

  async putReply(conversation: string, token: string, body: unknown): Promise<void> {
    await this.options.cache.set(keysOf(conversation).reply(token), storableJson(body), DAY_SECONDS);
  }

  async getReply(conversation: string, token: string): Promise<unknown> {
    const kept = await this.options.cache.get(keysOf(conversation).reply(token));
    return kept === null ? null : JSON.parse(kept);
  }

  async backlog(): Promise<{ conversations: number; oldestMs: number }> {
    const now = this.now();
    let [conversations, oldestMs] = [0, 0];
    for await (const waiting of this.unled(now)) {
      conversations += waiting.length;
      for (const { since } of waiting) oldestMs = Math.max(oldestMs, now - since);
    }
    return { conversations, oldestMs };
  }

  /** Those that are due and have no leader, page by page: what many leaders hold hides nobody behind them. */
  private async *unled(latest: number): AsyncGenerator<Waiting[]> {
    for (let from = 0; ; from += PAGE) {
      const flat = await this.options.cache.runScript(scripts.DUE_PAGE, [DUE], [latest, from, PAGE]);
      const page = Array.from({ length: flat.length / 2 }, (_, at) => ({
        conversation: String(flat[2 * at]),
        since: Number(flat[2 * at + 1]),
      }));
      if (page.length === 0) return;
      const leases = page.map(({ conversation }) => keysOf(conversation).lease);
      const led = await this.options.cache.runScript(scripts.LED, leases, []);
      yield page.filter((_, at) => led[at] === 0);
      if (page.length < PAGE) return;
    }
  }

  private async claim(conversation: string, latest: number): Promise<Claimed | undefined> {
    const { mailbox, inFlight, lease } = keysOf(conversation);
    const token = uuidv7();
    const args = [token, this.leaseMs, latest, conversation];
    const claimed = await this.options.cache.runScript(scripts.CLAIM, [mailbox, inFlight, lease, DUE], args);
    return claimed === 1 ? { conversation, token } : undefined;
  }

  private now(): number {
    return this.options.clock.now().getTime();
  }
}
