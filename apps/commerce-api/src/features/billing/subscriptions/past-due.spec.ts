import { registrationsOf, type Registration } from '@platform/http';
import { uuidv7 } from '@platform/runtime';
import { untilWaiting, useRunning } from '@platform/testing';
import { forPaying, forServicesOnly, forSending, type Need } from '../../../abilities';
import { askOf, refused, type Ask } from '../../../asked.fixture';
import { bearer, newApiToken, newMember, startCommerce, statementsOfRequests } from '../../../commerce.fixture';
import { somebody } from '../../checkout/checkout.fixture';
import { orderShop, type OrderShop } from '../../sales/orders/orders.fixture';
import { limits, trial } from '../../../limits';
import { touch } from '../../chat/copies/public';
import { billedStore, fund, passDays, planIdOf, renewNow, standAt, type BilledStore } from '../billing.fixture';
import { toldOf } from '../../notifications/notifications.fixture';
import { upsertPlan } from '../plans/public';
import type { PlanChange } from './subscriptions.dto';
import type { Invoice } from '../invoices/public';

const BEGIN = '2028-01-31T09:30:00.000Z';
/** Where nobody answers: without an address no cart is reminded of. */
const commerce = useRunning(() => startCommerce({ CHAT_URL: 'http://127.0.0.1:1' }, BEGIN));
const UNPAID = refused(402, 'past_due', 'The plan of the store is unpaid: until its bill is paid it can only be read');

let shop: OrderShop;
let ask: Ask;
let owner: string;
beforeAll(async () => {
  shop = await orderShop(commerce, 9);
  ask = askOf(commerce)(shop.storeId);
  const choice = { plan_id: await planIdOf(commerce, 'growth'), period: 'monthly' };
  const { id, amount } = (await ask<Invoice>('POST', '/subscription', choice)).body.data;
  await fund(commerce, shop.storeId, amount);
  await ask('POST', `/subscription/invoices/${id}/pay`, { method: 'wallet' });
  standAt(commerce, '2028-02-29T09:30:00Z');
  await renewNow(commerce);
  expect((await ask<{ status: string }>('GET', '/subscription')).body.data.status).toBe('past_due');
  owner = commerce.storeAuth.userToken({ store_id: shop.storeId });
});

it('who may pay is told once of the bill that was not paid', async () => {
  const [bill] = (await ask<Invoice[]>('GET', '/subscription/invoices?status=open')).body.data;
  expect(await toldOf(commerce, shop.storeId, 'plan.unpaid')).toEqual([`Tagihan ${bill?.number} belum dibayar`]);
});

/** The routes of the back office; a person's own account is not the store's. */
const backOffice = (): Registration[] =>
  registrationsOf(commerce.app).filter(
    ({ path, guard, endpoint }) =>
      path.startsWith('/api/') && guard.label === 'token' && endpoint.guard !== 'person' && guard.scheme === 'bearer',
  );
const writes = ({ endpoint }: Registration): boolean => endpoint.method !== 'get';
/** What pays, and what none of the staff can do. */
const pays = ({ endpoint }: Registration): boolean =>
  forPaying.has(endpoint.guard as Need) || forServicesOnly.has(endpoint.guard as Need);
const titleOf = ({ endpoint, path }: Registration): string => `${endpoint.method.toUpperCase()} ${path}`;
const callOf = async ({ endpoint, path }: Registration, token: string) => {
  const filled = path.replaceAll(/\{\w+\}/g, uuidv7());
  const { status, body } = await commerce.call(
    endpoint.method.toUpperCase(),
    filled,
    token,
    writes({ endpoint } as never) ? {} : undefined,
  );
  return { status, body: body as { code?: string } };
};

describe('a store whose plan is unpaid', () => {
  it('can be written to by none of the routes of the back office that write, except those that pay', async () => {
    const writing = backOffice().filter((route) => writes(route) && !pays(route));
    const told: Record<string, unknown> = {};
    for (const route of writing) {
      const answer = await callOf(route, owner);
      if (answer.status !== 402 || answer.body.code !== 'past_due') told[titleOf(route)] = answer;
    }
    expect(told).toEqual({});
    expect(writing.length).toBeGreaterThan(80);
  });

  it('can be looked at by who only asks whether there is something', async () => {
    const looked = await fetch(`${commerce.url}/api/products`, { method: 'HEAD', headers: bearer(owner) });
    expect(looked.status).toBe(200);
  });

  it('can be read and paid for', async () => {
    const told: Record<string, unknown> = {};
    // That would end it, and with it what is asked here
    const ends = ({ path }: Registration): boolean => path === '/api/subscription/cancel';
    const others = backOffice().filter((route) => (!writes(route) || pays(route)) && !ends(route));
    for (const route of others) {
      const answer = await callOf(route, owner);
      // Neither chat-backend nor bot-engine runs here, and what is theirs is asked of them: it was not refused before
      const reached = answer.status < 500 || answer.body.code === 'provider_error';
      if (answer.status === 402 || !reached) told[titleOf(route)] = answer;
    }
    expect(told).toEqual({});
    expect(others.map(titleOf)).toEqual(
      expect.arrayContaining([
        'POST /api/subscription/invoices/{id}/pay',
        'POST /api/subscription/change',
        'GET /api/order',
      ]),
    );
  });

  it('is closed to its staff and to its API tokens alike, and open to the services that work for its customers', async () => {
    const { token } = await newMember(commerce, shop.storeId, 'admin');
    const script = await newApiToken(commerce, shop.storeId, { abilities: ['contact.write'] });
    const contact = { name: 'Budi', phone: '6281234567890' };
    for (const who of [token, script.token]) {
      const { status, body } = await commerce.call('POST', '/api/contact', who, contact);
      expect({ status, body }).toEqual(UNPAID);
    }
    const service = commerce.storeAuth.serviceToken('chat-backend', shop.storeId);
    expect((await commerce.call('POST', '/api/contact', service, contact)).status).toBe(201);
  });

  it('sells on: a cart is filled and placed by whoever has no token', async () => {
    const items = shop.cart(1).items;
    const cart = await commerce.post('/api/checkout/session', { store_slug: shop.storeId, items }, somebody());
    expect(cart.status).toBe(201);
    expect((await commerce.get(`/api/store/public/${shop.storeId}`)).status).toBe(200);
    expect((await commerce.get(`/api/store/public/${shop.storeId}/products`)).status).toBe(200);
  });

  it('lets its people sign out', async () => {
    const token = commerce.storeAuth.userToken({ store_id: shop.storeId, sid: 'past due' });
    const { status, body } = await commerce.call('POST', '/api/logout', token);
    expect({ status, message: (body as { message: string }).message }).toEqual({ status: 200, message: 'Logged out' });
  });

  it('is asked for with the access of who asks: not one statement more than for one that is paid', async () => {
    const paid = await billedStore(commerce);
    const statements = (storeId: string) => {
      const token = commerce.storeAuth.userToken({ store_id: storeId });
      return statementsOfRequests(commerce, () => commerce.get('/api/tag', bearer(token)));
    };
    expect(await statements(shop.storeId)).toBe(await statements(paid.storeId));
  });

  it('is written to again as soon as its bill is paid', async () => {
    const [bill] = (await ask<Invoice[]>('GET', '/subscription/invoices?status=open')).body.data;
    expect(await ask('POST', '/tag', { name: 'VIP' })).toEqual(UNPAID);
    await fund(commerce, shop.storeId, bill?.amount ?? 0);
    await ask('POST', `/subscription/invoices/${bill?.id ?? ''}/pay`, { method: 'wallet' });
    expect((await ask('POST', '/tag', { name: 'VIP' })).status).toBe(201);
  });
});

describe('a store whose plan has expired', () => {
  it('is written to, and sends nothing: what needs the ability to send is refused', async () => {
    const store = await billedStore(commerce);
    await store.subscribed('starter');
    standAt(commerce, '2028-04-30T09:30:00Z');
    await renewNow(commerce);
    expect((await store.subscription()).status).toBe('expired');
    expect((await store.ask('POST', '/tag', { name: 'VIP' })).status).toBe(201);
    expect([...forSending]).toEqual(['broadcast.send', 'wa.send']);
    const ended = refused(402, 'plan_ended', 'The plan of the store has ended: choose one to send messages');
    const order = { id: uuidv7() };
    expect(await store.ask('POST', `/order/${order.id}/send_invoice`, { channel: 'whatsapp' })).toEqual(ended);
    expect(await store.ask('POST', `/checkout/abandoned/${order.id}/remind`)).toEqual(ended);
  });
});

describe('the limits of a plan', () => {
  let numbers = 0;
  /** Twenty who each want one contact more at the same moment: how many get one, and what the others are told. */
  const twenty = async ({ storeId }: BilledStore) => {
    const token = commerce.storeAuth.userToken({ store_id: storeId });
    const one = () =>
      commerce.call('POST', '/api/contact', token, { name: 'Ani', phone: `62812${10_000_000 + (numbers += 1)}` });
    const answers = await Promise.all(Array.from({ length: 20 }, one));
    const told = answers.filter(({ status }) => status !== 201).map(({ status, body }) => ({ status, body }));
    return { made: 20 - told.length, told };
  };
  const full = (limit: number, times: number) =>
    Array.from({ length: times }, () =>
      refused(402, 'plan_limit', `The plan allows ${limit} (contacts)`, { metric: 'contacts', limit }),
    );
  /** As if so many contacts were there. */
  const counted = (storeId: string, used: number) =>
    commerce.database.query(
      `INSERT INTO plan_use (store_id, metric, used) VALUES ($1, 'contacts', $2)
       ON CONFLICT (store_id, metric) DO UPDATE SET used = $2`,
      [storeId, used],
    );

  it('are those of the trial, of the plan, of the larger and of the smaller one, for twenty at once each time', async () => {
    const store = await billedStore(commerce);
    await counted(store.storeId, 9_998);
    expect(await twenty(store)).toEqual({ made: 2, told: full(10_000, 18) });
    await store.subscribed('starter');
    await counted(store.storeId, 24_997);
    expect(await twenty(store)).toEqual({ made: 3, told: full(25_000, 17) });
    const { invoice } = (await store.change('growth')).body.data;
    expect(await twenty(store)).toEqual({ made: 0, told: full(25_000, 20) });
    await store.fund(invoice?.amount ?? 0);
    await store.pay(invoice as Invoice);
    await counted(store.storeId, 49_995);
    expect(await twenty(store)).toEqual({ made: 5, told: full(50_000, 15) });
    await store.change('starter');
    await store.fund(99_000);
    await counted(store.storeId, 25_001);
    standAt(commerce, (await store.subscription()).period_end ?? '');
    await renewNow(commerce);
    expect((await store.subscription()).plan.code).toBe('starter');
    // What is there stays, and nothing comes to it
    expect(await twenty(store)).toEqual({ made: 0, told: full(25_000, 20) });
    const uses = (await store.ask<object[]>('GET', '/subscription/usage')).body.data;
    const { period_end } = await store.subscription();
    expect(uses[3]).toEqual({ metric: 'contacts', used: 25_001, limit: 25_000, period_end });
  });

  it('hold while the plan grows: of those who come meanwhile no more get in than the larger one has room for', async () => {
    const store = await billedStore(commerce);
    await store.subscribed('starter');
    await counted(store.storeId, 24_990);
    const plan = await upsertPlan(commerce.database, {
      ...{ code: 'roomy', name: 'Roomy', family: 'new', rank: 900, prices: { monthly: 1_000_000, yearly: 9_000_000 } },
      ...{ features: [], limits: { ...trial, contacts: 25_015 } },
    });
    const { invoice } = (await store.ask<PlanChange>('POST', '/subscription/change', { plan_id: plan.id })).body.data;
    await store.fund(invoice?.amount ?? 0);
    const [first, , second] = await Promise.all([twenty(store), store.pay(invoice as Invoice), twenty(store)]);
    const third = await twenty(store);
    expect([first.made + second.made + third.made, (await twenty(store)).made]).toEqual([25, 0]);
  });

  it('end with the plan while somebody makes a contact: neither waits for the other in a circle', async () => {
    const store = await billedStore(commerce);
    await store.subscribed('starter');
    await counted(store.storeId, 0);
    passDays(commerce, 90);
    const { renewal } = await commerce.database.tx(async (tx) => {
      await limits.require(tx, store.storeId, 'contacts');
      const renewing = renewNow(commerce);
      await untilWaiting(tx, renewing);
      await tx.query(`SET LOCAL lock_timeout = '100ms'`);
      await touch(tx, { storeId: store.storeId, at: commerce.clock.now() }, 'customers', ['6281234567890']);
      return { renewal: renewing };
    });
    await renewal;
    expect((await store.subscription()).status).toBe('expired');
  });
});
