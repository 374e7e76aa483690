import type { Json, RunningTill } from '@platform/sandbox-till';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startDokuSandbox } from './index';
import { signatureOf, timestampOf } from './signature';

const ACCOUNT = { client_id: 'MCH-0001', secret: 'test-secret' };
const CREATE = '/checkout/v1/payment';
let running: RunningTill;
let hook: Server;
let got: { headers: IncomingHttpHeaders; body: string; path: string }[];
let tell: () => void;

beforeEach(async () => {
  [got, tell] = [[], () => undefined];
  hook = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      got.push({ headers: request.headers, body: Buffer.concat(chunks).toString(), path: request.url ?? '' });
      response.end();
      tell();
    });
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  running = await startDokuSandbox({ port: 0, accounts: [ACCOUNT] });
});
afterEach(async () => {
  await running.close();
  hook.closeAllConnections();
  await new Promise((resolve) => hook.close(resolve));
});

const hookUrl = (): string => `http://127.0.0.1:${(hook.address() as AddressInfo).port}/shop/api/pay_a/notification`;

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly body?: Json;
  readonly requestId?: string;
  /** Instead of what is right. */
  readonly change?: Record<string, string>;
}

const ask = async ({ method = 'POST', path = CREATE, body, requestId = 'req-1', change = {} }: Asked) => {
  const timestamp = timestampOf(new Date());
  const text = body && JSON.stringify(body);
  const signed = { clientId: ACCOUNT.client_id, requestId, timestamp, target: path, body: text };
  const headers = {
    ...{ 'Client-Id': ACCOUNT.client_id, 'Request-Id': requestId, 'Request-Timestamp': timestamp },
    ...{ Signature: signatureOf(signed, ACCOUNT.secret), ...change },
  };
  const answer = await fetch(running.url + path, { method, headers, body: text });
  return { status: answer.status, sandbox: answer.headers.get('x-sandbox'), json: (await answer.json()) as Json };
};

const checkout = (change: Json = {}): Json => ({
  order: { invoice_number: 'INV-1-1', amount: 150_000, ...change },
  payment: { payment_due_date: 30 },
  additional_info: { override_notification_url: hookUrl() },
});

describe('a checkout', () => {
  it('is answered whole, and with the same body and 409 under the same Request-Id', async () => {
    const first = await ask({ body: checkout() });
    const [payment] = running.till.payments();
    expect(first).toEqual({
      ...{ status: 200, sandbox: 'true' },
      json: {
        message: ['SUCCESS'],
        response: {
          order: { invoice_number: 'INV-1-1', amount: 150_000, currency: 'IDR', session_id: payment?.id },
          payment: {
            ...{ payment_method_types: [], payment_due_date: 30, token_id: payment?.id },
            ...{ url: `${running.url}/pay/${payment?.id}`, expired_date: expect.stringMatching(/^\d{14}$/) },
            expired_datetime: expect.stringMatching(/Z$/),
          },
          ...{ customer: {}, additional_info: { override_notification_url: hookUrl() }, uuid: expect.any(String) },
          headers: { request_id: 'req-1', date: expect.any(String), client_id: 'MCH-0001' },
        },
      },
    });
    const again = await ask({ body: checkout({ amount: 5 }) });
    expect([again.status, again.json]).toEqual([409, first.json]);
    expect(running.till.payments()).toHaveLength(1);
  });

  it.each([
    ['the signature', { Signature: 'HMACSHA256=AAAA' }, 401, 'invalid_signature'],
    ['another Request-Id than was signed', { 'Request-Id': 'req-2' }, 401, 'invalid_signature'],
    ['another time than was signed', { 'Request-Timestamp': '2026-11-20T07:00:00Z' }, 401, 'invalid_signature'],
    ['a time with milliseconds', { 'Request-Timestamp': '2026-11-20T07:00:00.000Z' }, 400, 'invalid_timestamp'],
    ['a client that nobody knows', { 'Client-Id': 'MCH-9' }, 401, 'invalid_client_id'],
    ['a Request-Id of 129', { 'Request-Id': 'x'.repeat(129) }, 400, 'invalid_request_id'],
  ])('is refused for %s', async (_, change, status, code) => {
    expect(await ask({ body: checkout(), change })).toMatchObject({ status, json: { error: { code } } });
    expect(running.till.payments()).toEqual([]);
  });

  it.each([{ amount: 0 }, { amount: 1.5 }, { amount: 1e12 }, { invoice_number: '' }, { currency: 'USD' }])(
    'is refused with %j',
    async (change) => {
      expect(await ask({ body: checkout(change) })).toMatchObject({ status: 400 });
    },
  );

  it('is refused with a number that was used before', async () => {
    await ask({ body: checkout() });
    expect(await ask({ body: checkout(), requestId: 'req-2' })).toMatchObject({
      ...{ status: 400, json: { error: { code: 'duplicate_invoice_number' } } },
    });
  });
});

describe('its status', () => {
  it('is found by its number and by its Request-Id, signed without a digest', async () => {
    await ask({ body: checkout() });
    const asked = { method: 'GET', requestId: 'req-9' };
    const { json } = await ask({ ...asked, path: '/orders/v1/status/INV-1-1' });
    expect(json).toMatchObject({
      ...{ order: { invoice_number: 'INV-1-1', amount: 150_000 } },
      transaction: { status: 'PENDING', original_request_id: 'req-1' },
    });
    expect((await ask({ ...asked, path: '/orders/v1/status/req-1' })).json).toEqual(json);
    expect((await ask({ ...asked, path: '/orders/v1/status/nobody' })).status).toBe(404);
  });
});

it('a notice is signed over our own path, and tampering spoils that', async () => {
  await ask({ body: checkout() });
  const payment = running.till.named({ invoice: 'INV-1-1' });
  running.till.pay(payment, { channel: 'VIRTUAL_ACCOUNT_BCA' });
  while (got.length < 1) await new Promise<void>((resolve) => (tell = resolve));
  running.till.tell(payment, 'body');
  while (got.length < 2) await new Promise<void>((resolve) => (tell = resolve));
  const verdicts = got.map(({ headers, body, path: target }) => {
    const [requestId, timestamp] = [String(headers['request-id']), String(headers['request-timestamp'])];
    const signed = { clientId: 'MCH-0001', requestId, timestamp, target, body };
    return headers.signature === signatureOf(signed, ACCOUNT.secret);
  });
  expect(verdicts).toEqual([true, false]);
  expect(JSON.parse(got[0]?.body ?? '')).toEqual({
    order: { invoice_number: 'INV-1-1', amount: 150_000 },
    customer: {},
    transaction: {
      ...{ type: 'SALE', status: 'SUCCESS', date: expect.stringMatching(/^\d{4}.*\dZ$/), original_request_id: 'req-1' },
    },
    ...{ service: { id: 'VIRTUAL_ACCOUNT' }, acquirer: { id: 'BCA' }, channel: { id: 'VIRTUAL_ACCOUNT_BCA' } },
  });
});
