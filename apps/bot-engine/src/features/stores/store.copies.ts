import type { Database } from '@platform/data';
import type { CommerceStore } from '../../clients/commerce.client';
import type { Store } from './store.entity';
import { storeOfRow } from './store.rows';

/** Its own cost caps stay. */
const KEEP = `
  INSERT INTO bot_stores AS s (store_id, name, timezone, currency, status, facts, reply_limit, period_start, period_end, synced_at)
  VALUES ($1, $2, $3, $4, 'active', $5, $6, $7, $8, $9)
  ON CONFLICT (store_id) DO UPDATE SET name = EXCLUDED.name, timezone = EXCLUDED.timezone, currency = EXCLUDED.currency,
    status = EXCLUDED.status, facts = EXCLUDED.facts, reply_limit = EXCLUDED.reply_limit,
    period_start = EXCLUDED.period_start, period_end = EXCLUDED.period_end, synced_at = EXCLUDED.synced_at`;

const SUSPEND = `UPDATE bot_stores SET status = 'suspended', synced_at = $2 WHERE store_id = $1`;
const FORGET = 'DELETE FROM bot_stores WHERE store_id = $1';
const FRESH = 'SELECT 1 FROM bot_stores WHERE store_id = $1 AND synced_at >= $2';

const NONE = { replyLimit: null, periodStart: null, periodEnd: null, dayCapMicros: null, monthCapMicros: null };

const factsOf = ({ description, phone, address, hours }: CommerceStore): object =>
  Object.fromEntries(Object.entries({ description, phone, address, hours }).filter(([, value]) => Boolean(value)));

/** The copies of stores in our own table. */
export class StoreCopies {
  constructor(private readonly database: Database) {}

  async keep(store: CommerceStore, at: Date): Promise<Store> {
    const { id, name, timezone, currency, ai } = store;
    const plan = [ai?.replyLimit ?? null, ai?.periodStart ?? null, ai?.periodEnd ?? null];
    const facts = JSON.stringify(factsOf(store));
    await this.database.prepared('store copy', KEEP, [id, name, timezone, currency, facts, ...plan, at]);
    return (await this.find(id)) as Store;
  }

  /** A store that never had a copy gets none: nothing is known of it. */
  async suspend(id: string, at: Date): Promise<Store> {
    await this.database.query(SUSPEND, [id, at]);
    const unknown = { id, name: '', timezone: 'Asia/Jakarta', currency: 'IDR', facts: {}, ...NONE };
    return (await this.find(id)) ?? { ...unknown, status: 'suspended' };
  }

  /** The copy, unless it is older. */
  async since(id: string, instant: Date): Promise<Store | undefined> {
    const isFresh = (await this.database.query(FRESH, [id, instant])).length > 0;
    return isFresh ? await this.find(id) : undefined;
  }

  async forget(id: string): Promise<void> {
    await this.database.query(FORGET, [id]);
  }

  private find(id: string): Promise<Store | undefined> {
    return storeOfRow(this.database, id);
  }
}
