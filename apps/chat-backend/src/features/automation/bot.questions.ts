import type { Database } from '@platform/data';
import type { JobOptions, JobQueue } from '@platform/jobs';
import type { ChatJobs } from '../../chat.jobs';
import type { NotificationAnnouncer } from '../notifications/public';
import type { BotAskPayload } from './automation.payload';
import type { AutomationRepository } from './automation.repository';

export interface BotQuestionsDependencies {
  readonly database: Pick<Database, 'tx'>;
  readonly repository: AutomationRepository;
  readonly queue: Pick<JobQueue<ChatJobs>, 'enqueue' | 'bury'>;
  readonly notifications: Pick<NotificationAnnouncer, 'notified'>;
}

/** The questions still to be put to the bot, as jobs of a runner of their own, and what becomes of unanswered ones. */
export class BotQuestions {
  constructor(private readonly needs: BotQuestionsDependencies) {}

  /** One job for each message: it is asked once, however often automation decides so. */
  wait(question: BotAskPayload): Promise<void> {
    return this.enqueue(question, { mode: 'unsafe_dedupe' });
  }

  /** Leaves a dead job to replay, and tells the team to answer themselves. */
  async giveUp({ storeId, conversationId, seq }: BotAskPayload, reason: string): Promise<void> {
    const { database, queue, repository, notifications } = this.needs;
    const question = { storeId, conversationId, seq };
    await database.tx(async (tx) => {
      await queue.bury(tx, 'bot.ask', question, reason);
      const notified = await repository.alarm(tx, question, seq);
      tx.afterCommit(() => notifications.notified(notified));
    });
  }

  /** By a successor job: the queue's own pauses are fixed, these are not. */
  async again(payload: BotAskPayload, afterSeconds: number): Promise<void> {
    await this.enqueue(payload, { runAt: new Date(Date.now() + afterSeconds * 1000) });
  }

  private async enqueue(payload: BotAskPayload, options: JobOptions): Promise<void> {
    const { storeId, conversationId, seq, attempt = 0 } = payload;
    const { database, queue } = this.needs;
    const key = `bot.${storeId}.${conversationId}.${seq}.${attempt}`;
    await database.tx((tx) => queue.enqueue(tx, 'bot.ask', payload, { ...options, key }));
  }
}
