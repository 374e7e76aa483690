import type { Clock } from '@platform/runtime';
import type { Database, Sql } from '@platform/data';
import type { CommerceJobs } from '../../../jobs';
import { productsTouched } from '../search/public';

/** Products of one transaction: few enough that nobody who changes one of them waits for long. */
const PORTION = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';
export const PRODUCTS_OF_CATEGORY = `
  SELECT id FROM product WHERE store_id = $1 AND category_id = $2 AND id > $3 ORDER BY id LIMIT ${PORTION}`;

/** The job: portion by portion, from the beginning when it is repeated. Products that come meanwhile know the name already. */
export const tellProducts =
  (database: Pick<Database, 'tx'> & Sql, clock: Clock) =>
  async ({ storeId, id }: CommerceJobs['category.renamed'], signal: AbortSignal): Promise<void> => {
    for (let last: string | undefined = FIRST; last !== undefined;) {
      signal.throwIfAborted();
      const rows: { id: string }[] = await database.query(PRODUCTS_OF_CATEGORY, [storeId, id, last]);
      const ids = rows.map((row) => row.id);
      const by = { storeId, actor: 'category.renamed', at: clock.now() };
      if (ids.length > 0) await database.tx((tx) => productsTouched(tx, by, 'p.id = ANY ($2::uuid[])', [ids]));
      last = ids.at(-1);
    }
  };
