import type { Database, Sql } from '@platform/data';
import type { Clock } from '@platform/runtime';
import type { CommerceJobs } from '../../../jobs';
import type { Touched } from '../copies/public';

/** Contacts of one transaction: few enough that nobody who changes one of them waits for long. */
const PORTION = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';
export const CONTACTS_OF_TAG = `
  SELECT x.contact_id AS id FROM contact_tag x WHERE x.store_id = $1 AND x.tag_id = $2 AND x.contact_id > $3
  ORDER BY x.contact_id LIMIT ${PORTION}`;

const UNTAG = `DELETE FROM contact_tag x USING tag t WHERE x.store_id = $1 AND x.tag_id = $2 AND x.contact_id = ANY ($3::uuid[])
  AND t.store_id = $1 AND t.id = $2 AND t.deleted_at IS NOT NULL`;
/** Nobody is given a deleted tag any more, so that by now it is nobody's. */
const END = 'DELETE FROM tag WHERE store_id = $1 AND id = $2 AND deleted_at IS NOT NULL';

/**
 * The job: what follows for its contacts from a tag that was renamed or deleted, portion by portion, from the beginning when it is repeated.
 * Contacts are locked before their tags, as whoever changes one does.
 */
export const tellContacts =
  (database: Pick<Database, 'tx'> & Sql, clock: Clock, touched: Touched) =>
  async ({ storeId, id }: CommerceJobs['tag.changed'], signal: AbortSignal): Promise<void> => {
    for (let last: string | undefined = FIRST; last !== undefined;) {
      signal.throwIfAborted();
      const rows: { id: string }[] = await database.query(CONTACTS_OF_TAG, [storeId, id, last]);
      const ids = rows.map((row) => row.id);
      const by = { storeId, actor: 'tag.changed', at: clock.now() };
      if (ids.length > 0)
        await database.tx(async (tx) => {
          await touched(tx, by, ids);
          await tx.query(UNTAG, [storeId, id, ids]);
        });
      last = ids.at(-1);
    }
    await database.query(END, [storeId, id]);
  };
