import type { Database } from '@platform/data';
import type { JobQueue } from '@platform/jobs';
import type { Clock } from '@platform/runtime';
import type { ChatJobs } from '../../chat.jobs';
import type { AnswerPayload, AutomationPayload } from './automation.payload';
import type { AutomationRepository } from './automation.repository';

export interface WaitingAnswersDependencies {
  readonly database: Pick<Database, 'tx'>;
  readonly repository: AutomationRepository;
  readonly queue: Pick<JobQueue<ChatJobs>, 'enqueue'>;
  /** Of the database: another process may look next. */
  readonly clock: Clock;
}

/** After this nobody waits any more for an answer before theirs. */
const LONGEST_WAIT_MS = 120_000;
const LOOK_SECONDS = 1;

/**
 * Automatic answers that have to wait, as jobs of a runner of their own: those with a file, whose host may hang, and those of the
 * same chat behind them.
 */
export class WaitingAnswers {
  constructor(private readonly needs: WaitingAnswersDependencies) {}

  /** Whether the answer to this message goes later, by the job that does so. */
  async postponed(payload: AutomationPayload | AnswerPayload, hasFile: boolean): Promise<boolean> {
    const { clock, repository } = this.needs;
    const now = clock.now().getTime();
    const since = 'since' in payload ? payload.since : undefined;
    if (since !== undefined && now - since > LONGEST_WAIT_MS) return false;
    const isBehind = await repository.isBehind(payload);
    if (!isBehind && (since !== undefined || !hasFile)) return false;
    await this.wait(payload, since ?? now, isBehind ? LOOK_SECONDS : 0);
    return true;
  }

  private async wait(
    { storeId, conversationId, seq }: AutomationPayload,
    since: number,
    afterSeconds: number,
  ): Promise<void> {
    const { database, queue, repository } = this.needs;
    const payload = { storeId, conversationId, seq, since };
    const options = { key: `answer.${storeId}.${conversationId}.${seq}`, afterSeconds };
    await database.tx(async (tx) => {
      await repository.decided(payload, 'answering', tx);
      await queue.enqueue(tx, 'answer', payload, options);
    });
  }
}
