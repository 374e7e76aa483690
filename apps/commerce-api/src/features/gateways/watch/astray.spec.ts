// A process whose clock is days off looks at payments among others that are right.
import { until, useRunning } from '@platform/testing';
import { jobQueue } from '../../../jobs';
import type { Mood } from '../desk.fixture';
import { gatewayShop, startDesks, type GatewayShop } from '../gateways.fixture';

const DAY_MS = 86_400_000;
const commerce = useRunning(() => startDesks({}, new Date().toISOString()));

const LEFT = `SELECT 1 FROM commerce_api_jobs._private_jobs j JOIN commerce_api_jobs._private_tasks t ON t.id = j.task_id
  WHERE t.identifier LIKE 'payment.%'`;
/** A payment of which nobody has heard, and whose turn it is. */
const waiting = async (shop: GatewayShop): Promise<string> => {
  const { id } = await shop.payment(await shop.sell('b'));
  await commerce.database.query('UPDATE payment SET poll_at = now() WHERE id = $1', [id]);
  return id;
};
const standing = (id: string) =>
  commerce.database.query(`SELECT status, poll_at < now() + interval '1 hour' AS soon FROM payment WHERE id = $1`, [
    id,
  ]);

it.each<[Mood, string]>([
  ['good', 'knows of no money'],
  ['down', 'says nothing'],
])(
  '%s: a payment of which its provider %s ends by no clock that is days ahead, and is asked about soon',
  async (mood) => {
    const shop = await gatewayShop(commerce);
    const [found, given] = [await waiting(shop), await waiting(shop)];
    commerce.desks.b.mood = mood;
    commerce.clock.advance(3 * DAY_MS);
    await jobQueue().enqueue(commerce.database, 'payment.reconcile', {}, { key: 'now' });
    await jobQueue().enqueue(commerce.database, 'payment.confirm.b', { storeId: shop.storeId, paymentId: given });
    await until(async () => (await commerce.database.query(LEFT)).length === 0);
    commerce.clock.advance(-3 * DAY_MS);
    commerce.desks.b.mood = 'good';
    expect([await standing(found), await standing(given)]).toEqual([
      [{ status: 'pending', soon: true }],
      [{ status: 'pending', soon: true }],
    ]);
  },
);
