import { useRunning } from '@platform/testing';
import { startXenditSandbox } from '@platform/testing/gateways';
import { askDocumented, invalid, ownStore, refused, type OwnStore } from '../../../asked.fixture';
import { bearer, startCommerce, type Commerce } from '../../../commerce.fixture';
import { settlePayment } from '../../sales/payments/public';
import { auditLedger } from '../../ledger/postings/public';
import { startSecondProcess } from '../../../second-process.fixture';
import { heldBy } from '../wallet.fixture';
import type { Topup } from './topups.dto';

const ACCOUNT = { key: 'xnd_development_k', callback_token: 'token-of-callbacks' };
const sandbox = useRunning(async () => {
  const running = await startXenditSandbox({ port: 0, accounts: [ACCOUNT] });
  return { ...running, stop: () => running.close() };
});
const settings = () => ({
  ...{ PAY_B_BASE_URL: sandbox.url, PAY_B_KEY: ACCOUNT.key, PAY_B_CALLBACK_TOKEN: ACCOUNT.callback_token },
});
const commerce = useRunning(() => startCommerce(settings(), new Date().toISOString()));

const open = (shop: OwnStore, amount: number, key?: string, url = commerce.url) =>
  askDocumented<Topup>(commerce, url, '/wallet/topup', {
    method: 'POST',
    body: { amount },
    headers: bearer(
      commerce.storeAuth.userToken({ store_id: shop.storeId }),
      key === undefined ? {} : { 'idempotency-key': key },
    ),
  });
/** The provider says that the money came. */
const pay = ({ database, clock }: Commerce, { storeId }: OwnStore, { payment_id, amount }: Topup, more: object = {}) =>
  database.tx((tx) =>
    settlePayment(tx, { storeId, actor: 'provider:b', at: clock.now() }, payment_id, {
      ...{ amount, currency: 'IDR', paidAt: clock.now(), ...more },
    }),
  );

describe('a top-up', () => {
  it('is opened, and in the wallet when the provider says that it came, once', async () => {
    const shop = await ownStore(commerce);
    const { status, body } = await open(shop, 150_000);
    expect([status, body.data]).toEqual([
      201,
      {
        ...{ id: body.data.id, payment_id: body.data.payment_id, amount: 150_000, status: 'open' },
        ...{ url: expect.stringContaining(sandbox.url) as string, expires_at: expect.any(String) as string },
      },
    ]);
    expect(await heldBy(commerce, shop.storeId)).toEqual({});
    const settled = await Promise.all(Array.from({ length: 20 }, () => pay(commerce, shop, body.data)));
    expect(settled.filter((each) => each === 'paid')).toHaveLength(1);
    expect(await heldBy(commerce, shop.storeId)).toEqual({ gateway_clearing: 150_000, wallet_available: 150_000 });
    const { data } = (await shop.ask<Topup>('GET', `/wallet/topup/${body.data.id}`)).body;
    expect(data).toMatchObject({ id: body.data.id, status: 'paid', url: null });
  });

  it('under one key is one, of twenty at once too, and another amount is refused', async () => {
    const shop = await ownStore(commerce);
    const answers = await Promise.all(Array.from({ length: 20 }, () => open(shop, 20_000, 'once')));
    expect(new Set(answers.map(({ body }) => `${body.data.id} ${body.data.payment_id}`)).size).toBe(1);
    expect((await open(shop, 30_000, 'once')).body.code).toBe('idempotency_mismatch');
  });

  it('is there without an address while its provider is away, and has one when it is asked for again', async () => {
    const shop = await ownStore(commerce);
    sandbox.faults.setDown({ mode: 'refuse', times: 1, method: 'POST' });
    const first = (await open(shop, 20_000, 'away')).body.data;
    expect(first).toMatchObject({ status: 'open', url: null });
    const again = (await open(shop, 20_000, 'away')).body.data;
    expect(again).toMatchObject({
      id: first.id,
      payment_id: first.payment_id,
      url: expect.stringContaining(sandbox.url) as string,
    });
  });

  it('is in the wallet by the webhook of the provider, ten times at once', async () => {
    const shop = await ownStore(commerce);
    const { data } = (await open(shop, 75_000)).body;
    const [row] = await commerce.database.query<{ provider_ref: string; invoice_number: string }>(
      'SELECT provider_ref, invoice_number FROM payment WHERE id = $1',
      [data.payment_id],
    );
    const notice = {
      ...{ id: row?.provider_ref, external_id: row?.invoice_number, user_id: 'u', status: 'PAID', amount: 75_000 },
      ...{ paid_amount: 75_000, paid_at: new Date().toISOString(), payment_method: 'QR_CODE', currency: 'IDR' },
    };
    const tell = () => commerce.post('/api/pay_b/webhook', notice, { 'x-callback-token': ACCOUNT.callback_token });
    const answers = await Promise.all(Array.from({ length: 10 }, tell));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(await heldBy(commerce, shop.storeId)).toEqual({ gateway_clearing: 75_000, wallet_available: 75_000 });
  });

  it('of another amount than was asked for credits nothing', async () => {
    const shop = await ownStore(commerce);
    const { data } = (await open(shop, 20_000)).body;
    expect(await pay(commerce, shop, data, { amount: 19_999 })).toBe('review');
    expect(await heldBy(commerce, shop.storeId)).toEqual({});
  });

  it.each([
    [9_999, 'amount must be 10000 or greater'],
    [100_000_001, 'amount must be 100000000 or less'],
    ['20.000', 'amount must be an integer'],
  ])('of %j is refused', async (amount, message) => {
    const { ask } = await ownStore(commerce);
    expect(await ask('POST', '/wallet/topup', { amount })).toEqual(invalid('amount', message));
  });

  it('of another store is 404', async () => {
    const [mine, theirs] = [await ownStore(commerce), await ownStore(commerce)];
    const { id } = (await open(theirs, 20_000)).body.data;
    expect((await mine.ask('GET', `/wallet/topup/${id}`)).status).toBe(404);
  });
});

it('fifty that are paid at once, opened by two processes, are in the wallet to the last unit', async () => {
  const second = await startSecondProcess(commerce, settings());
  try {
    const shop = await ownStore(commerce);
    const amounts = Array.from({ length: 50 }, (_, nth) => 10_000 + nth * 7);
    const opened = await Promise.all(
      amounts.map((amount, nth) => open(shop, amount, undefined, nth % 2 === 0 ? commerce.url : second.url)),
    );
    await Promise.all(opened.flatMap(({ body }) => [pay(commerce, shop, body.data), pay(commerce, shop, body.data)]));
    const sum = amounts.reduce((total, amount) => total + amount, 0);
    expect(await heldBy(commerce, shop.storeId)).toEqual({ gateway_clearing: sum, wallet_available: sum });
    await auditLedger(commerce.database);
  } finally {
    await second.stop();
  }
});

it('where the platform has no account nothing can be paid in', async () => {
  const without = await startCommerce();
  try {
    const { ask } = await ownStore(without);
    expect(await ask('POST', '/wallet/topup', { amount: 20_000 })).toEqual(
      refused(409, 'provider_unavailable', 'Payments by this provider cannot be made here'),
    );
  } finally {
    await without.stop();
  }
});
