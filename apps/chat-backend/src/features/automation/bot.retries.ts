import type { Database } from '@platform/data';
import type { JobQueue } from '@platform/jobs';
import type { ChatJobs } from '../../chat.jobs';
import type { NotificationAnnouncer } from '../notifications/public';
import type { AutomationPayload } from './automation.payload';
import type { AutomationRepository } from './automation.repository';

export interface BotRetriesDependencies {
  readonly database: Pick<Database, 'tx'>;
  readonly repository: AutomationRepository;
  readonly queue: Pick<JobQueue<ChatJobs>, 'enqueue' | 'bury'>;
  readonly notifications: Pick<NotificationAnnouncer, 'notified'>;
}

/** What becomes of a question that the bot did not answer. */
export class BotRetries {
  constructor(private readonly needs: BotRetriesDependencies) {}

  /** Dead, for somebody to replay; the team is told to answer themselves. */
  async giveUp({ storeId, conversationId, seq }: AutomationPayload, reason: string): Promise<void> {
    const { database, queue, repository, notifications } = this.needs;
    const question = { storeId, conversationId, seq };
    await database.tx(async (tx) => {
      await queue.bury(tx, 'automation', question, reason);
      const notified = await repository.alarm(tx, question, seq);
      tx.afterCommit(() => notifications.notified(notified));
    });
  }

  /** By a successor: the queue's own pauses are fixed, these are not. */
  async again(payload: AutomationPayload, afterSeconds: number): Promise<void> {
    const { storeId, conversationId, seq, attempt } = payload;
    const { database, queue } = this.needs;
    const key = `${storeId}.${conversationId}.${seq}.${attempt}`;
    const runAt = new Date(Date.now() + afterSeconds * 1000);
    await database.tx((tx) => queue.enqueue(tx, 'automation', payload, { key, runAt }));
  }
}
