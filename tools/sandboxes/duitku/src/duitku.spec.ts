import type { Json, RunningTill } from '@platform/sandbox-till';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startDuitkuSandbox } from './index';
import { callbackSignature, createSignature, statusSignature } from './signature';

const [merchant, key] = ['DS12345', 'test-secret'];
let running: RunningTill;
let hook: Server;
let got: { type: unknown; form: Record<string, string> }[];
let tell: () => void;

beforeEach(async () => {
  [got, tell] = [[], () => undefined];
  hook = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
      got.push({ type: request.headers['content-type'], form });
      response.end();
      tell();
    });
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  running = await startDuitkuSandbox({ port: 0, accounts: [{ merchant, key }] });
});
afterEach(async () => {
  await running.close();
  hook.closeAllConnections();
  await new Promise((resolve) => hook.close(resolve));
});

const post = async (path: string, body: Json, headers: Record<string, string> = {}) => {
  const answer = await fetch(running.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return [answer.status, (await answer.json()) as Json] as const;
};
const create = (change: Json = {}, headers: Record<string, string> = {}) => {
  const timestamp = String(Date.now());
  const callbackUrl = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/api/pay_c/callback`;
  return post(
    '/api/merchant/createInvoice',
    { paymentAmount: 150_000, merchantOrderId: 'INV-1-1', productDetails: 'Kopi', callbackUrl, ...change },
    {
      ...{ 'x-duitku-merchantcode': merchant, 'x-duitku-timestamp': timestamp },
      ...{ 'x-duitku-signature': createSignature(merchant, timestamp, key), ...headers },
    },
  );
};
const status = (order: string, signature = statusSignature(merchant, order, key)) =>
  post('/api/merchant/transactionStatus', { merchantCode: merchant, merchantOrderId: order, signature });

it('an invoice is answered whole, and the same order again is the same invoice', async () => {
  const first = await create();
  const [payment] = running.till.payments();
  expect(first).toEqual([
    200,
    {
      ...{ merchantCode: merchant, reference: payment?.id, paymentUrl: `${running.url}/pay/${payment?.id}` },
      ...{ amount: '150000', statusCode: '00', statusMessage: 'SUCCESS' },
    },
  ]);
  expect(await create()).toEqual(first);
});

it.each([
  [401, {}, { 'x-duitku-signature': 'wrong' }],
  [401, {}, { 'x-duitku-timestamp': '1795157100000' }],
  [404, {}, { 'x-duitku-merchantcode': 'D2' }],
  [400, { paymentAmount: 9_999 }, {}],
  [400, { merchantOrderId: 'x'.repeat(51) }, {}],
])('is refused with %s: %j %j', async (expected, change, headers) => {
  expect((await create(change, headers))[0]).toBe(expected);
  expect(running.till.payments()).toEqual([]);
});

it('the status is told to who signs for it, amounts as texts', async () => {
  await create();
  const [{ reference }] = [(await create())[1]];
  const row = { merchantOrderId: 'INV-1-1', reference, amount: '150000', fee: '0.00' };
  expect(await status('INV-1-1')).toEqual([200, { ...row, statusCode: '01', statusMessage: 'PROCESS' }]);
  running.till.pay(running.till.named({ invoice: 'INV-1-1' }));
  expect(await status('INV-1-1')).toEqual([200, { ...row, statusCode: '00', statusMessage: 'SUCCESS' }]);
  expect([(await status('INV-1-1', 'x'))[0], (await status('INV-2'))[0], (await create())[0]]).toEqual([401, 404, 409]);
});

it('a callback is a form whose signature stays good when its result is changed', async () => {
  await create();
  const payment = running.till.fail(running.till.named({ invoice: 'INV-1-1' }));
  while (got.length < 1) await new Promise<void>((resolve) => (tell = resolve));
  running.till.tell(payment, 'body');
  while (got.length < 2) await new Promise<void>((resolve) => (tell = resolve));
  running.till.tell(payment, 'signature');
  while (got.length < 3) await new Promise<void>((resolve) => (tell = resolve));
  const good = callbackSignature(merchant, '150000', 'INV-1-1', key);
  expect(got.map(({ form }) => [form.resultCode, form.signature === good])).toEqual([
    ['01', true],
    ['00', true],
    ['01', false],
  ]);
  expect(got[0]).toMatchObject({
    type: 'application/x-www-form-urlencoded',
    form: { merchantCode: merchant, amount: '150000', merchantOrderId: 'INV-1-1', reference: payment.id },
  });
});
