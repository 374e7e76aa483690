// Orders that wait for somebody of the shop are told at home, and lead to the list of just those.
import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain } from '@platform/testing';
import { NOW, useCommerce } from '../../../commerce.fixture';
import { signedIn, type Browser } from '../../../web/browser.fixture';
import { orderShop } from '../../sales/orders/orders.fixture';
import { PROOFS } from './dashboard.sql';

const commerce = useCommerce();

const tasksOf = async (browser: Browser): Promise<readonly string[]> => {
  const { text } = await browser.get('/dashboard');
  const tasks = text.matchAll(/<a ([^>]*class="task-row"[^>]*)>.*?class="task-count">([^<]*)</gs);
  return [...tasks].map(([, link = '', count = '']) => `${/href="([^"]*)"/.exec(link)?.[1]}: ${count}`);
};
const numbersOn = async (browser: Browser, path: string): Promise<readonly string[]> => [
  ...new Set([...(await browser.get(path)).text.matchAll(/\/orders\/([\da-f-]{36})"/g)].map(([, id = '']) => id)),
];

it('home tells of proofs to check and of orders to ship, to whoever does that, and leads to them', async () => {
  const shop = await orderShop(commerce, 100);
  const place = () => shop.place({ ...shop.cart(1), address: { line: 'Jl. Dago 1', city: 'Bandung' } });
  const [shown, paid, cancelled] = [await place(), await place(), await place()];
  const show = (orderId: string) =>
    commerce.database.query(
      `INSERT INTO transfer_proof (store_id, id, order_id, media_id, status, created_at, updated_at) VALUES ($1, $2, $3, $2, 'pending', $4, $4)`,
      [shop.storeId, uuidv7(), orderId, NOW],
    );
  for (const { id } of [shown, shown, cancelled]) await show(id);
  await shop.ask('POST', `/order/${cancelled.id}/cancel`, { reason: 'Batal' });
  await shop.pay(paid.id);
  const { browser: admin } = await signedIn(commerce, 'admin', shop.storeId);
  const { browser: packer } = await signedIn(commerce, 'warehouse', shop.storeId);
  const [proofs, toShip] = ['/orders?proof=pending', '/orders?view=to_ship'];
  expect(await tasksOf(admin)).toEqual([`${proofs}: 1`, `${toShip}: 1`, '/orders?view=unpaid: 1']);
  expect(await tasksOf(packer)).toEqual([`${toShip}: 1`, '/orders?view=unpaid: 1']);
  expect([await numbersOn(admin, proofs), await numbersOn(admin, toShip)]).toEqual([[shown.id], [paid.id]]);
  // Who paid too late waits as well
  const lapse = `UPDATE sales_order SET status = 'cancelled', payment_status = 'expired' WHERE store_id = $1 AND id = $2`;
  await commerce.database.query(lapse, [shop.storeId, shown.id]);
  expect(await numbersOn(admin, proofs)).toEqual([shown.id]);
  await commerce.database.query(`UPDATE transfer_proof SET status = 'approved' WHERE store_id = $1`, [shop.storeId]);
  expect((await tasksOf(admin))[0]).toBe(`${toShip}: 1`);
});

it('each number of orders at home is that of the list it leads to', async () => {
  const shop = await orderShop(commerce, 100);
  const stand = async (status: string, payment: string) => {
    const { id } = await shop.place(shop.cart(1));
    const change = 'UPDATE sales_order SET status = $3, payment_status = $4 WHERE store_id = $1 AND id = $2';
    await commerce.database.query(change, [shop.storeId, id, status, payment]);
  };
  for (const payment of ['unpaid', 'pending', 'partially_paid']) await stand('open', payment);
  for (const status of ['open', 'cancelled', 'completed']) await stand(status, 'review');
  await stand('cancelled', 'unpaid');
  const { browser } = await signedIn(commerce, 'admin', shop.storeId);
  const rows = (await tasksOf(browser)).map((row) => row.split(': ') as [string, string]);
  expect(rows).toEqual([
    ['/orders?view=unpaid', '3'],
    ['/orders?view=review', '2'],
  ]);
  for (const [path, count] of rows) expect([path, `${(await numbersOn(browser, path)).length}`]).toEqual([path, count]);
});

it('proofs to check are counted by index', async () =>
  expectNoSeqScan(await explain(commerce.database, PROOFS, ['S1', null]), 'sales_order', 'transfer_proof'));
