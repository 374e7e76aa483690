import { bigintNumber, type Sql } from '@platform/data';
import { isUuid } from '@platform/runtime';
import type { Period } from '../plans/public';
import type { ActiveAddon, Addon } from './addons.dto';

interface Row extends Omit<Addon, 'prices'> {
  readonly price_monthly: string;
  readonly price_yearly: string;
  readonly plan_codes: string[] | null;
  readonly on_sale: boolean;
}

/** An add-on as bills are written from it. */
export interface StoredAddon extends Omit<Row, 'price_monthly' | 'price_yearly'> {
  readonly prices: Readonly<Record<Period, number>>;
}

const COLUMNS = 'a.id, a.code, a.name, a.metric, a.amount, a.price_monthly, a.price_yearly, a.plan_codes, a.on_sale';

const stored = ({ price_monthly, price_yearly, ...row }: Row): StoredAddon => ({
  ...row,
  prices: { monthly: bigintNumber.from(price_monthly), yearly: bigintNumber.from(price_yearly) },
});
const shown = ({ id, code, name, metric, amount, prices }: StoredAddon): Addon => ({
  ...{ id, code, name, metric, amount, prices },
});

/** Whether it can be had with a plan. */
export const suits = ({ plan_codes }: Pick<StoredAddon, 'plan_codes'>, planCode: string): boolean =>
  plan_codes === null || plan_codes.includes(planCode);

/** What is on sale for a plan; for a store without one everything, as it may choose any. */
export const addonsFor = async (sql: Sql, planCode: string | undefined): Promise<Addon[]> => {
  const rows = await sql.prepared<Row>(
    'addons on sale',
    `SELECT ${COLUMNS} FROM addon a WHERE a.on_sale ORDER BY a.code`,
    [],
  );
  return rows
    .map(stored)
    .filter((addon) => planCode === undefined || suits(addon, planCode))
    .map(shown);
};

/** Those of these ids that there are, in the order of the ids. */
export const findAddons = async (sql: Sql, ids: readonly string[]): Promise<StoredAddon[]> => {
  const asked = ids.filter(isUuid).map((id) => id.toLowerCase());
  if (asked.length === 0) return [];
  const rows = await sql.query<Row>(`SELECT ${COLUMNS} FROM addon a WHERE a.id = ANY ($1::uuid[])`, [asked]);
  const all = rows.map(stored);
  return asked.flatMap((id) => all.filter((addon) => addon.id === id));
};

/** An add-on that a subscription has. */
export interface Item {
  readonly id: string;
  readonly addon: StoredAddon;
  readonly quantity: number;
  /** Of the time for which it is paid. */
  readonly price: number;
  readonly from: Date;
  readonly until: Date;
  readonly cancel_at_period_end: boolean;
}

interface ItemRow extends Row {
  readonly item_id: string;
  readonly quantity: number;
  readonly price: string;
  readonly paid_from: Date;
  readonly paid_until: Date;
  readonly cancel_at_period_end: boolean;
}

const ITEMS = `
  SELECT ${COLUMNS}, i.id AS item_id, i.quantity, i.price, i.paid_from, i.paid_until, i.cancel_at_period_end
  FROM subscription_item i JOIN addon a ON a.id = i.addon_id
  WHERE i.store_id = $1 AND i.subscription_id = $2 AND i.ended_at IS NULL ORDER BY i.created_at, i.id`;

const itemOf = ({
  item_id,
  quantity,
  price,
  paid_from,
  paid_until,
  cancel_at_period_end,
  ...addon
}: ItemRow): Item => ({
  ...{ id: item_id, addon: stored(addon), quantity, price: bigintNumber.from(price) },
  ...{ from: paid_from, until: paid_until, cancel_at_period_end },
});

/** The add-ons in force, in the order in which they were bought. */
export const itemsOf = async (sql: Sql, storeId: string, subscriptionId: string): Promise<Item[]> =>
  (await sql.prepared<ItemRow>('addons in force', ITEMS, [storeId, subscriptionId])).map(itemOf);

export const shownItem = ({ addon, from, until, ...item }: Item): ActiveAddon => ({
  ...{ id: item.id, addon: shown(addon), quantity: item.quantity, price: item.price },
  ...{ from: from.toISOString(), until: until.toISOString(), cancel_at_period_end: item.cancel_at_period_end },
});

/** An add-on that was paid for a time. */
export interface PaidItem {
  readonly item_id: string;
  readonly addon_id: string;
  readonly quantity: number;
  readonly price: number;
}

const PUT = `
  INSERT INTO subscription_item AS i (store_id, id, subscription_id, addon_id, quantity, price, paid_from, paid_until, created_at, updated_at)
  SELECT $1, p.item_id, $2, p.addon_id, p.quantity, p.price, $4, $5, $6, $6
  FROM jsonb_to_recordset($3::jsonb) AS p(item_id uuid, addon_id uuid, quantity int, price bigint)
  ON CONFLICT (store_id, id) DO UPDATE SET quantity = excluded.quantity, price = excluded.price, paid_from = excluded.paid_from,
    paid_until = excluded.paid_until, updated_at = excluded.updated_at`;

/** Add-ons that are in force for a time from now on: new ones, and those that are known by their id. */
export const putItems = async (
  tx: Sql,
  { storeId, subscriptionId, at }: { readonly storeId: string; readonly subscriptionId: string; readonly at: Date },
  items: readonly PaidItem[],
  { from, until }: { readonly from: Date; readonly until: Date },
): Promise<void> => {
  if (items.length === 0) return;
  await tx.query(PUT, [storeId, subscriptionId, JSON.stringify(items), from, until, at]);
};

/** Ends what is not paid any longer at a moment, except these. */
export const endItems = async (
  tx: Sql,
  { storeId, subscriptionId, at }: { readonly storeId: string; readonly subscriptionId: string; readonly at: Date },
  kept: readonly string[],
  paidUntil: Date | null,
): Promise<void> => {
  const end = `UPDATE subscription_item SET ended_at = $3, updated_at = $3 WHERE store_id = $1 AND subscription_id = $2
    AND ended_at IS NULL AND id <> ALL ($4::uuid[]) AND ($5::timestamptz IS NULL OR paid_until <= $5)`;
  await tx.query(end, [storeId, subscriptionId, at, kept, paidUntil]);
};
