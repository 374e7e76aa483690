import { secretBox, secretBoxKeys } from '@platform/auth';
import { expectNoSeqScan, explain } from '@platform/testing';
import { auditedIn, invalid, ownStore, refused, succeeded, type OwnStore } from '../../../asked.fixture';
import { useCommerce } from '../../../commerce.fixture';
import type { Calculated, Order } from '../../sales/orders/orders.dto';
import { orderShop, withoutTills } from '../../sales/orders/orders.fixture';
import { methodCodes, type MethodView } from './methods.dto';
import { METHODS, methodsFor } from './methods.sql';

const commerce = useCommerce();
/** For what is refused, which leaves it as it was. */
let refusing: OwnStore;
beforeAll(async () => {
  refusing = await ownStore(commerce);
});

const NO_FEE = { percent_bp: 0, fixed: 0 };
const usual = (code: string, more: object = {}) => ({
  ...{ code, kind: code, provider: code, enabled: true, configured: true, mode: 'direct', fee_bearer: 'merchant' },
  ...{ fee: NO_FEE, min: null, max: null, channels: [], ...more },
});
const gateway = (code: string, more: object = {}) =>
  usual(code, { kind: 'gateway', enabled: false, configured: false, mode: 'platform', ...more });
const account = { bank_code: 'BCA', number: '5210001234', holder: 'Sari' };
const gateways = { ...withoutTills.gateways, isThere: () => true };
const offered = async (storeId: string, total = 50_000) =>
  (await methodsFor(commerce.database, storeId, total, gateways)).map(({ code }) => code);

describe('the payment methods of a store', () => {
  it('are what is paid by hand while nothing is set, and transfer once there is an account', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const all = (transfer: object) => [
      usual('cash'),
      transfer,
      usual('cod'),
      ...['a', 'b', 'c'].map((code) => gateway(code)),
    ];
    expect(await ask('GET', '/payment/methods')).toEqual(
      succeeded(200, 'OK', all(usual('transfer', { configured: false }))),
    );
    expect(await offered(storeId)).toEqual(['cash', 'cod']);
    await ask('POST', '/payment/bank-transfer', account);
    expect(await ask('GET', '/payment/methods')).toEqual(succeeded(200, 'OK', all(usual('transfer'))));
    expect(await offered(storeId)).toEqual(['cash', 'transfer', 'cod']);
  });

  it('are changed member by member, by two at once too, and the log tells what', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const put = (body: object) => ask<MethodView>('PUT', '/payment/methods/cod', body);
    await Promise.all([
      put({ fee_bearer: 'buyer' }),
      put({ fee: { percent_bp: 100, fixed: 2_000 } }),
      put({ max: 900_000 }),
    ]);
    const set = { fee_bearer: 'buyer', fee: { percent_bp: 100, fixed: 2_000 }, min: 10_000, max: 900_000 };
    expect(await put({ min: 10_000 })).toEqual(succeeded(200, 'Payment method updated', usual('cod', set)));
    expect(await put({ min: 0, max: 0, enabled: false })).toEqual(
      succeeded(200, 'Payment method updated', usual('cod', { ...set, min: null, max: null, enabled: false })),
    );
    expect(await offered(storeId)).toEqual(['cash']);
    expect((await auditedIn(commerce, storeId)).sort()).toEqual(
      ['enabled, max, min', 'fee', 'fee_bearer', 'max', 'min'].map(
        (told) => `payment.settings payment_method: ${told}`,
      ),
    );
  });

  it('are offered for the totals that they are for', async () => {
    const { ask, storeId } = await ownStore(commerce);
    await ask('PUT', '/payment/methods/cod', { min: 20_000, max: 30_000 });
    expect(await Promise.all([19_999, 20_000, 30_000, 30_001].map((total) => offered(storeId, total)))).toEqual([
      ['cash'],
      ['cash', 'cod'],
      ['cash', 'cod'],
      ['cash'],
    ]);
  });

  it.each([
    [
      'a fee above 100 %',
      'cod',
      { fee: { ...NO_FEE, percent_bp: 10_001 } },
      'fee.percent_bp',
      'fee.percent_bp must be 10000 or less',
    ],
    ['a negative limit', 'cash', { min: -1 }, 'min', 'min must be 0 or greater'],
    ['a largest total below the smallest', 'cash', { min: 2, max: 1 }, 'max', 'max must not be below min'],
    ['channels of what is paid by hand', 'cash', { channels: ['x'] }, 'channels', 'channels are only of a gateway'],
    [
      'credentials of what is paid by hand',
      'cod',
      { credentials: { key: 'x' } },
      'credentials',
      'credentials are only of a gateway',
    ],
    ["the platform's fee", 'a', { fee: NO_FEE }, 'fee', "fee is the platform's to set"],
    [
      'half of the credentials',
      'a',
      { credentials: { secret: 'x' } },
      'credentials',
      'credentials must have exactly client_id and secret',
    ],
    [
      'other credentials',
      'b',
      { credentials: { key: 'x', callback_token: 'y', __proto__x: 'z' } },
      'credentials',
      'credentials must have exactly key and callback_token',
    ],
    [
      'an empty credential',
      'c',
      { credentials: { merchant: ' ', key: 'y' } },
      'credentials.merchant',
      'credentials.merchant must be a text of 1 to 200 characters',
    ],
    [
      'a credential that is no text',
      'c',
      { credentials: { merchant: 'x', key: {} } },
      'credentials.key',
      'credentials.key must be a text of 1 to 200 characters',
    ],
    ['a misspelt field', 'cash', { enabld: true }, 'enabld', 'enabld is not a known field'],
  ])('%s is refused', async (_, code, body, field, message) =>
    expect(await refusing.ask('PUT', `/payment/methods/${code}`, body)).toEqual(invalid(field, message)),
  );

  it.each(['d', 'constructor', 'CASH', '%00'])('that do not exist are 404: %s', async (code) =>
    expect((await refusing.ask('PUT', `/payment/methods/${code}`, {})).status).toBe(404),
  );

  it('of another store stay as they are', async () => {
    const [mine, theirs] = [await ownStore(commerce), await ownStore(commerce)];
    await mine.ask('PUT', '/payment/methods/cash', { enabled: false });
    const [cash] = (await theirs.ask<MethodView[]>('GET', '/payment/methods')).body.data;
    expect(cash).toEqual(usual('cash'));
  });

  it('are read by index, however many stores there are', async () =>
    expectNoSeqScan(await explain(commerce.database, METHODS, ['S1', [...methodCodes]])));
});

describe('the credentials of a gateway', () => {
  const secret = 'SK-rahasia-✓-123';
  const credentials = { client_id: 'MCH-0001', secret };

  it('are sealed for their store and method, and nothing shows them again', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const put = (body: object) => ask('PUT', '/payment/methods/a', body);
    const set = gateway('a', { configured: true, mode: 'direct', channels: ['QRIS'] });
    expect(await put({ credentials, channels: ['QRIS'] })).toEqual(succeeded(200, 'Payment method updated', set));
    const [row] = await commerce.database.query<{ credentials_enc: string }>(
      'SELECT credentials_enc FROM payment_method WHERE store_id = $1',
      [storeId],
    );
    const box = secretBox(secretBoxKeys.fallback ?? '');
    expect(JSON.parse(box.open(row?.credentials_enc ?? '', `payment_method/${storeId}/a`))).toEqual(credentials);
    // Another change keeps them
    expect(await put({ channels: [] })).toEqual(succeeded(200, 'Payment method updated', { ...set, channels: [] }));
    const told = JSON.stringify([
      await ask('GET', '/payment/methods'),
      await commerce.database.query('SELECT * FROM audit_log WHERE tenant_id = $1', [storeId]),
      commerce.lines,
    ]);
    expect(told).not.toContain('rahasia');
    expect(told).toContain('"credentials":{"to":"***"}');
    expect(await put({ credentials: {} })).toEqual(succeeded(200, 'Payment method updated', gateway('a')));
    expect(await auditedIn(commerce, storeId)).toHaveLength(3);
  });

  it('are what it is switched on with, where the platform has none', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const put = (body: object) => ask<MethodView>('PUT', '/payment/methods/a', body);
    const unavailable = refused(409, 'provider_unavailable', 'Payments by this provider cannot be made here');
    expect(await put({ enabled: true })).toEqual(unavailable);
    expect((await ask<MethodView[]>('GET', '/payment/methods')).body.data[3]).toEqual(gateway('a'));
    const on = gateway('a', { enabled: true, configured: true, mode: 'direct' });
    expect(await put({ credentials, enabled: true })).toEqual(succeeded(200, 'Payment method updated', on));
    expect(await offered(storeId)).toEqual(['cash', 'cod', 'a']);
    expect(await put({ credentials: {} })).toEqual(unavailable);
    expect(await put({ credentials: {}, enabled: false })).toEqual(
      succeeded(200, 'Payment method updated', gateway('a')),
    );
  });
});

describe('the fee of a method', () => {
  it("is the buyer's where the buyer bears it: calculated, placed and stored alike", async () => {
    const shop = await orderShop(commerce, 9);
    const put = (body: object) => shop.ask('PUT', '/payment/methods/cod', body);
    await put({ fee_bearer: 'buyer', fee: { percent_bp: 150, fixed: 2_500 } });
    const { contact: _contact, ...cart } = { ...shop.cart(3), payment_method: 'cod' };
    const calculated = (await shop.ask<Calculated>('POST', '/order/calculate', cart)).body.data;
    expect([calculated.fee, calculated.total]).toEqual([2_950, 32_950]);
    const body = { ...shop.cart(3), payment_method: 'cod', expected_total: 32_950 };
    const { id, fee, total } = (await shop.ask<Order>('POST', '/order', body)).body.data;
    expect([fee, total]).toEqual([2_950, 32_950]);
    expect((await shop.ask<Order>('GET', `/order/${id}`)).body.data).toMatchObject({ fee, total });
    await put({ fee_bearer: 'merchant' });
    expect((await shop.ask<Calculated>('POST', '/order/calculate', cart)).body.data.total).toBe(30_000);
  });

  it('of one method is not that of another', async () => {
    const shop = await orderShop(commerce, 9);
    await shop.ask('PUT', '/payment/methods/cod', { fee_bearer: 'buyer', fee: { percent_bp: 0, fixed: 2_500 } });
    expect((await shop.ask<Order>('POST', '/order', shop.cart(1))).body.data.total).toBe(10_000);
  });
});

describe('an order', () => {
  it.each([
    ['by a method that is switched off', { enabled: false }, 'payment_method is switched off in this store'],
    ['below the smallest total of its method', { min: 10_001 }, 'payment_method is not for orders of this total'],
    ['above the largest total of its method', { max: 9_999 }, 'payment_method is not for orders of this total'],
  ])('%s is refused, and reserves nothing', async (_, terms, message) => {
    const shop = await orderShop(commerce, 2);
    await shop.ask('PUT', '/payment/methods/cash', terms);
    expect(await shop.ask('POST', '/order', shop.cart(1))).toEqual(invalid('payment_method', message));
    expect(await shop.levels()).toEqual(['2/0']);
  });
});
