import type { Audit, Sql } from '@platform/data';
import { notify } from './notify';

interface EndedJob {
  readonly storeId: string;
  readonly id: string;
  /** Kind of the job, or the file that it made. */
  readonly name: string;
  readonly url: string;
}

/** Whoever asked for a job is told, in the transaction that ends it; nobody where that was a program. */
export const notifyDone = async (
  tx: Sql,
  asker: Audit['actor'],
  { storeId, id, name, url }: EndedJob,
): Promise<void> => {
  if (asker.kind !== 'user') return;
  await notify(tx, { storeId, id: `job:${id}`, event: 'job.done', params: { name }, url, userIds: [asker.id] });
};
