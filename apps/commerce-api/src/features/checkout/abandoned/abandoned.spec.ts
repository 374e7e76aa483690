import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain, until, useRunning } from '@platform/testing';
import { auditedIn, invalid, ownStore, refused, succeeded } from '../../../asked.fixture';
import { newMember, NOW, startCommerce } from '../../../commerce.fixture';
import { startFakeMessages } from '../../../clients/chat.messages.fake';
import type { OrderShop } from '../../sales/orders/orders.fixture';
import { basketOf, buyerOf, CONTACT, fetched, orderShop, readyBasket, type Basket } from '../checkout.fixture';
import type { CartView } from '../sessions/sessions.dto';
import type { AbandonedCart } from './abandoned.dto';
import { ABANDON, abandonedListing, abandonIdle } from './abandoned.sql';
import { LATELY } from './reminders';
import { UNWANTED } from '../../contacts/people/unwanted';

const chat = useRunning(() => startFakeMessages());
const commerce = useRunning(() =>
  startCommerce({ TRUST_PROXY: '127.0.0.1', PAY_LINK_SECRET: 'a secret of links', CHAT_URL: chat.url }),
);
const ask = buyerOf(commerce);
const MINUTE = 60_000;
const after = (minutes: number): Date => new Date(Date.parse(NOW) + minutes * MINUTE);
const QUEUED = succeeded(202, 'Reminder queued', null);
const MISSING = refused(404, 'not_found', 'Abandoned cart not found');

/** A number for one test: reminders are counted by number and store. */
const abandonedCart = async (shop: OrderShop, buyer?: object): Promise<Basket & { readonly id: string }> => {
  const basket = await basketOf(commerce, shop, [2]);
  if (buyer) await ask('PUT', `${basket.path}/address`, { buyer: { ...CONTACT, ...buyer } });
  await abandonIdle(commerce.database, after(60));
  return { ...basket, id: basket.cart.token.split('.')[1] ?? '' };
};
const ADDRESS = { line: 'Jl. Braga 1', city: 'Bandung' };
/** The same with everything that an order needs. */
const readyCart = async (shop: OrderShop, phone: string): Promise<Basket & { readonly id: string }> => {
  const basket = await basketOf(commerce, shop, [2]);
  await ask('PUT', `${basket.path}/address`, { buyer: { ...CONTACT, phone }, address: ADDRESS });
  await fetched(commerce, basket);
  await abandonIdle(commerce.database, after(60));
  return { ...basket, id: basket.cart.token.split('.')[1] ?? '' };
};
const remind = (shop: OrderShop, id: string) => shop.ask('POST', `/checkout/abandoned/${id}/remind`);
const listed = async (shop: OrderShop, query = '') =>
  (await shop.ask<AbandonedCart[]>('GET', `/checkout/abandoned${query}`)).body.data;

describe('a cart that nobody changes', () => {
  it('is abandoned after the time of its store, with what was in it, and is open again when its buyer returns', async () => {
    const shop = await orderShop(commerce, 5);
    const patient = await orderShop(commerce, 5);
    await patient.ask('PUT', '/settings/checkout', { version: 0, abandoned_minutes: 120 });
    const { path, cart } = await readyBasket(commerce, shop, [2]);
    await basketOf(commerce, shop, []);
    await readyBasket(commerce, patient, [1]);
    await abandonIdle(commerce.database, after(59));
    expect(await listed(shop)).toEqual([]);
    await abandonIdle(commerce.database, after(60));
    const abandoned = {
      ...{ id: cart.token.split('.')[1], buyer: CONTACT, total: 20_000, currency: 'IDR', link: null },
      lines: [{ variant_id: shop.variants[0], name: 'Hat 0', qty: 2 }],
      ...{ created_at: NOW, abandoned_at: after(60).toISOString(), reminded_at: null },
    };
    const meta = { current_page: 1, per_page: 15, total: 1, last_page: 1, from: 1, to: 1 };
    expect(await shop.ask('GET', '/checkout/abandoned')).toEqual({
      status: 200,
      body: { status: 'success', message: 'OK', data: [abandoned], meta },
    });
    expect(await listed(patient)).toEqual([]);
    expect((await ask<CartView>('GET', path)).body.data.state).toBe('abandoned');
    const { body } = await ask<CartView>('PUT', `${path}/items`, { items: shop.cart(1).items });
    expect([body.data.state, await listed(shop)]).toEqual(['open', []]);
  });

  it('can still be placed, and is not abandoned any more then', async () => {
    const shop = await orderShop(commerce, 5);
    const { path, place } = await readyBasket(commerce, shop, [1]);
    await abandonIdle(commerce.database, after(60));
    expect((await place(10_000)).status).toBe(201);
    await abandonIdle(commerce.database, after(600));
    expect([await listed(shop), (await ask<CartView>('GET', path)).body.data.state]).toEqual([[], 'placed']);
  });

  it('is found by when it was abandoned and whether its buyer was reminded, in its own store', async () => {
    const [shop, theirs] = [await orderShop(commerce, 9), await orderShop(commerce, 9)];
    const { id } = await abandonedCart(shop, { phone: '6281200000001' });
    const other = await abandonedCart(shop);
    await remind(shop, id);
    const ids = async (query: string) => (await listed(shop, query)).map((cart) => cart.id);
    expect(await ids('?reminded=true')).toEqual([id]);
    expect(await ids('?reminded=false')).toEqual([other.id]);
    expect(await ids(`?from=${after(61).toISOString()}`)).toEqual([]);
    expect((await ids(`?to=${after(61).toISOString()}`)).sort()).toEqual([id, other.id].sort());
    expect(await listed(theirs)).toEqual([]);
    const { token } = await newMember(commerce, shop.storeId, 'finance');
    expect(await commerce.call('GET', '/api/checkout/abandoned', token)).toMatchObject({ status: 403 });
    expect(await shop.ask('GET', '/checkout/abandoned?from=kemarin')).toEqual(
      invalid('from', 'from does not match the 2006-01-02T15:04:05Z07:00 format'),
    );
  });
});

describe('a reminder', () => {
  const sentTo = (phone: string) => chat.messages().filter(({ nohp }) => nohp === phone);
  const waiting = `SELECT 1 FROM commerce_api_jobs._private_jobs j JOIN commerce_api_jobs._private_tasks t ON t.id = j.task_id
    WHERE t.identifier = 'checkout.remind'`;
  const noneWaits = () => until(async () => (await commerce.database.query(waiting)).length === 0);
  /** It is to be sent while chat-backend is away, and has failed once: what happens then happens before it is sent. */
  const remindedInVain = async (shop: OrderShop, id: string): Promise<void> => {
    chat.state.mood = 'down';
    expect(await remind(shop, id)).toEqual(QUEUED);
    const failed = `${waiting} AND j.attempts > 0 AND j.locked_at IS NULL`;
    await until(async () => (await commerce.database.query(failed)).length > 0);
  };

  it('is one WhatsApp message, whose link opens the same cart beside the one that its buyer has', async () => {
    const shop = await orderShop(commerce, 5);
    const phone = '6281200000002';
    const { id, path } = await abandonedCart(shop, { phone, name: 'Klik http://jahat.example' });
    expect(await remind(shop, id)).toEqual(QUEUED);
    const message = await until(async () => sentTo(phone)[0]);
    const [text, token = ''] = (message?.pesan ?? '').split('https://shop.example/checkout/');
    expect({ ...message, pesan: text }).toEqual({
      ...{ nohp: phone, instance: 'dev1', team: '3', type: 'chat' },
      pesan: 'Keranjang Anda di Toko Nusa (1 produk) masih kami simpan.\nLanjutkan di ',
      pesan_id: `cart:${id}:${Date.parse(NOW)}`,
    });
    for (const opens of [path, `/checkout/session/${token}`])
      expect((await ask<CartView>('GET', opens)).body.data).toMatchObject({ state: 'abandoned', total: 20_000 });
    expect((await listed(shop))[0]?.reminded_at).toBe(NOW);
    expect(await auditedIn(commerce, shop.storeId)).toEqual(['checkout.write checkout_session: reminded_at']);
    const secret = token.split('.')[2] ?? 'none';
    expect(commerce.lines.filter((line) => line.includes(secret))).toEqual([]);
  });

  it('shows whoever has the number neither the name nor the address that was typed, also when it is placed', async () => {
    const shop = await orderShop(commerce, 5);
    const phone = '6281200000042';
    const { id, path, place } = await readyCart(shop, phone);
    await remind(shop, id);
    const message = await until(async () => sentTo(phone)[0]);
    const reminded = `/checkout/session/${message?.pesan?.split('/checkout/')[1] ?? ''}`;
    const seen = async (opens: string) => {
      const { buyer, address, total } = (await ask<CartView>('GET', opens)).body.data;
      return { buyer, address, total };
    };
    const [nobody, typed] = [
      { buyer: null, address: null },
      { buyer: { ...CONTACT, phone }, address: ADDRESS },
    ];
    expect([await seen(path), await seen(reminded)]).toEqual([
      { ...typed, total: 20_000 },
      { ...nobody, total: 20_000 },
    ]);
    expect(await ask('POST', `${reminded}/place`, { payment_method: 'cash', expected_total: 20_000 })).toEqual(
      invalid('buyer', 'buyer is a required field'),
    );
    expect((await place(20_000)).status).toBe(201);
    expect([await seen(path), await seen(reminded)]).toEqual([
      { ...typed, total: 20_000 },
      { ...nobody, total: 20_000 },
    ]);
  });

  it('goes to a number once in 24 hours, whichever of its carts it is for and however many ask at once', async () => {
    const shop = await orderShop(commerce, 50);
    const phone = '6281200000003';
    const carts = [await abandonedCart(shop, { phone }), await abandonedCart(shop, { phone })];
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => remind(shop, carts[at % 2]?.id ?? '')));
    const lately = refused(409, 'already_reminded', 'This buyer was reminded within the last 24 hours');
    expect(answers.filter(({ status }) => status === 202)).toEqual([QUEUED]);
    expect(answers.filter(({ status }) => status !== 202)).toEqual(Array(9).fill(lately));
    await until(async () => sentTo(phone)[0]);
    await commerce.database.query(
      `UPDATE checkout_session SET reminded_at = reminded_at - interval '24 hours' WHERE store_id = $1`,
      [shop.storeId],
    );
    expect(await remind(shop, carts[0]?.id ?? '')).toEqual(QUEUED);
  });

  it('is not for carts without a number, of another store, or that are not abandoned', async () => {
    const [shop, theirs] = [await orderShop(commerce, 9), await ownStore(commerce)];
    const nameless = await abandonedCart(shop);
    expect(await remind(shop, nameless.id)).toEqual(refused(409, 'no_number', 'The buyer has left no number'));
    const { id, path } = await abandonedCart(shop, { phone: '6281200000004' });
    expect(await theirs.ask('POST', `/checkout/abandoned/${id}/remind`)).toEqual(MISSING);
    expect(await remind(shop, uuidv7())).toEqual(MISSING);
    await ask('PUT', `${path}/items`, { items: shop.cart(1).items });
    expect(await remind(shop, id)).toEqual(MISSING);
    expect(sentTo('6281200000004')).toEqual([]);
  });

  it('never goes to a contact who is blocked or wants no messages, also when they say so before it is sent', async () => {
    const shop = await orderShop(commerce, 9);
    const unwanted = refused(409, 'opted_out', 'This contact is blocked or wants no messages');
    const [blocked, silent] = ['6281200000005', '6281200000006'];
    const contact = async (phone: string) =>
      (await shop.ask<{ id: string }>('POST', '/contact', { name: 'Budi', phone })).body.data.id;
    await shop.ask('PUT', `/contact/${await contact(blocked)}/block`, { blocked: true });
    expect(await remind(shop, (await abandonedCart(shop, { phone: blocked })).id)).toEqual(unwanted);
    const silentId = await contact(silent);
    const { id } = await abandonedCart(shop, { phone: silent });
    await remindedInVain(shop, id);
    await shop.ask('PUT', `/contact/${silentId}`, { opted_out: true });
    chat.state.mood = 'answer';
    await noneWaits();
    expect([sentTo(blocked), sentTo(silent)]).toEqual([[], []]);
  });

  it('never goes to who was erased, whose carts keep neither buyer nor address', async () => {
    const shop = await orderShop(commerce, 9);
    const phone = '6281200000008';
    const contact = (await shop.ask<{ id: string }>('POST', '/contact', { name: 'Budi', phone })).body.data;
    const [waits, { id }] = [await readyCart(shop, phone), await readyCart(shop, '6281200000009')];
    await remindedInVain(shop, waits.id);
    expect((await shop.ask('DELETE', `/contact/${contact.id}`)).status).toBe(200);
    chat.state.mood = 'answer';
    await noneWaits();
    expect(sentTo(phone)).toEqual([]);
    expect(await remind(shop, waits.id)).toEqual(refused(409, 'no_number', 'The buyer has left no number'));
    const kept = await commerce.database.query(
      'SELECT id, buyer, address FROM checkout_session WHERE store_id = $1 AND buyer IS NULL AND address IS NULL',
      [shop.storeId],
    );
    expect(kept).toEqual([{ id: waits.id, buyer: null, address: null }]);
    expect(await remind(shop, id)).toEqual(QUEUED);
  });

  it('that waits when the plan of its store ends unpaid goes to nobody', async () => {
    const shop = await orderShop(commerce, 9);
    const phone = '6281200000007';
    const { id } = await abandonedCart(shop, { phone });
    await remindedInVain(shop, id);
    await commerce.database.query(`UPDATE store SET plan_state = 'expired' WHERE store_id = $1`, [shop.storeId]);
    chat.state.mood = 'answer';
    await noneWaits();
    expect(sentTo(phone)).toEqual([]);
  });
});

it('carts are abandoned, listed and reminded of by index', async () => {
  const { storeId } = await ownStore(commerce);
  const { rows, count } = abandonedListing.statements(storeId, { seen: undefined });
  for (const [text, values] of [
    [rows.text, rows.values],
    [count.text, count.values],
    [ABANDON, [NOW]],
    [LATELY, [storeId, CONTACT.phone, NOW]],
    [UNWANTED, [storeId, CONTACT.phone]],
  ] as const)
    expectNoSeqScan(await explain(commerce.database, text, [...values]));
});
