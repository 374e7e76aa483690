import { httpClient } from '@platform/http';
import { startDokuSandbox, startDuitkuSandbox, startXenditSandbox } from '@platform/testing/gateways';
import { useOpened } from '@platform/testing';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GatewayClient } from '../features/gateways/port';
import { newCheckout } from './gateway.contract';
import { dokuClient } from './pay-a.doku';
import { xenditClient } from './pay-b.xendit';
import { duitkuClient } from './pay-c.duitku';
import { providerLine, type ProviderLine } from './provider.call';

const opened = useOpened();
const publicUrl = 'https://pay.example';
const DOKU = { client_id: 'MCH-0001', secret: 'test-secret' };
const XENDIT = { key: 'xnd_development_k', callback_token: 'token' };
const DUITKU = { merchant: 'DS12345', key: 'test-secret' };

const lineTo = (url: string): ProviderLine => {
  const http = httpClient('provider', url);
  opened({ stop: () => http.stop?.() });
  return providerLine('provider', http);
};

interface Seen {
  readonly path: string;
  readonly body: unknown;
}

/** A provider that answers everything with these, one after the other, the last for ever. */
const scripted = async (...answers: readonly (readonly [number, unknown])[]) => {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [status, body] = answers[Math.min(seen.length, answers.length - 1)] ?? [500, {}];
      const text = Buffer.concat(chunks).toString();
      seen.push({ path: request.url ?? '', body: text ? (JSON.parse(text) as unknown) : undefined });
      response.writeHead(status).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened({
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
  return { line: lineTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), seen };
};

const nonsense = { kind: 'upstreamFailed', outcome: 'unknown' };
const refused = { kind: 'upstreamFailed', outcome: 'refused' };

const CLIENTS: readonly [string, (line: ProviderLine) => GatewayClient, string][] = [
  ['A', (line) => dokuClient({ line, publicUrl }, DOKU), 'payment.url'],
  ['B', (line) => xenditClient({ line }, XENDIT), 'invoice_url'],
  ['C', (line) => duitkuClient({ line, publicUrl }, DUITKU), 'paymentUrl'],
];

describe.each(CLIENTS)('%s', (code, clientOf) => {
  it.each([
    ['an error', { message: ['FAIL'], error: { code: 'x' } }],
    ['null', null],
    ['a list', [1]],
    ['a text', 'OK'],
    [
      'an address that runs',
      { payment: { url: 'javascript:alert(1)' }, id: 'i', invoice_url: 'javascript:1', paymentUrl: 'data:,x' },
    ],
  ])('that answers a new checkout with 200 and %s has perhaps taken it', async (_, body) => {
    const { line } = await scripted(...(code === 'B' ? ([[200, []]] as const) : []), [200, body]);
    await expect(clientOf(line).create(newCheckout())).rejects.toMatchObject(nonsense);
  });

  it.each<[string, string, unknown, string | undefined]>([
    ['of another order', 'INV-2', 1, 'SUCCESS'],
    ['without an amount', 'INV-1', undefined, 'SUCCESS'],
    ['in halves of a rupiah', 'INV-1', '1.5', 'SUCCESS'],
    ['without a status', 'INV-1', 1, undefined],
  ])('that tells the status %s tells nothing', async (_, number, amount, status) => {
    const flat = { id: 'i', external_id: number, merchantOrderId: number, amount };
    const words = { status: status && 'PAID', statusCode: status && '00' };
    const nested = { order: { invoice_number: number, amount }, transaction: { status } };
    const told = { ...nested, ...flat, ...words };
    const { line } = await scripted(...(code === 'B' ? ([[200, []]] as const) : []), [200, told]);
    await expect(clientOf(line).status('INV-1', 'i')).rejects.toMatchObject(nonsense);
  });
});

describe('credentials that are not those of the account', () => {
  const accounts = { doku: [DOKU], xendit: [XENDIT], duitku: [DUITKU] };

  it.each([
    [
      'A, another secret',
      () => startDokuSandbox({ port: 0, accounts: accounts.doku }),
      (line: ProviderLine) => dokuClient({ line, publicUrl }, { ...DOKU, secret: 'other' }),
    ],
    [
      'A, another client',
      () => startDokuSandbox({ port: 0, accounts: accounts.doku }),
      (line: ProviderLine) => dokuClient({ line, publicUrl }, { ...DOKU, client_id: 'MCH-2' }),
    ],
    [
      'B, another key',
      () => startXenditSandbox({ port: 0, accounts: accounts.xendit }),
      (line: ProviderLine) => xenditClient({ line }, { ...XENDIT, key: 'other' }),
    ],
    [
      'C, another key',
      () => startDuitkuSandbox({ port: 0, accounts: accounts.duitku }),
      (line: ProviderLine) => duitkuClient({ line, publicUrl }, { ...DUITKU, key: 'other' }),
    ],
    [
      'C, another merchant',
      () => startDuitkuSandbox({ port: 0, accounts: accounts.duitku }),
      (line: ProviderLine) => duitkuClient({ line, publicUrl }, { ...DUITKU, merchant: 'D2' }),
    ],
  ])('are refused: %s', async (_, start, clientOf) => {
    const running = await start();
    opened({ stop: () => running.close() });
    const client = clientOf(lineTo(running.url));
    await expect(client.create(newCheckout())).rejects.toMatchObject(refused);
    expect(running.till.payments()).toEqual([]);
  });
});

describe('what a provider is asked', () => {
  const checkout = newCheckout({
    ...{ requestId: 'req-1', invoiceNumber: 'INV-1-1', notifyPath: '/api/pay_a/checkout-notification' },
    ...{ expiresAt: new Date(Date.now() + 3_630_000), channels: ['BCA'] },
  });

  it('A: whole rupiah, lines in its letters, where its notice goes', async () => {
    const { line, seen } = await scripted([
      409,
      { response: { payment: { url: 'https://doku.example/x', token_id: 't' } } },
    ]);
    const answer = await dokuClient({ line, publicUrl }, DOKU).create(checkout);
    expect(answer).toEqual({ url: 'https://doku.example/x', ref: 't', expiresAt: checkout.expiresAt });
    expect(seen).toEqual([
      {
        path: '/checkout/v1/payment',
        body: {
          order: {
            ...{ amount: 150_000, invoice_number: 'INV-1-1', currency: 'IDR', auto_redirect: true },
            ...{ callback_url: 'https://toko.example/pay/t', callback_url_result: 'https://toko.example/pay/t' },
            line_items: [
              { name: 'Kopi    Gayo', quantity: 2, price: 50_000 },
              { name: 'Teh', quantity: 1, price: 50_000 },
            ],
          },
          payment: { payment_due_date: 60, payment_method_types: ['BCA'] },
          customer: { name: 'Ibu Siti  ', phone: '628123456789' },
          additional_info: { override_notification_url: 'https://pay.example/api/pay_a/checkout-notification' },
        },
      },
    ]);
  });

  it('B: whether it has the invoice, and then for one', async () => {
    const told = { id: 'i1', invoice_url: 'https://xendit.example/i1', expiry_date: '2026-11-20T08:00:00.000Z' };
    const { line, seen } = await scripted([200, []], [200, told]);
    const answer = await xenditClient({ line }, XENDIT).create(checkout);
    expect(answer).toEqual({ url: told.invoice_url, ref: 'i1', expiresAt: new Date('2026-11-20T08:00:00Z') });
    expect(seen).toEqual([
      { path: '/v2/invoices?external_id=INV-1-1', body: undefined },
      {
        path: '/v2/invoices/',
        body: {
          ...{ external_id: 'INV-1-1', amount: 150_000, currency: 'IDR', description: 'Pesanan 🛒 Anda' },
          ...{ invoice_duration: 3_600, payment_methods: ['BCA'] },
          customer: { given_names: 'Ibu Siti é', mobile_number: '+628123456789' },
          ...{ success_redirect_url: 'https://toko.example/pay/t', failure_redirect_url: 'https://toko.example/pay/t' },
          items: [
            { name: 'Kopi 🛒 Gayo', quantity: 2, price: 50_000 },
            { name: 'Teh', quantity: 1, price: 50_000 },
          ],
        },
      },
    ]);
  });

  it('C: an address of a buyer who has none, and totals of lines', async () => {
    const { line, seen } = await scripted([
      200,
      { statusCode: '00', paymentUrl: 'https://duitku.example/x', reference: 'r' },
    ]);
    await duitkuClient({ line, publicUrl }, DUITKU).create(checkout);
    expect(seen).toEqual([
      {
        path: '/api/merchant/createInvoice',
        body: {
          ...{
            paymentAmount: 150_000,
            merchantOrderId: 'INV-1-1',
            productDetails: 'Pesanan 🛒 Anda',
            expiryPeriod: 60,
          },
          ...{ email: 'no-reply@pay.example', phoneNumber: '+628123456789', customerVaName: 'Ibu Siti é' },
          ...{ callbackUrl: 'https://pay.example/api/pay_c/callback', returnUrl: 'https://toko.example/pay/t' },
          paymentMethod: 'BCA',
          itemDetails: [
            { name: 'Kopi 🛒 Gayo', quantity: 2, price: 100_000 },
            { name: 'Teh', quantity: 1, price: 50_000 },
          ],
        },
      },
    ]);
  });

  it('C says no in a 200', async () => {
    const { line } = await scripted([
      200,
      { statusCode: '-100', statusMessage: 'no', paymentUrl: 'https://x.example' },
    ]);
    await expect(duitkuClient({ line, publicUrl }, DUITKU).create(checkout)).rejects.toMatchObject(refused);
  });

  it.each(['A', 'C'])('%s is not asked for anything but rupiah', async (name) => {
    const { line, seen } = await scripted([200, {}]);
    const [, clientOf] = CLIENTS.find(([each]) => each === name) ?? [];
    await expect(clientOf?.(line).create({ ...checkout, currency: 'USD' })).rejects.toMatchObject(refused);
    expect(seen).toEqual([]);
  });

  it('B: of two invoices of one number the paid one is told, whichever we know', async () => {
    const row = { external_id: 'INV-1', amount: 5_000, currency: 'IDR' };
    const paid = { ...row, id: 'i1', status: 'PAID', paid_amount: 5_000, paid_at: '2026-11-20T07:00:00Z' };
    const { line } = await scripted([200, [{ ...row, id: 'i2', status: 'PENDING' }, paid]]);
    expect(await xenditClient({ line }, XENDIT).status('INV-1', 'i2')).toMatchObject({ state: 'paid', ref: 'i1' });
  });

  it('B: a payout of which it says that its key was used before is perhaps made', async () => {
    const { line } = await scripted([409, { error_code: 'DUPLICATE_ERROR' }]);
    const payout = {
      id: 'w1',
      amount: 1,
      currency: 'IDR',
      bankCode: 'BCA',
      number: '1',
      holder: 'x',
      description: 'x',
    };
    await expect(xenditClient({ line }, XENDIT).payout?.(payout)).rejects.toMatchObject(nonsense);
  });

  it('B: a payout under another reference is not ours', async () => {
    const { line } = await scripted([200, { id: 'disb-1', reference_id: 'w2', status: 'ACCEPTED' }]);
    const payout = {
      id: 'w1',
      amount: 1,
      currency: 'IDR',
      bankCode: 'BCA',
      number: '1',
      holder: 'x',
      description: 'x',
    };
    await expect(xenditClient({ line }, XENDIT).payout?.(payout)).rejects.toMatchObject(nonsense);
  });
});
