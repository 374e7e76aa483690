import { random } from '@platform/testing';
import { deadlocksOf, useCommerce } from '../../../commerce.fixture';
import { metrics, trial, type Metric } from '../../../limits';
import { balancesOf } from '../../ledger/postings/public';
import { addonIdOf, billedStore, planIdOf, renewNow, standAt, type BilledStore } from '../billing.fixture';
import type { Invoice } from '../invoices/public';
import { allowedBy } from './subscription.rules';
import type { PlanChange } from './subscriptions.dto';
import { findLive } from './subscriptions.sql';

const BEGIN = '2028-01-31T09:30:00.000Z';
const commerce = useCommerce(BEGIN);
const HOUR_MS = 3_600_000;
const ROUNDS = 25;
const AT_ONCE = 8;

/** What a store has paid the platform, by its bills: all that were paid, less what bought nothing and went back. */
const KEPT = `
  SELECT coalesce(sum(i.amount), 0)::float8 AS kept FROM invoice i
    LEFT JOIN subscription_purchase p ON p.store_id = i.store_id AND p.invoice_id = i.id
  WHERE i.store_id = $1 AND i.status = 'paid' AND p.state <> 'credited'`;
/** Paid bills that have brought nothing. */
const FORGOTTEN = `SELECT p.invoice_id FROM subscription_purchase p JOIN invoice i ON i.store_id = p.store_id AND i.id = p.invoice_id
  WHERE p.store_id = $1 AND i.status = 'paid' AND p.state IN ('open', 'void')`;
/** Add-ons and the period of a plan that do not end together. */
const ASKEW = `SELECT i.id FROM subscription_item i JOIN subscription s ON s.store_id = i.store_id AND s.id = i.subscription_id
  WHERE i.store_id = $1 AND i.ended_at IS NULL AND (s.ended_at IS NOT NULL OR i.paid_until < s.period_end)`;

const expectSound = async (store: BilledStore, funded: number): Promise<void> => {
  const { database } = commerce;
  const { storeId } = store;
  const { wallet_available: wallet, subscription_revenue: revenue } = await balancesOf(database, storeId, 'IDR');
  const [{ kept } = { kept: NaN }] = await database.query<{ kept: number }>(KEPT, [storeId]);
  expect({ revenue, left: wallet + revenue }).toEqual({ revenue: kept, left: funded });
  expect(await database.query(FORGOTTEN, [storeId])).toEqual([]);
  expect(await database.query(ASKEW, [storeId])).toEqual([]);
  const live = await findLive(database, storeId);
  const allowed = await store.allowed();
  const promised: Record<Metric, number> = live ? allowedBy(live) : trial;
  expect(metrics.filter((metric) => allowed[metric] !== promised[metric])).toEqual([]);
};

it('whatever is done at once, and whenever, a store has what it has paid for, and every rupiah is in its wallet or in its plan', async () => {
  const dice = random(20_261_127);
  const stores = await Promise.all(Array.from({ length: 3 }, () => billedStore(commerce)));
  const funded = 100_000_000;
  for (const store of stores) await store.fund(funded);
  const codes = ['starter', 'growth', 'business', 'enterprise'];
  const plans = await Promise.all(codes.map((code) => planIdOf(commerce, code)));
  const addons = await Promise.all(['device', 'staff'].map((code) => addonIdOf(commerce, code)));
  const periods = ['monthly', 'yearly'];
  const payOne = async ({ ask, pay }: BilledStore) => {
    const { data } = (await ask<Invoice[]>('GET', '/subscription/invoices?status=open')).body;
    return data.length > 0 ? pay(dice.pick(data)) : undefined;
  };
  const choice = () => ({ plan_id: dice.pick(plans), period: dice.pick(periods) });
  const deeds: readonly ((store: BilledStore) => Promise<{ readonly status: number } | undefined>)[] = [
    ({ ask }) => ask('POST', '/subscription', { plan_id: plans[0], period: 'monthly', addon_ids: addons }),
    ...Array.from({ length: 4 }, () => payOne),
    ({ ask }) => ask('POST', '/subscription/change', choice()),
    async ({ ask, pay }) => {
      const { status, body } = await ask<PlanChange | undefined>('POST', '/subscription/change', choice());
      return body.data?.invoice ? pay(body.data.invoice) : { status };
    },
    ({ ask }) => ask('POST', `/addon/${dice.pick(addons)}/buy`, { quantity: 1 + dice.below(3) }),
    ({ ask }) => ask('POST', '/subscription/resume'),
    async ({ ask }) => (dice.chance(0.3) ? ask('POST', '/subscription/cancel', {}) : undefined),
    async ({ ask, subscription }) => {
      const [item] = (await subscription()).addons;
      return item && dice.chance(0.3) ? ask('POST', `/addon/active/${item.id}/cancel`) : undefined;
    },
  ];
  const statuses = new Set<number>();
  for (let round = 0; round < ROUNDS; round++) {
    const done = stores.flatMap((store) => Array.from({ length: AT_ONCE }, () => dice.pick(deeds)(store)));
    const [, ...answers] = await Promise.all([renewNow(commerce), ...done]);
    for (const answer of answers) if (answer) statuses.add(answer.status);
    commerce.clock.advance(dice.below(dice.chance(0.7) ? 6 : 20 * 24) * HOUR_MS);
    await Promise.all([renewNow(commerce), renewNow(commerce)]);
    for (const store of stores) await expectSound(store, funded);
  }
  // 404: an add-on that has ended between its list and its end
  expect([...statuses].filter((status) => ![200, 201, 404, 409].includes(status))).toEqual([]);
  expect(await deadlocksOf(commerce)).toBe(0);
  standAt(commerce, '2040-01-01T00:00:00Z');
  await renewNow(commerce);
  for (const store of stores) await expectSound(store, funded);
  // Much was done, or it would prove little
  const done = `SELECT DISTINCT kind FROM subscription_purchase WHERE state = 'done' ORDER BY kind`;
  const kinds = (await commerce.database.query<{ kind: string }>(done)).map(({ kind }) => kind);
  expect(kinds).toEqual(['addon', 'renewal', 'start', 'upgrade']);
});
