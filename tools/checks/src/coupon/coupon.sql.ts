import { diffOf, listingOf, writeAudit, type Audit, type Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { CouponsQuery, type Coupon, type NewCoupon } from './coupon.dto';
import { couponOf, refusals, type Stored } from './coupon.rules';

const COLUMNS = 'c.id, c.code, c.value, c.status, c.used, c.usage_limit, c.created_at';

export const couponListing = listingOf(CouponsQuery, {
  from: 'coupon c',
  tenant: 'c.store_id',
  select: COLUMNS,
  sort: { created_at: 'c.created_at', code: 'c.code', value: 'c.value' },
  usualSort: '-created_at',
  tie: 'c.id',
  words: ['c.code'],
  where: { status: 'c.status = ?', value_min: 'c.value >= ?' },
  read: couponOf,
});

/** Throws `NotFound`, also for a coupon of another store. */
export const couponById = async (sql: Sql, storeId: string, id: string, lock = ''): Promise<Coupon> => {
  const statement = `SELECT ${COLUMNS} FROM coupon c WHERE c.store_id = $1 AND c.id = $2 ${lock}`;
  const [row] = await sql.query<Stored>(statement, [storeId, id]);
  if (row) return couponOf(row);
  throw new NotFound('Coupon not found');
};

/** Writes the audit entry in the transaction of the change. */
const written = async (tx: Sql, by: Audit, before: Coupon | undefined, after: Coupon | undefined): Promise<void> => {
  const subject = { type: 'coupon', id: (after ?? before)?.id ?? '' };
  await writeAudit(tx, by, { action: 'coupon.write', subject, diff: diffOf(before, after) });
};

export const createCoupon = async (tx: Sql, by: Audit, { code, value, usage_limit }: NewCoupon): Promise<Coupon> => {
  const insert = `INSERT INTO coupon AS c (store_id, id, code, value, usage_limit, created_at) VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`;
  const [row] = await tx.query<Stored>(insert, [by.tenantId, uuidv7(), code, value, usage_limit, by.at]);
  if (!row) throw refusals.codeTaken();
  await written(tx, by, undefined, couponOf(row));
  return couponOf(row);
};

type Change = (before: Coupon) => Partial<Coupon>;

/** Reads and changes the state under one lock. */
export const changeCoupon = async (tx: Sql, by: Audit, id: string, change: Change): Promise<Coupon> => {
  const before = await couponById(tx, by.tenantId, id, 'FOR UPDATE');
  const after = { ...before, ...change(before) };
  const update = 'UPDATE coupon SET value = $3, status = $4, used = $5 WHERE store_id = $1 AND id = $2';
  await tx.query(update, [by.tenantId, id, after.value, after.status, after.used]);
  await written(tx, by, before, after);
  return after;
};

export const deleteCoupon = async (tx: Sql, by: Audit, id: string): Promise<void> => {
  const before = await couponById(tx, by.tenantId, id, 'FOR UPDATE');
  await tx.query('DELETE FROM coupon WHERE store_id = $1 AND id = $2', [by.tenantId, id]);
  await written(tx, by, before, undefined);
};
