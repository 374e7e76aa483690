import { examplesOf, registrationsOf } from '@platform/http';
import { uuidv7 } from '@platform/runtime';
import { caller, expectNoSeqScan, explain, useRunning } from '@platform/testing';
import { knownAbilities, type Ability } from '../../../abilities';
import { notHere, refused } from '../../../asked.fixture';
import { startFakeHandled } from '../../../clients/chat.handled.fake';
import { bearer, newApiToken, newMember, NOW, startCommerce } from '../../../commerce.fixture';
import { abandonedListing } from '../../checkout/abandoned/abandoned.sql';
import { shippingShop, type ShippingShop } from '../../shipping/shipments/shipments.fixture';
import { shipmentListing } from '../../shipping/shipments/shipments.sql';
import type { Order } from '../orders/orders.dto';
import { STATISTICS } from '../orders/orders.export';
import { orderListing } from '../orders/orders.sql';
import { paymentListing } from '../payments/payments.sql';
import { SEEN } from './sight.sql';

const chat = useRunning(() => startFakeHandled());
const commerce = useRunning(() => startCommerce({ CHAT_URL: chat.url }));

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const OWN = { name: 'Budi Sendiri', phone: '6281200000001' };
const FOREIGN = { name: 'Wati Rahasia', phone: '6281299999999' };

/** What is there of one customer. */
interface Bought {
  readonly order: Order;
  readonly shipment: string;
  readonly payment: string;
  readonly cart: string;
}

interface SeenShop {
  readonly shop: ShippingShop;
  readonly coupon: string;
  readonly own: Bought;
  readonly foreign: Bought;
}

const CART = `
  INSERT INTO checkout_session (store_id, id, token_hash, buyer, lines, state, total, created_at, updated_at, abandoned_at, expires_at)
  VALUES ($1, $2::uuid, $2::text, $3, '[]', 'abandoned', 10000, $4, $4, $4, $5)`;

const bought = async (shop: ShippingShop, contact: typeof OWN): Promise<Bought> => {
  const order = await shop.place({ ...shop.cart(2), contact, coupon: 'SALE' });
  await shop.pay(order.id, { amount: 1_000 });
  const shipped = await shop.ship(order, [1]);
  const [payment] = (await shop.ask<{ id: string }[]>('GET', `/payment?order_id=${order.id}`)).body.data;
  const cart = uuidv7();
  await commerce.database.query(CART, [shop.storeId, cart, contact, NOW, '2027-01-01']);
  return { order, cart, shipment: shipped.body.data.id, payment: payment?.id ?? '' };
};

const seenShop = async (): Promise<SeenShop> => {
  const shop = await shippingShop(commerce, 20);
  const made = await shop.ask<{ id: string }>('POST', '/coupon', { code: 'sale', kind: 'percent', value: 10 });
  return { shop, coupon: made.body.data.id, own: await bought(shop, OWN), foreign: await bought(shop, FOREIGN) };
};

let sold: SeenShop;
beforeAll(async () => {
  sold = await seenShop();
});
beforeEach(() => void (chat.state.mood = 'answer'));

/** A member with exactly these abilities. */
const memberWith = async (storeId: string, abilities: readonly Ability[]) => {
  const [member, roleId] = [await newMember(commerce, storeId, 'cs'), uuidv7()];
  await commerce.database.query(
    `INSERT INTO role (store_id, id, name, abilities, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)`,
    [storeId, roleId, `Role ${roleId}`, abilities, NOW],
  );
  await commerce.database.query(
    'UPDATE membership SET system_role = NULL, role_id = $3 WHERE store_id = $1 AND user_id = $2',
    [storeId, member.userId, roleId],
  );
  return member;
};
/** All that can be allowed but the chats of everybody; the audit log tells of everything by an ability of its own. */
const ALMOST_ALL = knownAbilities.filter((ability) => ability !== 'chat.all' && ability !== 'logs.read');
const agentOf = async ({ shop: { storeId } }: SeenShop, phones: readonly string[] = [OWN.phone]) => {
  const member = await memberWith(storeId, ALMOST_ALL);
  chat.handled.set(`${storeId} ${member.userId}`, phones);
  return member;
};

const get = async (token: string, path: string) => {
  const { status, body } = await commerce.call('GET', `/api${path}`, token);
  return { status, body: body as { data: never; meta: { total: number } } };
};
const numbersIn = async (token: string, query = '') => {
  const { status, body } = await get(token, `/order${query}`);
  return [status, ...(body.data as Order[]).map(({ number }) => number)];
};

/** The values of parameters in paths, and of fields, that name what is of one customer. */
const namesOf = ({ order, shipment, payment, cart }: Bought, coupon: string) => {
  const idOf = (path: string): string => {
    if (path.startsWith('/api/payment')) return payment;
    if (path.startsWith('/api/shipping/shipments')) return shipment;
    return path.startsWith('/api/coupon') ? coupon : order.id;
  };
  return {
    path: (path: string): string =>
      path
        .replace('{id}', idOf(path))
        .replace('{orderNumber}', order.number)
        .replace('/abandoned/{token}', `/abandoned/${cart}`)
        .replace('{phone}', order.buyer.phone)
        .replaceAll(/\{\w+\}/g, uuidv7()),
    body: (body: object): object => ({
      ...body,
      ...('order_id' in body ? { order_id: order.id } : {}),
      ...('contact_id' in body ? { contact_id: order.contact_id } : {}),
      ...('ids' in body ? { ids: [order.id] } : {}),
      ...('contact' in body ? { contact: { name: 'Orang baru', phone: '6281277777777' } } : {}),
    }),
  };
};

describe('a member without chat.all', () => {
  it('hears of a customer of somebody else from no route at all', async () => {
    const { token } = await agentOf(sold);
    const names = namesOf(sold.foreign, sold.coupon);
    const routes = registrationsOf(commerce.app).filter(
      ({ guard, endpoint }) => guard.label === 'token' && endpoint.guard !== 'person',
    );
    const isRead = ({ endpoint }: (typeof routes)[number]) => endpoint.method === 'get';
    const told: string[] = [];
    // What is read before what is written: a write of the store itself could end what is shown
    for (const { endpoint, path } of [...routes.filter(isRead), ...routes.filter((route) => !isRead(route))]) {
      const request = examplesOf(commerce.app, endpoint).find(
        ({ status, request: sent }) => status < 300 && sent,
      )?.request;
      const body = endpoint.method === 'get' ? undefined : names.body((request ?? {}) as object);
      const answer = await commerce.call(endpoint.method.toUpperCase(), names.path(path), token, body);
      const text = JSON.stringify(answer.body);
      if ([FOREIGN.name, FOREIGN.phone, sold.foreign.order.number].some((secret) => text.includes(secret)))
        told.push(`${endpoint.method} ${path} ${answer.status}`);
    }
    expect(told).toEqual([]);
    expect(routes.length).toBeGreaterThan(80);
  });

  it('is told that the order, payment, shipment or cart of somebody else does not exist, and reads their own', async () => {
    const [{ token }, { own, foreign }] = [await agentOf(sold), sold];
    for (const [pathOf, what] of [
      [({ order }) => `/order/${order.id}`, 'Order'],
      [({ order }) => `/order/number/${order.number}`, 'Order'],
      [({ order }) => `/order/${order.id}/history`, 'Order'],
      [({ order }) => `/order/${order.id}/invoice`, 'Order'],
      [({ payment }) => `/payment/${payment}`, 'Payment'],
      [({ shipment }) => `/shipping/shipments/${shipment}`, 'Shipment'],
      [({ shipment }) => `/shipping/shipments/${shipment}/label`, 'Shipment'],
    ] as readonly (readonly [(of: Bought) => string, string])[]) {
      expect(await get(token, pathOf(foreign))).toEqual(refused(404, 'not_found', `${what} not found`));
      expect({ path: pathOf(own), status: (await get(token, pathOf(own))).status }).toEqual({
        path: pathOf(own),
        status: what === 'Shipment' && pathOf(own).endsWith('label') ? expect.any(Number) : 200,
      });
    }
  });

  it('changes no order of somebody else, neither alone nor among many', async () => {
    const [{ token }, { own, foreign }] = [await agentOf(sold), sold];
    const before = await sold.shop.ask('GET', `/order/${foreign.order.id}`);
    const order_id = foreign.order.id;
    const missing = refused(404, 'not_found', 'Order not found');
    for (const [method, path, body] of [
      ['PUT', `/order/${order_id}`, { version: 1, items: sold.shop.cart(1).items }],
      ['POST', '/order/change_status', { order_id, status: 'processing' }],
      ['POST', `/order/${order_id}/cancel`, { reason: 'x' }],
      ['POST', `/order/${order_id}/assign`, { assignee_id: null }],
      ['POST', `/order/${order_id}/notes`, { note: 'x' }],
      ['POST', `/order/${order_id}/send_invoice`, { channel: 'email' }],
      ['POST', `/order/${order_id}/waybill`, { courier: 'jne', waybill: 'W1' }],
      ['POST', '/order/change_payment_status', { order_id, status: 'unpaid' }],
      ['POST', `/order/${order_id}/payment_proof/review`, { proof_id: uuidv7(), approve: true }],
      ['POST', '/shipping/shipments', { order_id, lines: [{ order_item_id: foreign.order.items[0]?.id, qty: 1 }] }],
    ] as const) {
      const { status, body: answered } = await commerce.call(method, `/api${path}`, token, body);
      // Where a body is not as it must be that is said first, to everybody
      if (status !== 422) expect({ path, status, body: answered }).toEqual({ path, ...missing });
      else expect(JSON.stringify(answered)).not.toContain(FOREIGN.name);
    }
    const many = { ids: [order_id, own.order.id], status: 'processing' };
    const { body } = await commerce.call('POST', '/api/order/bulk_status', token, many);
    const data = { changed: [own.order.id], failed: [{ id: order_id, code: 'not_found' }] };
    expect(body).toEqual({ status: 'success', message: 'OK', data });
    expect(await sold.shop.ask('GET', `/order/${order_id}`)).toEqual(before);
  });

  it('finds their own customers in every list, count and file', async () => {
    const [{ token }, { own, coupon }] = [await agentOf(sold), sold];
    expect(await numbersIn(token)).toEqual([200, own.order.number]);
    expect(await numbersIn(token, `?q=${FOREIGN.phone}`)).toEqual([200]);
    expect((await get(token, '/order')).body.meta.total).toBe(1);
    const idsIn = async (path: string) => ((await get(token, path)).body.data as { id: string }[]).map(({ id }) => id);
    expect(await idsIn('/payment')).toEqual([own.payment]);
    expect(await idsIn('/shipping/shipments')).toEqual([own.shipment]);
    expect(await idsIn('/checkout/abandoned')).toEqual([own.cart]);
    expect((await get(token, '/order/statistics')).body.data).toMatchObject([{ orders: 1 }]);
    expect((await get(token, `/coupon/${coupon}/usages`)).body.data).toMatchObject([{ phone: OWN.phone }]);
    const file = (await get(token, '/order/export')).body as unknown as string;
    expect([file.includes(OWN.name), file.includes(FOREIGN.name)]).toEqual([true, false]);
  });

  it('finds no proof of a payment among the files, whoever the buyer is', async () => {
    const [{ token }, { shop, own, foreign }] = [await agentOf(sold), sold];
    const attached = async ({ order }: Bought, as: string) => {
      const form = new FormData();
      form.append('file', new Blob([PNG]), `${order.buyer.name}.png`);
      return (await commerce.call('POST', `/api/order/${order.id}/payment_proof`, as, form)).body;
    };
    const owner = commerce.storeAuth.userToken({ store_id: shop.storeId });
    const shown = { data: { media: { name: `${OWN.name}.png`, url: expect.any(String) as string } } };
    expect([await attached(own, token), await attached(foreign, owner)]).toMatchObject([shown, {}]);
    const names = async (as: string, query = '') =>
      ((await get(as, `/upload${query}`)).body.data as { name: string }[]).map(({ name }) => name);
    expect(await names(owner)).toEqual([`${FOREIGN.name}.png`, `${OWN.name}.png`]);
    expect([await names(token), await names(token, '?purpose=proof')]).toEqual([[], []]);
  });

  it('orders in the name of no contact of somebody else', async () => {
    const { token } = await agentOf(sold);
    const { contact: _typed, ...cart } = sold.shop.cart(1);
    const asked = { ...cart, contact_id: sold.foreign.order.contact_id };
    const { status, body } = await commerce.call('POST', '/api/order', token, asked);
    expect({ status, body }).toEqual(notHere('contact_id', 'is not a contact of this store'));
  });

  it('sees a chat that somebody took over no longer with the next request, and another that was given to them', async () => {
    const { userId, token } = await agentOf(sold);
    expect(await numbersIn(token)).toEqual([200, sold.own.order.number]);
    chat.handled.set(`${sold.shop.storeId} ${userId}`, [FOREIGN.phone]);
    expect(await numbersIn(token)).toEqual([200, sold.foreign.order.number]);
    expect((await get(token, `/order/${sold.own.order.id}`)).status).toBe(404);
  });

  it('sees nothing of another store, where the same number has bought too', async () => {
    const other = await seenShop();
    const { userId, token } = await agentOf(sold);
    await commerce.database.query(
      `INSERT INTO membership (store_id, user_id, system_role, created_at, updated_at) VALUES ($1, $2, 'cs', $3, $3)`,
      [other.shop.storeId, userId, NOW],
    );
    const there = commerce.storeAuth.userToken({ sub: userId, store_id: other.shop.storeId, role: 'agent' });
    expect([await numbersIn(token), await numbersIn(there)]).toEqual([[200, sold.own.order.number], [200]]);
  });

  it('who handles more chats than a page is long pages through the orders of all of them', async () => {
    const shop = await shippingShop(commerce, 50);
    for (const phone of ['6281200000001', '6281200001500', '6281200001999', '6281200002001'])
      await shop.place({ ...shop.cart(1), contact: { name: `N${phone}`, phone } });
    const many = Array.from({ length: 2_000 }, (_, n) => String(6281200000000 + n));
    const { userId, token } = await newMember(commerce, shop.storeId, 'cs');
    chat.handled.set(`${shop.storeId} ${userId}`, many);
    const pages = [await get(token, '/order?per_page=2'), await get(token, '/order?per_page=2&page=2')];
    expect(pages.map(({ body }) => (body.data as Order[]).map(({ buyer }) => buyer.phone))).toEqual([
      ['6281200001999', '6281200001500'],
      ['6281200000001'],
    ]);
    expect(pages[0]?.body.meta.total).toBe(3);
  });
});

describe('while chat-backend does not tell whose chats are whose', () => {
  it.each(['down', 'nonsense', 'hang'] as const)('nobody is shown everybody: %s', async (mood) => {
    const { token } = await agentOf(sold);
    chat.state.mood = mood;
    for (const path of ['/order', `/order/${sold.own.order.id}`, '/order/export']) {
      const answer = await caller(commerce.url)(`/api${path}`, { headers: bearer(token) });
      expect({ path, status: answer.status, later: answer.headers.get('retry-after') }).toEqual({
        path,
        status: 503,
        later: expect.stringMatching(/^\d+$/),
      });
      if (mood === 'hang') break;
    }
  });
});

describe('whoever sees all chats', () => {
  it('reads everybody, and chat-backend is not asked', async () => {
    chat.state.mood = 'down';
    const { calls } = chat.state;
    const { storeId } = sold.shop;
    const roles = ['admin', 'warehouse', 'finance'] as const;
    const members = await Promise.all(roles.map((role) => newMember(commerce, storeId, role)));
    const owner = commerce.storeAuth.userToken({ store_id: storeId });
    for (const token of [owner, ...members.map((each) => each.token)])
      expect((await get(token, '/order')).body.meta.total).toBe(2);
    expect(chat.state.calls).toBe(calls);
  });
});

describe('an API token', () => {
  it('sees the orders that its maker sees', async () => {
    const { storeId } = sold.shop;
    const maker = await agentOf(sold);
    const abilities = ['order.read'];
    const ofOwner = await newApiToken(commerce, storeId, { abilities });
    const ofAgent = await newApiToken(commerce, storeId, { abilities, maker: maker.userId });
    expect(await numbersIn(ofOwner.token)).toEqual([200, sold.foreign.order.number, sold.own.order.number]);
    expect(await numbersIn(ofAgent.token)).toEqual([200, sold.own.order.number]);
  });
});

it('no list or look-up by numbers reads a table from end to end', async () => {
  const seen = [OWN.phone, FOREIGN.phone];
  const [store, id] = [sold.shop.storeId, uuidv7()];
  for (const { text, values } of [
    ...Object.values(orderListing.statements(store, { seen })),
    ...Object.values(paymentListing.statements(store, { seen })),
    ...Object.values(shipmentListing.statements(store, { seen })),
    ...Object.values(abandonedListing.statements(store, { seen })),
    { text: STATISTICS, values: [store, NOW, null, seen] },
    ...Object.entries(SEEN).map(([named, text]) => ({
      text,
      values: [store, named === 'Order by number' ? 'INV-1' : id, seen],
    })),
  ])
    expectNoSeqScan(await explain(commerce.database, text, values));
});

it('neither opens nor asks about payments at providers of customers whose chats are not theirs', async () => {
  const { own, foreign } = sold;
  const { token } = await agentOf(sold);
  const numbered = async ({ payment }: Bought, number: string) =>
    commerce.database.query('UPDATE payment SET invoice_number = $2 WHERE id = $1', [payment, number]);
  await numbered(foreign, `${foreign.order.number}-9`);
  for (const code of ['a', 'c']) {
    const opened = await commerce.call('POST', `/api/pay_${code}/create-payment`, token, {
      order_id: foreign.order.id,
    });
    expect(opened).toMatchObject({ status: 404, body: { message: 'Order not found' } });
    const asked = await commerce.call('GET', `/api/pay_${code}/status/${foreign.order.number}-9`, token);
    expect(asked).toMatchObject({ status: 404, body: { message: 'Payment not found' } });
  }
  const mine = await commerce.call('POST', '/api/pay_a/create-payment', token, { order_id: own.order.id });
  expect(mine.status).not.toBe(404);
});
