import type { Database } from '@platform/data';
import type { JobQueue } from '@platform/jobs';
import type { ChatJobs } from '../../chat.jobs';
import type { AnswerPayload, AutomationPayload } from './automation.payload';
import type { AutomationRepository } from './automation.repository';

export interface WaitingAnswersDependencies {
  readonly database: Pick<Database, 'tx'>;
  readonly repository: AutomationRepository;
  readonly queue: Pick<JobQueue<ChatJobs>, 'enqueue'>;
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
    const waitedMs = 'waitedMs' in payload ? payload.waitedMs : undefined;
    if (waitedMs !== undefined && waitedMs > LONGEST_WAIT_MS) return false;
    const isBehind = await this.needs.repository.isBehind(payload);
    if (!isBehind && (waitedMs !== undefined || !hasFile)) return false;
    await this.wait(payload, waitedMs ?? 0, isBehind ? LOOK_SECONDS : 0);
    return true;
  }

  private async wait(
    { storeId, conversationId, seq }: AutomationPayload,
    waitedMs: number,
    afterSeconds: number,
  ): Promise<void> {
    const { database, queue, repository } = this.needs;
    const payload = { storeId, conversationId, seq, waitedMs: waitedMs + afterSeconds * 1000 };
    const options = { key: `answer.${storeId}.${conversationId}.${seq}`, afterSeconds };
    await database.tx(async (tx) => {
      await repository.decided(payload, 'answering', tx);
      await queue.enqueue(tx, 'answer', payload, options);
    });
  }
}
