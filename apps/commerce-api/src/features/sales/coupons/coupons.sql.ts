import { diffOf, listingOf, writeAudit, type Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { uuidv7, type Clock } from '@platform/runtime';
import type { Caller } from '../../../abilities';
import { auditOf } from '../../../audit';
import {
  completed,
  couponOf,
  couponRefusals,
  editableOf,
  refuseEmptyWindow,
  refuseSenseless,
  type StoredCoupon,
} from './coupon.rules';
import { demandRows } from '../../../known-rows';
import { lastOf, onStoreClock } from '../../../moment';
import { demandSeen } from '../../../web/seen';
import { boughtBySeen, type Seen } from '../sight/public';
import {
  CouponsQuery,
  UsagesQuery,
  type Coupon,
  type CouponChange,
  type CouponUsage,
  type NewCoupon,
  type Scope,
} from './coupons.dto';

export const COUPON = `c.id, c.code, c.auto, c.kind, c.value, c.buy_qty, c.get_qty, c.max_discount, c.min_subtotal, c.starts_at,
  c.ends_at, c.usage_limit, c.used_count, c.per_contact_limit, c.product_ids, c.category_ids, c.status`;

export const couponListing = listingOf(CouponsQuery, {
  from: 'coupon c',
  tenant: 'c.store_id',
  select: COUPON,
  only: ({ status }) => (status === undefined ? `c.status <> 'archived'` : 'true'),
  sort: { created_at: 'c.created_at', code: 'c.code', used_count: 'c.used_count' },
  usualSort: '-created_at',
  tie: 'c.id',
  words: ['c.code'],
  where: { status: 'c.status = ?' },
  read: couponOf,
});

interface StoredUsage extends Omit<CouponUsage, 'amount' | 'at'> {
  readonly amount: string;
  readonly at: Date;
}

/** Orders of one coupon, by the query that names it. */
export class UsagesOfCoupon extends UsagesQuery implements Seen {
  coupon_id!: string;
  seen!: readonly string[] | undefined;
}

export const usageListing = listingOf(UsagesOfCoupon, {
  // A page looks up order by order until it is full (OFFSET keeps them from being joined), the total reads all at once
  from: (_, counts) =>
    counts
      ? 'coupon_redemption r JOIN sales_order o ON o.store_id = r.store_id AND o.id = r.order_id'
      : `coupon_redemption r CROSS JOIN LATERAL (
          SELECT * FROM sales_order o WHERE o.store_id = r.store_id AND o.id = r.order_id OFFSET 0) o`,
  tenant: 'r.store_id',
  select: 'r.order_id, o.number AS order_number, r.phone, r.amount, r.state, r.created_at AS at',
  sort: { created_at: 'r.created_at' },
  usualSort: '-created_at',
  tie: 'r.order_id',
  where: { coupon_id: 'r.coupon_id = ?', seen: (numbers) => boughtBySeen('o.buyer', numbers) },
  read: ({ amount, at, ...row }: StoredUsage): CouponUsage => ({
    ...row,
    amount: Number(amount),
    at: at.toISOString(),
  }),
});

/** Throws `NotFound`, also for a coupon of another store. */
export const couponById = async (sql: Sql, storeId: string, id: string, lock = ''): Promise<Coupon> => {
  const statement = `SELECT ${COUPON} FROM coupon c WHERE c.store_id = $1 AND c.id = $2 ${lock}`;
  const [row] = await sql.query<StoredCoupon>(statement, [storeId, id]);
  if (row) return couponOf(row);
  throw new NotFound('Coupon not found');
};

type Moment = string | null;

/** Moments as a merchant writes them: where no offset says otherwise, on the clocks of the store; a day ends at its midnight. */
const windowOf = async (sql: Sql, storeId: string, starts: Moment, ends: Moment) => {
  const [window] = await sql.query<Pick<StoredCoupon, 'starts_at' | 'ends_at'>>(
    `SELECT ${onStoreClock('$2')} AS starts_at, ${onStoreClock('$3')} AS ends_at FROM store WHERE store_id = $1`,
    [storeId, starts, ends === null ? null : lastOf(ends)],
  );
  if (!window) throw new NotFound('Store not found');
  refuseEmptyWindow(window);
  return window;
};

/** Columns of everything that can change, in the order of $4.. below. */
const CHANGING = [
  ...['auto', 'value', 'buy_qty', 'get_qty', 'max_discount', 'min_subtotal', 'starts_at', 'ends_at'],
  ...['usage_limit', 'per_contact_limit', 'product_ids', 'category_ids', 'status'],
];
const valuesOf = async (sql: Sql, storeId: string, coupon: Omit<Coupon, 'id'>): Promise<unknown[]> => {
  const { starts_at, ends_at } = await windowOf(sql, storeId, coupon.starts_at, coupon.ends_at);
  const { auto, value, buy_qty, get_qty, max_discount, min_subtotal } = coupon;
  return [
    ...[auto, value, buy_qty, get_qty, max_discount, min_subtotal, starts_at, ends_at],
    ...[
      coupon.usage_limit,
      coupon.per_contact_limit,
      coupon.scope.product_ids,
      coupon.scope.category_ids,
      coupon.status,
    ],
  ];
};

const INSERT = `INSERT INTO coupon AS c (store_id, id, updated_at, ${CHANGING.join(', ')}, created_at, code, kind)
  VALUES ($1, $2, $3, ${CHANGING.map((_, at) => `$${at + 4}`).join(', ')}, $3, $17, $18) ON CONFLICT DO NOTHING RETURNING ${COUPON}`;
const UPDATE = `UPDATE coupon c SET updated_at = $3, ${CHANGING.map((name, at) => `${name} = $${at + 4}`).join(', ')}
  WHERE c.store_id = $1 AND c.id = $2 RETURNING ${COUPON}`;

/** Who writes, and when. */
export interface Writer {
  readonly caller: Caller;
  readonly clock: Clock;
}

/** Writes the audit entry in the transaction of the change. */
const written = async (
  tx: Sql,
  { caller, clock }: Writer,
  before: Coupon | undefined,
  after: Coupon,
): Promise<Coupon> => {
  const subject = { type: 'coupon', id: after.id };
  await writeAudit(tx, auditOf(caller, clock), { action: 'coupon.write', subject, diff: diffOf(before, after) });
  return after;
};

/** Throws `NotFound` for what a coupon counts for that is not the store's. */
const demandScope = async (tx: Sql, storeId: string, { product_ids = [], category_ids = [] }: Scope = {}) => {
  await demandRows(tx, storeId, ['product_id', product_ids], (at) => `scope.product_ids[${at}]`);
  await demandRows(tx, storeId, ['category_id', category_ids], (at) => `scope.category_ids[${at}]`);
};

/** Throws `code_taken`, `NotFound` for another store's goods, `InvalidInput`. */
export const createCoupon = async (tx: Sql, by: Writer, given: NewCoupon): Promise<Coupon> => {
  const coupon = completed(given);
  refuseSenseless(coupon);
  const { storeId } = by.caller;
  await demandScope(tx, storeId, given.scope);
  const values = [
    storeId,
    uuidv7(),
    by.clock.now(),
    ...(await valuesOf(tx, storeId, coupon)),
    coupon.code,
    coupon.kind,
  ];
  const [row] = await tx.query<StoredCoupon>(INSERT, values);
  if (!row) throw couponRefusals.codeTaken();
  return written(tx, by, undefined, couponOf(row));
};

const rewritten = async (tx: Sql, by: Writer, before: Coupon, after: Coupon): Promise<Coupon> => {
  const { storeId } = by.caller;
  const values = [storeId, before.id, by.clock.now(), ...(await valuesOf(tx, storeId, after))];
  const [row] = await tx.query<StoredCoupon>(UPDATE, values);
  if (!row) throw new NotFound('Coupon not found');
  return written(tx, by, before, couponOf(row));
};

/**
 * Changes what is given, decided on the locked row. Throws `NotFound`, also for one that is archived, `InvalidInput`, and
 * `version_conflict` when it is not what a form has shown any more.
 */
export const changeCoupon = async (
  tx: Sql,
  by: Writer,
  id: string,
  change: CouponChange,
  seen?: string,
): Promise<Coupon> => {
  const before = await couponById(tx, by.caller.storeId, id, 'FOR UPDATE');
  if (before.status === 'archived') throw new NotFound('Coupon not found');
  demandSeen(seen, editableOf(before));
  const after = { ...before, ...change, scope: { ...before.scope, ...change.scope } };
  refuseSenseless(after);
  await demandScope(tx, by.caller.storeId, change.scope);
  return rewritten(tx, by, before, after);
};

/** Nobody can use it any more; the orders that did keep it. */
export const archiveCoupon = async (tx: Sql, by: Writer, id: string): Promise<void> => {
  const before = await couponById(tx, by.caller.storeId, id, 'FOR UPDATE');
  if (before.status !== 'archived') await rewritten(tx, by, before, { ...before, status: 'archived' });
};
