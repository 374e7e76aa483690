import type { Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { cut, randomHex, uuidv7 } from '@platform/runtime';
import { isReserved } from '../../../reserved.words';
import { touch } from '../../chat/copies/public';

export interface NewStore {
  readonly storeId: string;
  readonly name: string;
  readonly timezone: string;
  readonly ownerId: string;
  readonly now: Date;
}

/** The first store that claims a slug has it. */
const CLAIM = `
  INSERT INTO global_key (kind, value, store_id, ref_id) VALUES ('slug', $2, $1::text, $1::text)
  ON CONFLICT DO NOTHING RETURNING value`;

/** A store without its warehouse, its owner or a team that takes its chats is never seen. */
const CREATE = `
  WITH store AS (
    INSERT INTO store (store_id, owner_user_id, name, slug, currency, timezone, created_at, updated_at)
    VALUES ($1, $2, $3, $4, 'IDR', $5, $6, $6) RETURNING store_id
  ), owner AS (
    INSERT INTO membership (store_id, user_id, system_role, chat_team_ids, created_at, updated_at)
    SELECT store_id, $2, 'owner', ARRAY[$8::text], $6, $6 FROM store
  ), team AS (
    INSERT INTO chat_team (store_id, id, name, kind, private, distribution, created_at, updated_at)
    SELECT store_id, $8::text, 'CS', 'cs', true, 'manual', $6, $6 FROM store
  )
  INSERT INTO warehouse (store_id, id, name, is_default, created_at, updated_at)
  SELECT store_id, $7, 'Gudang utama', true, $6, $6 FROM store`;

const SLUG_MAX = 50;
const TRIES = 5;

const slugOf = (name: string): string => {
  const letters = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  const slug = cut(letters, SLUG_MAX).replace(/^-|-$/g, '');
  return slug.length < 3 || isReserved(slug) ? `toko-${slug || randomHex(3)}` : slug;
};

const claimSlug = async (tx: Sql, storeId: string, name: string): Promise<string> => {
  const wanted = slugOf(name);
  for (let tries = 0; tries < TRIES; tries++) {
    const slug = tries === 0 ? wanted : `${wanted}-${randomHex(2)}`;
    if ((await tx.query(CLAIM, [storeId, slug])).length > 0) return slug;
  }
  throw new Error('no free slug was found');
};

/** Creates a store with its owner, its warehouse and its first chat team, in the caller's transaction. Resolves to its slug. */
export const createStore = async (tx: Sql, store: NewStore): Promise<string> => {
  const { storeId, name, timezone, ownerId, now } = store;
  const slug = await claimSlug(tx, storeId, name);
  const [warehouseId, teamId] = [uuidv7(), uuidv7()];
  await tx.query(CREATE, [storeId, ownerId, name, slug, timezone, now, warehouseId, teamId]);
  await touch(tx, { storeId, at: now }, 'teams', [teamId]);
  return slug;
};

/** A store as its customers are told of it. */
export interface Seller {
  readonly name: string;
  readonly phone: string | null;
  readonly timezone: string;
  readonly suspended: boolean;
}

const SELLER = `SELECT name, phone, timezone, status = 'suspended' AS suspended FROM store WHERE store_id = $1`;

/** Throws `NotFound`. */
export const sellerOf = async (sql: Sql, storeId: string): Promise<Seller> => {
  const [seller] = await sql.prepared<Seller>('seller', SELLER, [storeId]);
  if (seller) return seller;
  throw new NotFound('Store not found');
};
