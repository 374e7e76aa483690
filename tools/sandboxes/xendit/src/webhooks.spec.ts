import type { Json, RunningTill } from '@platform/sandbox-till';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startXenditSandbox } from './index';

const key = 'xnd_development_sandbox';
let running: RunningTill;
let hook: Server;
let got: { token: unknown; body: Json }[];
let tell: () => void;

beforeEach(async () => {
  [got, tell] = [[], () => undefined];
  hook = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Json;
      got.push({ token: request.headers['x-callback-token'], body });
      response.end();
      tell();
    });
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  const noticeUrl = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/api/pay_b/webhook`;
  running = await startXenditSandbox({ port: 0, accounts: [{ key, callback_token: 'token' }], noticeUrl });
});
afterEach(async () => {
  await running.close();
  hook.closeAllConnections();
  await new Promise((resolve) => hook.close(resolve));
});

const notices = async (count: number) => {
  while (got.length < count) await new Promise<void>((resolve) => (tell = resolve));
  return got;
};
const call = async (path: string, body: Json, headers: Record<string, string> = {}) => {
  const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
  const answer = await fetch(running.url + path, {
    ...{ method: 'POST', headers: { authorization, ...headers }, body: JSON.stringify(body) },
  });
  return (await answer.json()) as Json;
};

it('an invoice that is paid is told flat, with the token of the account; a failed try is not told', async () => {
  const { id } = await call('/v2/invoices', { external_id: 'INV-1-1', amount: 150_000 });
  const payment = running.till.named({ id });
  running.till.pay(running.till.fail(payment), { amount: 149_999 });
  expect(await notices(1)).toEqual([
    {
      token: 'token',
      body: {
        ...{ id, external_id: 'INV-1-1', user_id: expect.any(String), status: 'PAID', merchant_name: 'SANDBOX' },
        ...{ amount: 150_000, paid_amount: 149_999, adjusted_received_amount: 149_999, fees_paid_amount: 0 },
        ...{ description: '', currency: 'IDR', created: expect.any(String), updated: expect.any(String) },
        ...{ paid_at: expect.any(String), payment_method: 'BANK_TRANSFER', payment_channel: 'BCA', bank_code: 'BCA' },
      },
    },
  ]);
});

it('whoever knows the token can tell a lie: the tampered notice has it', async () => {
  const { id } = await call('/v2/invoices', { external_id: 'INV-1-1', amount: 150_000 });
  running.till.tell(running.till.named({ id }), 'body');
  expect(await notices(1)).toMatchObject([{ token: 'token', body: { id, status: 'PAID', paid_amount: 150_000 } }]);
  expect(running.till.named({ id }).status).toBe('pending');
});

it('a payout is told by its event', async () => {
  const asked = {
    ...{ reference_id: 'w1', channel_code: 'ID_BCA', amount: 1, currency: 'IDR' },
    channel_properties: { account_number: '1', account_holder_name: 'Siti' },
  };
  await call('/v2/payouts', asked, { 'idempotency-key': 'k1' });
  await call('/__sandbox/payout', { reference_id: 'w1', to: 'request' });
  await call('/__sandbox/payout', { reference_id: 'w1', to: 'fail', failure_code: 'REJECTED_BY_CHANNEL' });
  expect(await notices(1)).toMatchObject([
    {
      token: 'token',
      body: {
        event: 'payout.failed',
        data: { ...asked, status: 'FAILED', failure_code: 'REJECTED_BY_CHANNEL' },
      },
    },
  ]);
});
