// Orders that wait for somebody of the shop are told at home, and lead to the list of just those.
import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain } from '@platform/testing';
import { NOW, useCommerce } from '../../../commerce.fixture';
import { signedIn, type Browser } from '../../../web/browser.fixture';
import { orderShop } from '../../sales/orders/orders.fixture';
import { orderListing } from '../../sales/orders/public';
import { ALERTS, PROOFS } from './dashboard.sql';

const commerce = useCommerce();
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

/** Shown and not looked at: $1 store, $2 id, $3 order, $4 now. */
const PROOF = `INSERT INTO transfer_proof (store_id, id, order_id, media_id, status, created_at, updated_at)
  VALUES ($1, $2, $3, $2, 'pending', $4, $4)`;

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
  const show = (orderId: string) => commerce.database.query(PROOF, [shop.storeId, uuidv7(), orderId, NOW]);
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

it('as many orders are told as their list shows, whatever has become of the others', async () => {
  const shop = await orderShop(commerce, 100);
  const [waits, partly, cancelled, paid] = await Promise.all([1, 2, 3, 4].map(() => shop.place(shop.cart(2))));
  await shop.pay(partly?.id ?? '', { amount: 5_000 });
  await shop.ask('POST', `/order/${cancelled?.id}/cancel`, { reason: 'Batal' });
  await shop.pay(paid?.id ?? '');
  const looked = `UPDATE sales_order SET payment_status = 'review', review_reason = 'overpaid' WHERE store_id = $1 AND id = $2`;
  await commerce.database.query(looked, [shop.storeId, paid?.id]);
  const { browser } = await signedIn(commerce, 'admin', shop.storeId);
  expect(await tasksOf(browser)).toEqual(['/orders?view=unpaid: 2', '/orders?view=review: 1']);
  expect((await numbersOn(browser, '/orders?view=unpaid')).toSorted()).toEqual([waits?.id, partly?.id].toSorted());
  expect(await numbersOn(browser, '/orders?view=review')).toEqual([paid?.id]);
});

it('a proof is told where it can be decided on: of who paid too late, and of none that is paid otherwise', async () => {
  const shop = await orderShop(commerce, 100);
  const { browser } = await signedIn(commerce, 'admin', shop.storeId);
  const order = await shop.place(shop.cart(1));
  const proof = new FormData();
  proof.append('file', new Blob([new Uint8Array(PNG)]), 'transfer.png');
  expect((await shop.ask('POST', `/order/${order.id}/payment_proof`, proof)).status).toBe(201);
  const lapse = `UPDATE sales_order SET status = 'cancelled', payment_status = 'expired' WHERE store_id = $1 AND id = $2`;
  await commerce.database.query(lapse, [shop.storeId, order.id]);
  const decides = async () => (await browser.get(`/orders/${order.id}`)).text.includes('value="approve"');
  expect([await tasksOf(browser), await decides()]).toEqual([['/orders?proof=pending: 1'], true]);
  // Somebody has seen the money, and written it down without the proof
  await shop.pay(order.id);
  expect([await tasksOf(browser), await decides()]).toEqual([['/orders?view=to_ship: 1'], false]);
});

it('an order for which another sum came than was asked for is told at home, and says so itself', async () => {
  const shop = await orderShop(commerce, 100);
  const [order] = [await shop.place(shop.cart(1)), await shop.place(shop.cart(1))];
  const aside = `INSERT INTO payment (store_id, id, order_id, attempt, request_id, provider, amount, currency, status, review_reason, created_at, updated_at)
    VALUES ($1, $2, $3, 1, $2, 'a', 10000, 'IDR', 'pending', 'amount', $4, $4)`;
  await commerce.database.query(aside, [shop.storeId, uuidv7(), order.id, NOW]);
  const { browser } = await signedIn(commerce, 'admin', shop.storeId);
  expect(await tasksOf(browser)).toEqual(['/orders?view=unpaid: 2', '/orders?view=review: 1']);
  expect(await numbersOn(browser, '/orders?view=review')).toEqual([order.id]);
  expect((await browser.get(`/orders/${order.id}`)).text).toContain('Uang yang masuk tidak sama dengan tagihannya');
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

it('what is to be looked at is counted and listed by index', async () => {
  const listed = Object.values(orderListing.statements('S1', { view: 'review', seen: undefined }));
  for (const { text, values } of [{ text: ALERTS, values: ['S1', NOW, null, null] }, ...listed])
    expectNoSeqScan(await explain(commerce.database, text, values), 'sales_order', 'payment');
});
