import { Unavailable } from '@platform/errors';
import type { Logger } from '@platform/runtime';
import { CacheMailbox, type CacheMailboxOptions } from './cache.mailbox';
import type { Journal, WaitingLine } from './mailbox.journal';
import { idOf, keysOf } from './mailbox.keys';
import { DAY_MS } from './mailbox.scripts';
import type { Claimed, Finish, Mailbox, MailboxLine, Offer } from './mailbox.types';

export interface JournaledOptions extends CacheMailboxOptions {
  readonly journal: Journal;
  /** Whether this is still the only process. */
  readonly isAlone: () => boolean;
  readonly logger: Logger;
}

type Role = 'leader' | 'joined';

const DAY_SECONDS = DAY_MS / 1000;

const takenOver = () => new Unavailable('another process of bot-engine has taken over', { retryAfterSeconds: 2 });

/**
 * For a single process without Redis: the cache holds the leases and windows, and every line is also a row, so that none is
 * lost with the process. Lines that had no turn have one after the next start.
 */
export class JournaledMailbox implements Mailbox {
  readonly leaseMs: number;
  private readonly inner: CacheMailbox;
  private isRestored = false;
  /** Rows that are being written, by conversation and id. */
  private readonly writing = new Map<string, Map<string, Promise<void>>>();
  /** Ids of the lines in flight, and of those whose turn is over and whose rows do not say so yet. */
  private readonly inFlight = new Map<string, readonly string[]>();
  private readonly unmarked = new Map<string, readonly string[]>();

  constructor(private readonly options: JournaledOptions) {
    this.inner = new CacheMailbox(options);
    this.leaseMs = options.leaseMs;
  }

  /** Takes up what the process before left; before anything is offered, and nothing is due before. */
  async restoreAll(): Promise<void> {
    for await (const lines of this.options.journal.finished())
      for (const { conversation, id, role, token } of lines) await this.remember(conversation, id, role, token);
    for await (const lines of this.options.journal.waiting()) for (const line of lines) await this.restore(line);
    this.isRestored = true;
  }

  async offer(conversation: string, line: MailboxLine, token: string): Promise<Offer> {
    this.refuseUnlessAlone();
    const offered = await this.inner.offer(conversation, line, token);
    const id = idOf(line.idMessage);
    if (offered.kind === 'dup') {
      // Who repeats is told that the message is kept: not before it is
      await this.writing.get(conversation)?.get(id);
      return offered;
    }
    const { kind: role, token: lead } = offered;
    try {
      await this.whileWriting(conversation, id, this.options.journal.add({ conversation, line, role, token: lead }));
    } catch (failure) {
      await this.inner.withdraw(conversation, line, token);
      throw failure;
    }
    return offered;
  }

  async drain(conversation: string, token: string): Promise<MailboxLine[] | null> {
    this.refuseUnlessAlone();
    const lines = await this.inner.drain(conversation, token);
    if (lines)
      this.inFlight.set(
        conversation,
        lines.map(({ idMessage }) => idOf(idMessage)),
      );
    return lines;
  }

  async attempt(conversation: string, token: string): Promise<number> {
    const tries = await this.inner.attempt(conversation, token);
    // Or a message that ends the process would be tried for ever
    if (tries > 0) await this.options.journal.tried(conversation, this.inFlight.get(conversation) ?? [], tries);
    return tries;
  }

  async finish(conversation: string, token: string, mayContinue: boolean): Promise<Finish> {
    const ids = this.inFlight.get(conversation) ?? [];
    const finished = await this.inner.finish(conversation, token, mayContinue);
    if (finished === 'lost') return finished;
    this.inFlight.delete(conversation);
    this.unmarked.set(conversation, [...(this.unmarked.get(conversation) ?? []), ...ids]);
    await this.mark(conversation);
    return finished;
  }

  async claimDue(minAgeMs: number, most?: number): Promise<Claimed[]> {
    if (!this.isRestored || !this.options.isAlone()) return [];
    for (const conversation of [...this.unmarked.keys()]) await this.mark(conversation);
    return this.inner.claimDue(minAgeMs, most);
  }

  lastArrival(conversation: string): Promise<number> {
    return this.inner.lastArrival(conversation);
  }

  renew(conversation: string, token: string): Promise<boolean> {
    return this.options.isAlone() ? this.inner.renew(conversation, token) : Promise.resolve(false);
  }

  release(conversation: string, token: string, notBeforeMs: number): Promise<void> {
    return this.inner.release(conversation, token, notBeforeMs);
  }

  pending(conversation: string): Promise<boolean> {
    return this.inner.pending(conversation);
  }

  putReply(conversation: string, token: string, body: unknown): Promise<void> {
    return this.inner.putReply(conversation, token, body);
  }

  getReply(conversation: string, token: string): Promise<unknown> {
    return this.inner.getReply(conversation, token);
  }

  backlog(): ReturnType<Mailbox['backlog']> {
    return this.inner.backlog();
  }

  private refuseUnlessAlone(): void {
    if (!this.options.isAlone()) throw takenOver();
  }

  private async whileWriting(conversation: string, id: string, written: Promise<void>): Promise<void> {
    const ofConversation = this.writing.get(conversation) ?? new Map<string, Promise<void>>();
    this.writing.set(conversation, ofConversation.set(id, written));
    try {
      await written;
    } finally {
      ofConversation.delete(id);
      if (ofConversation.size === 0) this.writing.delete(conversation);
    }
  }

  /** A row that cannot be marked is marked later; a start before that finds its message answered. */
  private async mark(conversation: string): Promise<void> {
    const ids = this.unmarked.get(conversation) ?? [];
    this.unmarked.delete(conversation);
    if (ids.length === 0) return;
    await Promise.allSettled(this.writing.get(conversation)?.values() ?? []);
    try {
      await this.options.journal.done(conversation, ids);
    } catch (cause) {
      this.unmarked.set(conversation, [...(this.unmarked.get(conversation) ?? []), ...ids]);
      this.options.logger.warn('messages that were answered could not be marked yet', { cause });
    }
  }

  private remember(conversation: string, id: string, role: Role, token: string): Promise<void> {
    const seen = `${role === 'leader' ? 'L' : 'M'}:${token}`;
    return this.options.cache.set(keysOf(conversation).seen(id), seen, DAY_SECONDS);
  }

  /** As if it was offered now, by nobody who waits. */
  private async restore({ conversation, id, line, role, token, tries, arrived }: WaitingLine): Promise<void> {
    const offered = await this.inner.offer(conversation, line, token);
    await this.inner.release(conversation, offered.token, arrived.getTime());
    await this.remember(conversation, id, role, token);
    if (tries > 0) await this.options.cache.set(keysOf(conversation).tries, String(tries), DAY_SECONDS);
  }
}
