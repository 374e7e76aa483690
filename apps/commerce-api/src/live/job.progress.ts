import type { Transaction } from '@platform/data';
import { LruCache } from '@platform/runtime';
import type { Job } from '../imports/import.dto';
import { userRoom, type Live } from './live.api';

/** At most so often a running job is told of. */
const EVERY_MS = 500;
const JOBS = 1_000;

type Seen = Pick<Job, 'id' | 'state' | 'progress'>;

/** Tells whoever began a job how far it is: seldom while it runs, and always when it ends. */
export class ProgressTold {
  private readonly told = new LruCache<string, number>({ limit: JOBS });

  constructor(private readonly live: Live) {}

  /** In the transaction that moves the job. `userId` as the audit log has it: nobody watches where it is no user's. */
  tell(
    tx: Pick<Transaction, 'afterCommit'>,
    { storeId, userId }: { readonly storeId: string; readonly userId: string },
    { id, state, progress: { done, total } }: Seen,
  ): void {
    const now = performance.now();
    const runs = state === 'running' || state === 'queued';
    if (runs && now - (this.told.get(id) ?? -EVERY_MS) < EVERY_MS) return;
    this.told.set(id, now);
    this.live.afterCommit(tx).emit(userRoom(storeId, userId), 'jobProgress', { job_id: id, done, total, state });
  }
}
