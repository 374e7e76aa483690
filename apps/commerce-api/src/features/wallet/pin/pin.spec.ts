import { TooMany } from '@platform/errors';
import { until } from '@platform/testing';
import { auditedIn, invalid, ownStore, refused, succeeded, type OwnStore } from '../../../asked.fixture';
import { bearer, startCommerce, useCommerce, type Commerce } from '../../../commerce.fixture';
import { startSecondProcess } from '../../../second-process.fixture';
import { PinKeeper } from './pin.keeper';
import { knowOwner, PASSWORD, PIN, walletShop, type WalletShop } from '../wallet.fixture';

const commerce = useCommerce();
beforeAll(() => knowOwner(commerce));
const MINUTE = 60_000;

const set = ({ ask }: OwnStore, pin = PIN, password = PASSWORD) => ask('POST', '/wallet/pin', { pin, password });
const change = ({ ask }: OwnStore, current_pin: string, pin = '604913') =>
  ask<unknown>('PUT', '/wallet/pin', { current_pin, pin });
const wrongPin = (left: number) =>
  refused(422, 'validation', 'current_pin is wrong', {
    errors: { current_pin: ['current_pin is wrong'] },
    attempts_left: left,
  });
const LOCKED = refused(422, 'pin_locked', 'current_pin is locked after 5 wrong tries', {
  errors: { current_pin: ['current_pin is locked after 5 wrong tries'] },
});

describe('the PIN of a wallet', () => {
  it('is set once with the password of the login, and the log tells that it was', async () => {
    const store = await ownStore(commerce);
    expect(await set(store)).toEqual(succeeded(200, 'PIN created', null));
    expect(await set(store)).toEqual(refused(409, 'pin_set', 'There is a PIN already: change or reset it'));
    expect(await auditedIn(commerce, store.storeId)).toEqual(['wallet.withdraw wallet: pin_set']);
    expect((await store.ask<{ pin_set: boolean }>('GET', '/wallet')).body.data.pin_set).toBe(true);
  });

  it('of twenty that are set at once one is, and the others are refused', async () => {
    const store = await ownStore(commerce);
    const statuses = (await Promise.all(Array.from({ length: 20 }, () => set(store)))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
  });

  it('is not set with a wrong password', async () => {
    expect(await set(await ownStore(commerce), PIN, 'not my password')).toEqual(
      invalid('password', 'password is wrong'),
    );
  });

  it.each(['111111', '000000', '123456', '987654', '890123', '210987'])('must not be simple: %s', async (pin) => {
    expect(await set(await ownStore(commerce), pin)).toEqual(
      invalid('pin', 'pin must not be one digit repeated or a run of digits'),
    );
  });

  it.each(['12345', '1234567', '12a456', '73019\0', '７３０１９４', ''])('must be six digits: %j', async (pin) => {
    expect((await set(await ownStore(commerce), pin)).status).toBe(422);
  });

  it('is changed by whoever knows it', async () => {
    const store = await ownStore(commerce);
    expect(await change(store, PIN)).toEqual(refused(409, 'pin_not_set', 'Set a PIN first'));
    await set(store);
    expect(await change(store, PIN, '604913')).toEqual(succeeded(200, 'PIN updated', null));
    expect(await change(store, PIN)).toEqual(wrongPin(4));
    expect(await change(store, '604913', PIN)).toEqual(succeeded(200, 'PIN updated', null));
  });

  it('cannot be touched by whoever may only read the wallet', async () => {
    const { storeId } = await ownStore(commerce);
    const token = commerce.storeAuth.serviceToken('bot-engine', storeId);
    expect((await commerce.call('POST', '/api/wallet/pin', token, { pin: PIN, password: PASSWORD })).status).toBe(403);
  });
});

describe('wrong PINs', () => {
  it('lock it at the fifth, for the right one too, until half an hour is over', async () => {
    const store = await ownStore(commerce);
    await set(store);
    for (const left of [4, 3, 2, 1, 0]) expect(await change(store, '111119')).toEqual(wrongPin(left));
    expect(await change(store, PIN)).toEqual(LOCKED);
    const token = commerce.storeAuth.userToken({ store_id: store.storeId });
    const body = { current_pin: PIN, pin: '604913' };
    const { headers } = await commerce.call('PUT', '/api/wallet/pin', token, body);
    expect(headers.get('retry-after')).toBe('1800');
    commerce.clock.advance(31 * MINUTE);
    expect(await change(store, '111119')).toEqual(wrongPin(4));
    expect(await change(store, PIN)).toEqual(succeeded(200, 'PIN updated', null));
    expect(await change(store, PIN)).toEqual(wrongPin(4));
  });

  it('begin anew after a right one', async () => {
    const store = await ownStore(commerce);
    await set(store);
    for (const left of [4, 3, 2]) expect(await change(store, '111119')).toEqual(wrongPin(left));
    await change(store, PIN, '604913');
    expect(await change(store, PIN)).toEqual(wrongPin(4));
  });

  it('that come twenty at once are five tries, over two processes too, and then the right one is refused', async () => {
    // A second process has the real clock
    const today = await startCommerce({}, new Date().toISOString());
    const shop = await walletShop(today, 500_000);
    const second = await startSecondProcess(today);
    try {
      const tries = Array.from({ length: 20 }, (_, nth) =>
        shop.withdraw({ pin: '111119' }, undefined, nth % 2 === 0 ? today.url : second.url),
      );
      const answers = (await Promise.all(tries)).map(({ status, body }) => `${status} ${String(body.code)}`);
      expect(answers.sort()).toEqual([
        ...Array.from({ length: 15 }, () => '422 pin_locked'),
        ...Array.from({ length: 5 }, () => '422 validation'),
      ]);
      expect((await shop.withdraw()).body.code).toBe('pin_locked');
    } finally {
      await second.stop();
      await today.stop();
    }
  });

  it('of one store leave the PIN of another as it is', async () => {
    const [one, other] = [await ownStore(commerce), await ownStore(commerce)];
    await set(one);
    await set(other);
    for (const left of [4, 3, 2, 1, 0]) expect(await change(one, '111119')).toEqual(wrongPin(left));
    expect((await change(other, PIN)).status).toBe(200);
  });
});

it('twenty right PINs at once are all right', async () => {
  const shop = await walletShop(commerce, 20 * 12_500);
  const answers = await Promise.all(Array.from({ length: 20 }, () => shop.withdraw({ amount: 10_000 })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
});

it('a PIN that nobody had the time to look at was no try', async () => {
  const { storeId } = await walletShop(commerce, 0);
  const { database: sql, clock } = commerce;
  const busy = { matches: () => Promise.reject(new TooMany('busy', { retryAfterSeconds: 1 })) };
  const keeper = new PinKeeper(sql, busy as never, clock, 'a pepper');
  for (let nth = 0; nth < 7; nth += 1)
    await expect(keeper.prove(storeId, { pin: PIN, field: 'pin' })).rejects.toThrow('busy');
  expect(await keeper.state(storeId)).toMatchObject({ pin_locked_until: null });
});

describe('a forgotten PIN', () => {
  const codeOf = async ({ mails }: Commerce, count: number): Promise<string> => {
    await until(async () => mails.length >= count);
    return /(\d{6})/.exec(mails[count - 1]?.subject ?? '')?.[1] ?? '';
  };
  const reset = ({ ask }: OwnStore, code: string, pin = '604913') =>
    ask<unknown>('POST', '/wallet/pin/reset', { code, pin });

  it('is set anew with the code of the mail, once, and holds withdrawals for a day', async () => {
    const shop = await walletShop(commerce, 200_000);
    const before = commerce.mails.length;
    expect(await shop.ask('POST', '/wallet/pin/forgot')).toEqual(succeeded(200, 'A code is on its way', null));
    const code = await codeOf(commerce, before + 1);
    expect(commerce.mails.at(-1)?.to).toBe('owner@toko-nusa.example');
    const wrong = code === '000001' ? '000002' : '000001';
    expect(await reset(shop, wrong)).toEqual(invalid('code', 'code is wrong or has expired'));
    expect(await reset(shop, code)).toEqual(succeeded(200, 'PIN updated', null));
    expect(await reset(shop, code)).toEqual(invalid('code', 'code is wrong or has expired'));
    const HELD = refused(409, 'withdraw_hold', 'The PIN was reset: nothing is withdrawn for 24 hours');
    expect(await shop.withdraw({ pin: '604913' })).toEqual(HELD);
    const { data } = (await shop.ask<{ withdraw_hold_until: string }>('GET', '/wallet')).body;
    expect(Date.parse(data.withdraw_hold_until) - commerce.clock.now().getTime()).toBe(24 * 60 * MINUTE);
    commerce.clock.advance(24 * 60 * MINUTE);
    expect((await shop.withdraw({ pin: '604913' })).status).toBe(201);
  });

  it('lifts the lock of wrong tries, and a code is good for five tries and ten minutes', async () => {
    const shop = await walletShop(commerce, 0);
    const forget = async () => {
      const before = commerce.mails.length;
      commerce.clock.advance(2 * MINUTE);
      await shop.ask('POST', '/wallet/pin/forgot');
      return codeOf(commerce, before + 1);
    };
    const first = await forget();
    const wrong = first === '000001' ? '000002' : '000001';
    for (let nth = 0; nth < 5; nth += 1) expect((await reset(shop, wrong)).status).toBe(422);
    expect((await reset(shop, first)).status).toBe(422);
    const second = await forget();
    commerce.clock.advance(11 * MINUTE);
    expect((await reset(shop, second)).status).toBe(422);
    for (let nth = 0; nth < 5; nth += 1) await change(shop, '111119');
    expect((await reset(shop, await forget())).status).toBe(200);
    expect((await change(shop, '604913', PIN)).status).toBe(200);
  });

  it('gets no second mail within a minute, no code of another store, and none where there is no PIN', async () => {
    const [shop, other] = [await walletShop(commerce, 0), await walletShop(commerce, 0)];
    const before = commerce.mails.length;
    await shop.ask('POST', '/wallet/pin/forgot');
    const code = await codeOf(commerce, before + 1);
    await shop.ask('POST', '/wallet/pin/forgot');
    await other.ask('POST', '/wallet/pin/forgot');
    await codeOf(commerce, before + 2);
    expect(commerce.mails.length).toBe(before + 2);
    expect((await reset(other, code)).status).toBe(422);
    const none = await ownStore(commerce);
    const NOT_SET = refused(409, 'pin_not_set', 'Set a PIN first');
    expect([await none.ask('POST', '/wallet/pin/forgot')]).toEqual([NOT_SET]);
  });
});

describe('while nobody tells which logins were revoked', () => {
  let blind: Commerce;
  let shop: WalletShop;
  beforeAll(async () => {
    blind = await startCommerce();
    knowOwner(blind);
    shop = await walletShop(blind, 100_000);
    const list = blind.app.components.flat().find(({ name }) => name === 'revocations');
    Object.assign(list ?? {}, { isCurrent: () => false });
  });
  afterAll(() => blind.stop());
  const asking = (token: string, path = '/api/wallet/withdraw') => blind.get(path, bearer(token));

  it('a login that was revoked gets nothing out of the wallet, and one that is good does', async () => {
    const good = blind.storeAuth.userToken({ store_id: shop.storeId });
    const bad = blind.storeAuth.userToken({ store_id: shop.storeId });
    blind.storeAuth.revoked.push(bad);
    expect([(await asking(good)).status, (await asking(bad)).status]).toEqual([200, 401]);
    // What only shows money goes on
    expect((await asking(bad, '/api/wallet')).status).toBe(200);
    expect((await shop.withdraw()).status).toBe(201);
  });

  it('nothing is withdrawn when store-auth does not answer', async () => {
    await blind.storeAuth.stop();
    const { status, body } = await shop.withdraw();
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'unavailable' });
    const token = blind.storeAuth.userToken({ store_id: shop.storeId });
    expect((await asking(token, '/api/wallet')).status).toBe(200);
  });
});
