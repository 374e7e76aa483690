import type { Database } from '@platform/data';
import { refusals } from '../../refusals';
import type { Store } from './store.entity';
import { storeOfRow } from './store.rows';

/** Where stores are looked up; commerce-api owns them (design 3.9). */
export interface StoreDirectory {
  /** Throws `NotFound` for an unknown store, `Unavailable` when the lookup is not possible now. */
  get(storeId: string): Promise<Store>;
}

export type NewStore = Pick<Store, 'id' | 'name' | 'facts'> & Partial<Pick<Store, 'timezone' | 'currency'>>;

const PUT = `
  INSERT INTO bot_stores (store_id, name, timezone, currency, facts) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (store_id) DO UPDATE
    SET name = EXCLUDED.name, timezone = EXCLUDED.timezone, currency = EXCLUDED.currency, facts = EXCLUDED.facts,
        synced_at = now()`;

/** `STORE_SOURCE=local`: the copies in our own table, written by `put`. */
export const localStores = (database: Database): StoreDirectory & { put(store: NewStore): Promise<void> } => ({
  get: async (id) => {
    const store = await storeOfRow(database, id);
    if (!store) throw refusals.storeNotFound();
    return store;
  },
  put: async ({ id, name, timezone = 'Asia/Jakarta', currency = 'IDR', facts }) =>
    void (await database.query(PUT, [id, name, timezone, currency, JSON.stringify(facts)])),
});
