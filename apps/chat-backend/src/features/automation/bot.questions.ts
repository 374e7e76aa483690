import type { Database, Transaction } from '@platform/data';
import type { JobOptions, JobQueue } from '@platform/jobs';
import type { Clock } from '@platform/runtime';
import type { ChatJobs } from '../../chat.jobs';
import type { NotificationAnnouncer } from '../notifications/public';
import type { ConversationKey } from '../records/public';
import type { AutomationPayload, BotAskPayload } from './automation.payload';
import type { AutomationRepository } from './automation.repository';
import { TOLD_ATTEMPTS } from './told-members.sql';

export interface BotQuestionsDependencies {
  readonly database: Pick<Database, 'tx'>;
  readonly repository: AutomationRepository;
  readonly queue: Pick<JobQueue<ChatJobs>, 'enqueue' | 'bury'>;
  readonly notifications: Pick<NotificationAnnouncer, 'notified'>;
  /** Hands an open chat that no bot answers to a member of its team, where the team wants that. */
  readonly distribute: (chat: ConversationKey, team: string) => Promise<void>;
  /** Of the database: another process may have begun to ask. */
  readonly clock: Clock;
}

/** A turn of the bot ends within a minute. */
const ONCE_MORE_SECONDS = 90;

interface Alarm {
  /** In its transaction. */
  readonly also?: (tx: Transaction) => Promise<unknown>;
  /** `open`: it is still decided on, and what the bot does later is told, too. */
  readonly became?: 'kept' | 'asked' | 'open';
  readonly judul?: string;
}

/** The questions still to be put to the bot, as jobs of a runner of their own, and what becomes of unanswered ones. */
export class BotQuestions {
  constructor(private readonly needs: BotQuestionsDependencies) {}

  /** Since when this message is asked in vain, and for how many milliseconds. */
  inVain({ since }: BotAskPayload): { readonly since: number; readonly ms: number } {
    const now = this.needs.clock.now().getTime();
    return { since: since ?? now, ms: now - (since ?? now) };
  }

  /** One job for each message: it is asked once, however often automation decides so. */
  wait(question: BotAskPayload): Promise<void> {
    return this.enqueue(question, { mode: 'unsafe_dedupe' });
  }

  /** Something else answers this message: the bot hears of it with the next one. */
  kept(question: AutomationPayload): Promise<void> {
    return this.needs.repository.decided(question, 'kept');
  }

  /** The chat is for the people of its team. */
  handOut(chat: ConversationKey, team: string): Promise<void> {
    return this.needs.distribute(chat, team);
  }

  /** The bot says nothing to it, and maybe not to the next one either. */
  unanswered(question: BotAskPayload): Promise<void> {
    return this.alarm(question);
  }

  /** The bot has said its last words, and the message is not for the next one. */
  handedOver(question: BotAskPayload): Promise<void> {
    return this.alarm(question, { judul: 'Bot menyerahkan chat', became: 'asked' });
  }

  /** A welcome text stands in place of the bot's answer: what was asked waits for people, until the customer writes again. */
  greeted(question: AutomationPayload): Promise<void> {
    return this.alarm(question, { judul: 'Pelanggan baru disapa', became: 'open' });
  }

  /** The bot was not there for too long: leaves a dead job to replay, and tells the team to answer themselves. */
  giveUp({ storeId, conversationId, seq, nohp }: BotAskPayload, reason: string): Promise<void> {
    const question = { storeId, conversationId, seq, nohp };
    return this.alarm(question, { also: (tx) => this.needs.queue.bury(tx, 'bot.ask', question, reason) });
  }

  /** Tells the team once, until the chat turns or the bot has spoken again. */
  private async alarm(
    { storeId, conversationId, seq }: BotAskPayload,
    { also, became = 'kept', judul = 'Bot tidak menjawab' }: Alarm = {},
  ): Promise<void> {
    const { database, repository, notifications } = this.needs;
    const question = { storeId, conversationId, seq };
    await database.tx(async (tx) => {
      await also?.(tx);
      const { notified, told } = await repository.alarm(tx, question, { judul, isNoted: became !== 'open' });
      if (became !== 'open') await repository.decided(question, became, tx);
      if (told) await this.needs.queue.enqueue(tx, 'commerce.event', told, { maxAttempts: TOLD_ATTEMPTS });
      tx.afterCommit(() => notifications.notified(notified));
    });
  }

  /** By a successor job: the queue's own pauses are fixed, these are not. */
  async again(payload: BotAskPayload, afterSeconds: number): Promise<void> {
    await this.enqueue(payload, { afterSeconds });
  }

  /** The bot keeps a merged message in its cache alone until its turn is over: by then a repeat finds its answer, or brings it anew. */
  async onceMore({ storeId, conversationId, seq, nohp, merged }: BotAskPayload): Promise<void> {
    if (merged) return;
    const once = { storeId, conversationId, seq, nohp, merged: true } as const;
    await this.enqueue(once, { afterSeconds: ONCE_MORE_SECONDS });
  }

  private async enqueue(payload: BotAskPayload, options: JobOptions): Promise<void> {
    const { storeId, conversationId, seq, attempt = 0, merged } = payload;
    const { database, queue, repository } = this.needs;
    const key = `bot.${storeId}.${conversationId}.${seq}.${merged ? 'merged.' : ''}${attempt}`;
    await database.tx(async (tx) => {
      await repository.decided(payload, 'asked', tx);
      await queue.enqueue(tx, 'bot.ask', payload, { ...options, key });
    });
  }
}
