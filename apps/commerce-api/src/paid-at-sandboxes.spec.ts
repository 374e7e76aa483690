import { startDokuSandbox, startDuitkuSandbox, startXenditSandbox, type RunningTill } from '@platform/testing/gateways';
import { until, useRunning } from '@platform/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startCommerce, type Commerce } from './commerce.fixture';
import { gatewayShop, type GatewayShop } from './features/gateways/gateways.fixture';
import type { GatewayCode } from './features/gateways/port';
import type { OrderView } from './features/sales/orders/orders.dto';

// The service with the clients of production, on servers that speak the wire formats of the providers

const DOKU = { client_id: 'MCH-0001', secret: 'canary-secret-a' };
const XENDIT = { key: 'canary-key-b', callback_token: 'canary-token-b' };
const DUITKU = { merchant: 'DS12345', key: 'canary-key-c' };

/** Of one connection, not of the message. */
const HOPS = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive']);

const read = async (body: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Where providers find the shop before it has an address: an ingress, below a path that the shop does not see. */
const startIngress = async () => {
  let target = '';
  const server: Server = createServer((request, response) => {
    void read(request).then(async (body) => {
      const headers = Object.entries(request.headers as Record<string, string>).filter(([name]) => !HOPS.has(name));
      const path = (request.url ?? '').replace('/shop', '');
      const answer = await fetch(target + path, { method: 'POST', headers, body: new Uint8Array(body) });
      response.writeHead(answer.status).end(await answer.text());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/shop`,
    leadsTo: (url: string) => void (target = url),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const startAll = async () => {
  const ingress = await startIngress();
  // A minute of the ladder is nothing: what is refused is told again at once, and given up
  const ladder = { port: 0, minuteMs: 0 };
  const tills: Readonly<Record<GatewayCode, RunningTill>> = {
    a: await startDokuSandbox({ ...ladder, accounts: [DOKU] }),
    b: await startXenditSandbox({ ...ladder, accounts: [XENDIT], noticeUrl: `${ingress.url}/api/pay_b/webhook` }),
    c: await startDuitkuSandbox({ ...ladder, accounts: [DUITKU] }),
  };
  const commerce: Commerce = await startCommerce(
    {
      ...{ PAY_A_BASE_URL: tills.a.url, PAY_A_CLIENT_ID: DOKU.client_id, PAY_A_SECRET: DOKU.secret },
      ...{ PAY_A_PUBLIC_URL: ingress.url, PAY_C_PUBLIC_URL: ingress.url, PAY_B_CONFIRM: 'true' },
      ...{ PAY_B_BASE_URL: tills.b.url, PAY_B_KEY: XENDIT.key, PAY_B_CALLBACK_TOKEN: XENDIT.callback_token },
      ...{ PAY_C_BASE_URL: tills.c.url, PAY_C_MERCHANT: DUITKU.merchant, PAY_C_KEY: DUITKU.key },
    },
    new Date().toISOString(),
  );
  ingress.leadsTo(commerce.url);
  const stop = async () => {
    await Promise.all(Object.values(tills).map((till) => till.close()));
    await commerce.stop();
    await ingress.stop();
  };
  return { ...commerce, commerce, tills, stop };
};

const all = useRunning(startAll);

const press = (url: string | null, action: string) =>
  fetch(url ?? '', { method: 'POST', body: new URLSearchParams({ action }) });

const ended = (shop: GatewayShop, order: OrderView, status: string): Promise<OrderView> =>
  until(
    () => shop.now(order),
    ({ payment_status }) => payment_status === status,
  );

/** Until it has delivered what it has to tell. */
const toldAll = (code: GatewayCode) =>
  until(() => all.tills[code].till.sender.rows.every(({ dueAt }) => dueAt === null));

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
    await toldAll(code);
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
    await toldAll(code);
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
