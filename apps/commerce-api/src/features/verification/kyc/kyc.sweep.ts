import type { Database, Transaction } from '@platform/data';
import { Unavailable } from '@platform/errors';
import type { Clock, Logger } from '@platform/runtime';
import type { MediaLibrary } from '../../media/uploads/public';
import { inForce } from '../../shop/settings/public';

/** Checks whose documents nobody needs any more, as long after the decision as their store has set: $1 now, $2 unless it has, $3 how many, $4 those that failed already. */
export const DECIDED = `
  SELECT k.store_id, k.id FROM kyc_submission k
    LEFT JOIN setting s ON s.store_id = k.store_id AND s.name = 'privacy'
  WHERE k.decided_at <= $1::timestamptz - interval '1 day' * coalesce((s.value ->> 'keep_identity_documents_days')::int, $2)
    AND k.id <> ALL ($4::uuid[])
    AND EXISTS (SELECT FROM kyc_document d WHERE d.store_id = k.store_id AND d.submission_id = k.id)
  ORDER BY k.decided_at LIMIT $3`;
/** Looked at again under the lock: a rejected check that was sent in meanwhile keeps its documents. */
const STILL = `SELECT 1 FROM kyc_submission WHERE store_id = $1 AND id = $2 AND decided_at IS NOT NULL FOR UPDATE`;
const REMOVE = 'DELETE FROM kyc_document WHERE store_id = $1 AND submission_id = $2 RETURNING media_id';

const ROUND = 100;

/** Of a check. */
interface Place {
  readonly storeId: string;
  readonly at: Date;
}

interface Parts {
  readonly database: Database;
  readonly media: Pick<MediaLibrary, 'forget'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** False: it was sent in anew meanwhile. */
const forget = async (tx: Transaction, media: Parts['media'], { storeId, at }: Place, id: string): Promise<boolean> => {
  if ((await tx.query(STILL, [storeId, id])).length === 0) return false;
  const gone = await tx.query<{ media_id: string }>(REMOVE, [storeId, id]);
  const by = { storeId, actor: 'kyc.forget', at };
  await media.forget(
    tx,
    by,
    gone.map(({ media_id }) => media_id),
  );
  return true;
};

/**
 * Identity documents do not outlive what they were sent for (design 6); the media sweep takes the files. Those of a check that fails are
 * left for the next hour, and keep nobody else's. Resolves to the number of checks.
 */
export const forgetDocuments = async (
  { database, media, clock, logger }: Parts,
  signal?: AbortSignal,
): Promise<number> => {
  const { keep_identity_documents_days: keepDays } = inForce('privacy') as { keep_identity_documents_days: number };
  const failed: string[] = [];
  const passOver = (storeId: string, check: string, cause: unknown): false => {
    if (cause instanceof Unavailable) throw cause;
    logger.error('documents of an identity check could not be removed', { storeId, check, cause });
    failed.push(check);
    return false;
  };
  for (let done = 0; ;) {
    const values = [clock.now(), keepDays, ROUND, failed];
    const due = await database.query<{ store_id: string; id: string }>(DECIDED, values);
    for (const { store_id: storeId, id } of due) {
      const gone = database.tx((tx) => forget(tx, media, { storeId, at: clock.now() }, id));
      done += Number(await gone.catch((cause: unknown) => passOver(storeId, id, cause)));
    }
    if (due.length === ROUND && !signal?.aborted) continue;
    if (done > 0) logger.info('documents of identity checks were removed', { checks: done });
    return done;
  }
};
