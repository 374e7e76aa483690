import { until } from '@platform/testing';
import { gatewayShop, type GatewayShop } from './features/gateways/gateways.fixture';
import type { OrderView } from './features/sales/orders/orders.dto';
import { toldAll, usePaidAtSandboxes } from './paid-at-sandboxes.fixture';

const all = usePaidAtSandboxes();

const press = (url: string | null, action: string) =>
  fetch(url ?? '', { method: 'POST', body: new URLSearchParams({ action }) });

const ended = (shop: GatewayShop, order: OrderView, status: string): Promise<OrderView> =>
  until(
    () => shop.now(order),
    ({ payment_status }) => payment_status === status,
  );

describe.each(['a', 'b', 'c'] as const)('an order that is paid at the sandbox of %s', (code) => {
  it('is paid when the buyer presses Pay, once, however often and in whatever order that is told', async () => {
    const shop = await gatewayShop(all.commerce);
    const order = await shop.sell(code);
    const { url, invoice_number } = await shop.payment(order);
    const page = await (await fetch(url ?? '')).text();
    expect(page).toContain(invoice_number);
    await press(url, 'fail');
    await press(url, 'pay');
    expect(await ended(shop, order, 'paid')).toMatchObject({ paid_total: 20_000 });
    const { till } = all.tills[code];
    const payment = till.named({ invoice: invoice_number });
    till.tell(payment);
    till.tell(payment);
    await toldAll(all.tills[code]);
    expect(till.sender.rows.filter(({ about }) => about === payment.id).map(({ answers }) => answers.at(-1))).toEqual(
      expect.not.arrayContaining([401, 404, 500]),
    );
    expect(await shop.postings()).toEqual([expect.stringContaining('order_paid')]);
  });

  it('is not paid by a notice that was tampered with', async () => {
    const shop = await gatewayShop(all.commerce);
    const order = await shop.sell(code);
    const { till } = all.tills[code];
    const payment = till.fail(till.named({ invoice: (await shop.payment(order)).invoice_number }));
    till.tell(payment, 'body');
    till.tell(payment, 'signature');
    await toldAll(all.tills[code]);
    await until(async () =>
      (await shop.events()).every(({ outcome }) => outcome !== 'asking' && outcome !== 'received'),
    );
    expect(['unpaid', 'pending', 'failed']).toContain((await shop.now(order)).payment_status);
    expect(await shop.postings()).toEqual([]);
  });

  it('is looked at by somebody when another amount came', async () => {
    const shop = await gatewayShop(all.commerce);
    const order = await shop.sell(code);
    await press((await shop.payment(order)).url, 'wrong');
    await until(async () => (await shop.payment(order)).review_reason === 'amount');
    expect(await shop.postings()).toEqual([]);
  });
});

it('no key, secret or token is in what the service wrote', () => {
  expect(all.lines.join('\n')).not.toContain('canary');
});
