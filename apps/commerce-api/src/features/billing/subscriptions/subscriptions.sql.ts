import { bigintNumber, type Sql } from '@platform/data';
import type { By } from '../../../by';
import { limits } from '../../../limits';
import { touch } from '../../chat/copies/public';
import { itemsOf, shownItem } from '../addons/public';
import { findPlan, shownPlan, trialPlan, type Period, type StoredPlan } from '../plans/public';
import { allowedBy, subscriptionRefusals, type Live, type StoredState } from './subscription.rules';
import type { PlanUse, Subscription } from './subscriptions.dto';

interface Row extends Omit<Live, 'plan' | 'next' | 'price' | 'items'> {
  readonly plan_id: string;
  readonly price: string;
  readonly next_plan_id: string | null;
  readonly next_period: Period | null;
}

const COLUMNS = `s.id, s.status, s.plan_id, s.period, s.price, s.period_start, s.period_end, s.anchor_day, s.cancel_at_period_end,
  s.next_plan_id, s.next_period, s.auto_renew, s.bills, s.act_at`;
/** The one that lives, else the last one that did. */
export const NEWEST = `
  SELECT ${COLUMNS} FROM subscription s WHERE s.store_id = $1
  ORDER BY s.status IN ('active', 'past_due') DESC, s.created_at DESC LIMIT 1`;
/** For tests of its plan, too. */
export const LIVE = `SELECT ${COLUMNS} FROM subscription s WHERE s.store_id = $1 AND s.status IN ('active', 'past_due')`;

const planNamed = async (sql: Sql, id: string): Promise<StoredPlan> => {
  const plan = await findPlan(sql, id);
  if (!plan) throw new Error(`there is no plan ${id}`);
  return plan;
};

const read = async (sql: Sql, storeId: string, row: Row | undefined): Promise<Live | undefined> => {
  if (!row) return undefined;
  const { plan_id, price, next_plan_id, next_period, ...rest } = row;
  const plan = await planNamed(sql, plan_id);
  const next =
    next_plan_id !== null && next_period !== null
      ? { plan: await planNamed(sql, next_plan_id), period: next_period }
      : null;
  const items = await itemsOf(sql, storeId, row.id);
  return { ...rest, plan, next, price: bigintNumber.from(price), items };
};

/** What a store is subscribed to now. */
export const findLive = async (sql: Sql, storeId: string): Promise<Live | undefined> =>
  read(sql, storeId, (await sql.prepared<Row>('subscription live', LIVE, [storeId]))[0]);

/** The same. Throws `not_subscribed`. */
export const liveOf = async (sql: Sql, storeId: string): Promise<Live> => {
  const live = await findLive(sql, storeId);
  if (!live) throw subscriptionRefusals.notSubscribed();
  return live;
};

const TRIAL: Subscription = {
  ...{ id: null, plan: trialPlan, status: 'trialing', period: null, period_start: null, period_end: null },
  ...{ cancel_at_period_end: false, next_plan: null, next_period: null, addons: [], auto_renew: false },
};

/** What a store has, had last, or the trial. */
export const subscriptionOf = async (sql: Sql, storeId: string): Promise<Subscription> => {
  const [row] = await sql.prepared<Row>('subscription newest', NEWEST, [storeId]);
  const found = await read(sql, storeId, row);
  if (!found) return TRIAL;
  const { id, status, period, cancel_at_period_end, auto_renew, next } = found;
  return {
    ...{ id, plan: shownPlan(found.plan), status, period, cancel_at_period_end, auto_renew },
    ...{ period_start: found.period_start.toISOString(), period_end: found.period_end.toISOString() },
    ...{ next_plan: next && shownPlan(next.plan), next_period: next?.period ?? null },
    addons: found.items.map(shownItem),
  };
};

/** What is counted of a store, against what its plan allows. */
export const usageOf = async (sql: Sql, storeId: string): Promise<PlanUse[]> => {
  const [live] = await sql.prepared<Row>('subscription live', LIVE, [storeId]);
  const uses = await limits.uses(sql, storeId);
  return uses.map((use) => ({ ...use, period_end: live?.period_end.toISOString() ?? null }));
};

const PUT = `
  INSERT INTO subscription AS s (store_id, id, status, plan_id, period, price, period_start, period_end, anchor_day,
    cancel_at_period_end, cancel_reason, next_plan_id, next_period, auto_renew, bills, act_at, ended_at, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $18)
  ON CONFLICT (store_id, id) DO UPDATE SET status = excluded.status, plan_id = excluded.plan_id, period = excluded.period,
    price = excluded.price, period_start = excluded.period_start, period_end = excluded.period_end,
    anchor_day = excluded.anchor_day, cancel_at_period_end = excluded.cancel_at_period_end,
    cancel_reason = coalesce(excluded.cancel_reason, s.cancel_reason), next_plan_id = excluded.next_plan_id,
    next_period = excluded.next_period, auto_renew = excluded.auto_renew, bills = excluded.bills, act_at = excluded.act_at,
    ended_at = excluded.ended_at, updated_at = excluded.updated_at`;

/** Writes a subscription of a locked store, its add-ons excepted. */
export const putSubscription = async (
  tx: Sql,
  { storeId, at }: By,
  { id, status, plan, next, ...row }: Live,
  { endedAt = null, reason = null }: { readonly endedAt?: Date | null; readonly reason?: string | null } = {},
): Promise<void> => {
  await tx.query(PUT, [
    ...[storeId, id, status, plan.id, row.period, row.price, row.period_start, row.period_end, row.anchor_day],
    ...[row.cancel_at_period_end, reason, next?.plan.id ?? null, next?.period ?? null, row.auto_renew, row.bills],
    ...[row.act_at, endedAt, at],
  ]);
};

const MARK = `UPDATE store SET plan_state = $2 WHERE store_id = $1 AND plan_state IS DISTINCT FROM $2 RETURNING store_id`;

/**
 * What follows from the state of a store's subscription, in the transaction that changes it: what requests and chat-backend, which sends
 * its campaigns, must know, and its limits.
 */
export const makeEffective = async (tx: Sql, by: By, state: StoredState): Promise<void> => {
  const { storeId } = by;
  const told = state === 'past_due' || state === 'expired' ? state : null;
  const live = await findLive(tx, storeId);
  // Before the job that tells chat-backend, as whoever makes a contact or a device locks them
  await limits.allow(tx, storeId, live ? allowedBy(live) : null);
  if ((await tx.query(MARK, [storeId, told])).length > 0) await touch(tx, by, 'stores', [storeId]);
};

/** The name and the state of a store's plan, for whoever signs in. */
export const PLAN_NAME = `
  SELECT p.code, s.status FROM subscription s JOIN plan p ON p.id = s.plan_id WHERE s.store_id = $1
  ORDER BY s.status IN ('active', 'past_due') DESC, s.created_at DESC LIMIT 1`;

/** Null for a store that never had one: it is on the trial. */
export const planNameOf = async (sql: Sql, storeId: string): Promise<{ code: string; status: string } | null> => {
  const [row] = await sql.query<{ code: string; status: string }>(PLAN_NAME, [storeId]);
  return row ?? null;
};
