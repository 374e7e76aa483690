import { bigintNumber, type Sql } from '@platform/data';
import { InvalidInput, NotFound } from '@platform/errors';
import { isUuid, uuidv7 } from '@platform/runtime';
import { parse } from '@platform/validation';
import { trial } from '../../../limits';
import { refusals } from '../../../refusals';
import { PlanFile, type Family, type Plan, type PlanLimits, type PlanVoucher } from './plans.dto';
import type { Period } from './period';

/** As PostgreSQL returns it. */
interface Row extends Omit<Plan, 'prices'> {
  readonly rank: number;
  readonly price_monthly: string;
  readonly price_yearly: string;
  readonly currency: string;
  readonly vouchers: PlanVoucher[];
  readonly on_sale: boolean;
}

/** A plan as bills are written from it. */
export interface StoredPlan extends Omit<Row, 'price_monthly' | 'price_yearly'> {
  readonly prices: Readonly<Record<Period, number>>;
}

const COLUMNS = `p.id, p.code, p.family, p.name, p.rank, p.price_monthly, p.price_yearly, p.currency, p.limits, p.features, p.vouchers,
  p.on_sale`;

const stored = ({ price_monthly, price_yearly, ...row }: Row): StoredPlan => ({
  ...row,
  prices: { monthly: bigintNumber.from(price_monthly), yearly: bigintNumber.from(price_yearly) },
});

export const shownPlan = ({ id, code, name, family, prices, limits, features }: StoredPlan): Plan => ({
  ...{ id, code, name, family, prices, features },
  // jsonb keeps no order
  limits: Object.fromEntries(Object.keys(trial).map((metric) => [metric, limits[metric as keyof PlanLimits]])) as never,
});

/** Of stores that have none: no row, so that nobody can buy or change it. */
export const trialPlan: Plan = {
  ...{ id: '062807b5-cea6-5517-889a-d548507f89ad', code: 'trial', name: 'Trial', family: 'new', prices: null },
  ...{ limits: trial, features: ['To try everything with'] },
};

/** What is sold, or what was sold once and is in force in places; the smallest first. */
export const plansOf = async (sql: Sql, family: Family): Promise<Plan[]> => {
  const rows = await sql.prepared<Row>(
    'plans on sale',
    `SELECT ${COLUMNS} FROM plan p WHERE p.family = $1 AND p.on_sale ORDER BY p.rank, p.code`,
    [family],
  );
  return rows.map((row) => shownPlan(stored(row)));
};

/** A plan whatever became of it since. Undefined for an id of none. */
export const findPlan = async (sql: Sql, id: string): Promise<StoredPlan | undefined> => {
  if (!isUuid(id)) return undefined;
  const [row] = await sql.prepared<Row>('plan by id', `SELECT ${COLUMNS} FROM plan p WHERE p.id = $1`, [id]);
  return row && stored(row);
};

/** Throws `NotFound` for one of the other family, or one that was withdrawn. */
export const planOf = async (sql: Sql, family: Family, id: string): Promise<Plan> => {
  const plan = await findPlan(sql, id);
  if (!plan?.on_sale || plan.family !== family) throw new NotFound('Plan not found');
  return shownPlan(plan);
};

/** A plan that can be chosen. Throws `NotFound` with the field. */
export const planOnSale = async (sql: Sql, id: string): Promise<StoredPlan> => {
  const plan = await findPlan(sql, id);
  if (!plan?.on_sale || plan.family !== 'new') throw refusals.notHere('plan_id', 'is not a plan on sale');
  return plan;
};

/** The largest that is on sale. */
export const largestPlan = async (sql: Sql): Promise<StoredPlan> => {
  const largest = `SELECT ${COLUMNS} FROM plan p WHERE p.family = 'new' AND p.on_sale ORDER BY p.rank DESC, p.code LIMIT 1`;
  const [row] = await sql.query<Row>(largest, []);
  if (!row) throw new Error('no plan is on sale');
  return stored(row);
};

const UPSERT = `
  INSERT INTO plan AS p (id, code, family, name, rank, price_monthly, price_yearly, currency, limits, features, vouchers, on_sale,
    created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, 'IDR', $8, $9, $10, $11, $12, $12)
  ON CONFLICT (code) DO UPDATE SET family = excluded.family, name = excluded.name, rank = excluded.rank,
    price_monthly = excluded.price_monthly, price_yearly = excluded.price_yearly, limits = excluded.limits,
    features = excluded.features, vouchers = excluded.vouchers, on_sale = excluded.on_sale, updated_at = excluded.updated_at
  RETURNING ${COLUMNS}`;

const refuseWrong = ({ prices, vouchers = [] }: PlanFile): void => {
  const codes = vouchers.map(({ code }) => code);
  const wrong = [
    ...(prices.yearly < prices.monthly ? [['prices.yearly', 'gtfield', 'must not be below prices.monthly']] : []),
    ...(new Set(codes).size < codes.length ? [['vouchers', 'unique', 'must have each code once']] : []),
    ...vouchers.flatMap(({ until }, at) =>
      /(Z|[+-]\d\d:\d\d)$/.test(until) ? [] : [[`vouchers[${at}].until`, 'offset', 'must have an offset']],
    ),
  ];
  if (wrong.length === 0) return;
  throw new InvalidInput(
    wrong.map(([field = '', tag = '', text = '']) => ({ field, tag, message: `${field} ${text}` })),
  );
};

/**
 * Writes a plan under its code, anew or over the one that has it; idempotent. What a store has paid for stays as it is until its period
 * ends: new prices count from its next bill on, new limits from its next period on. Throws `InvalidInput` for what is no plan (`PlanFile`), misspelt fields included.
 */
export const upsertPlan = async (sql: Sql, file: unknown, now = new Date()): Promise<StoredPlan> => {
  const { value: plan, violations } = parse(PlanFile, file, { unknownKeys: 'refuse' });
  if (violations) throw new InvalidInput(violations);
  refuseWrong(plan);
  const { code, family, name, rank, prices, limits, features, vouchers = [], on_sale = true } = plan;
  const values = [uuidv7(), code, family, name, rank, prices.monthly, prices.yearly, JSON.stringify(limits), features];
  const [row] = await sql.query<Row>(UPSERT, [...values, JSON.stringify(vouchers), on_sale, now]);
  return stored(row as Row);
};

/** The price list. */
export const plansOnSale = (sql: Sql): Promise<Plan[]> => plansOf(sql, 'new');
