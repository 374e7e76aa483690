// End to end and slow: one `npm start`, in a folder and on ports of its own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { httpClient } from '@platform/http';
import { uuidv7, type Component } from '@platform/runtime';
import { until } from '@platform/testing';
import { httpBotClient } from 'chat-backend/src/clients/bot.client';
import { courierContract } from 'bot-engine/src/clients/commerce.couriers.contract';
import { scriptParcel, sendByCouriers } from 'bot-engine/src/clients/commerce.couriers.fixture';
import { httpCommerce } from 'bot-engine/src/clients/commerce';
import { botContract } from 'chat-backend/src/clients/bot.contract';
import { httpGatewayClient } from 'chat-backend/src/clients/gateway.client';
import { gatewayContract } from 'chat-backend/src/clients/gateway.contract';
import { httpChatSyncClient } from 'commerce-api/src/clients/chat.sync';
import { chatSyncContract } from 'commerce-api/src/clients/chat.sync.contract';
import { httpIdentityClient } from 'commerce-api/src/clients/store-auth.client';
import { httpAccountsClient, httpSecondFactorClient } from 'commerce-api/src/clients/store-auth.accounts';
import { accountsContract } from 'commerce-api/src/clients/store-auth.accounts.contract';
import { identityContract } from 'commerce-api/src/clients/store-auth.contract';
import { httpCodesClient } from 'commerce-api/src/clients/store-auth.codes';
import { codesContract } from 'commerce-api/src/clients/store-auth.codes.contract';
import { httpLoginsClient } from 'commerce-api/src/clients/store-auth.logins';
import { loginsContract } from 'commerce-api/src/clients/store-auth.logins.contract';
import { httpMembershipsClient } from 'commerce-api/src/clients/store-auth.memberships';
import { membershipsContract } from 'commerce-api/src/clients/store-auth.memberships.contract';
import { askStoreAuth } from 'commerce-api/src/clients/store-auth.peer';
import { byPoppler, textOf } from '@platform/testing/pdf';
import { decodeJwt } from 'jose';
import { io } from 'socket.io-client';
import { commerceStock } from 'store-auth/src/clients/commerce.client';
import { stockContract } from 'store-auth/src/clients/commerce.contract';
import { callGateway } from './device';
import { mailTo } from './mailbox';
import { startPlatform, type Platform } from './platform.fixture';
import { makeJourney, newOwner } from './shop-journey';
import { ShopClient } from './shop-client';
import { workspaceRoot } from './workspace';

let platform: Platform;
let { storeAuth, chat, commerce } = {} as Platform;
const components: Component[] = [];
const own = <T extends Component>(component: T): T => {
  components.push(component);
  return component;
};

beforeAll(async () => {
  platform = await startPlatform();
  ({ storeAuth, chat, commerce } = platform);
});
afterAll(async () => {
  await Promise.all(components.map((component) => component.stop?.()));
  await platform.stop();
});

const CUSTOMER = '6281277700077';
const to = (name: string) => own(httpClient(name, platform.services[name] ?? ''));
const tokensOf = (client: Parameters<Platform['tokensOf']>[0]) => own(platform.tokensOf(client));

describe('what services rely on, checked at the real sibling:', () => {
  identityContract(() => {
    const client = httpIdentityClient(askStoreAuth(to('store-auth'), tokensOf('commerce-api')));
    return { client, user: platform.demo.owner };
  });

  codesContract(() => {
    const ask = askStoreAuth(to('store-auth'), tokensOf('commerce-api'));
    const accounts = httpAccountsClient(ask);
    return { codes: httpCodesClient(ask), accounts, email: platform.demo.owner.email };
  });

  loginsContract(() => {
    const ask = askStoreAuth(to('store-auth'), tokensOf('commerce-api'));
    const asked = { client: httpIdentityClient(ask), accounts: httpAccountsClient(ask), logins: httpLoginsClient(ask) };
    return { ...asked, user: platform.demo.owner };
  });

  accountsContract(() => {
    const ask = askStoreAuth(to('store-auth'), tokensOf('commerce-api'));
    return { accounts: httpAccountsClient(ask), secondFactor: httpSecondFactorClient(ask) };
  });

  chatSyncContract(() => ({
    client: httpChatSyncClient(to('chat-backend'), tokensOf('commerce-api')),
    nohp: '628120000001',
  }));

  membershipsContract(() => {
    const ask = askStoreAuth(to('store-auth'), tokensOf('commerce-api'));
    return {
      accounts: httpAccountsClient(ask),
      identity: httpIdentityClient(ask),
      memberships: httpMembershipsClient(ask),
    };
  });

  stockContract(() => {
    const tokens = tokensOf('bot-engine');
    const tokenFor = (storeId: string) => tokens.for('commerce-api', storeId);
    return {
      stock: own(commerceStock(platform.services['commerce-api'], tokenFor)),
      item: { sku: 'BOTOL-750', stock: 12 },
    };
  });

  describe('with the phone of a customer', () => {
    const gatewayUrl = () => platform.services['wa-gateway'] ?? '';
    beforeAll(() => callGateway(gatewayUrl(), '/sim/phones', { nohp: CUSTOMER, name: 'Budi' }));
    gatewayContract(() => ({
      client: httpGatewayClient(to('wa-gateway')),
      instance: platform.demo.instance,
      number: CUSTOMER,
    }));
  });

  describe('with a store that sends by couriers', () => {
    const product = { sku: 'KOPI-1KG', price: 85_000 };
    let storeId: string;
    beforeAll(async () => {
      const visitor = new ShopClient(platform.services['commerce-api'] ?? '');
      const owner = newOwner();
      const { store } = await visitor.call<{ store: { id: string } }>('POST', '/auth/register', {
        ...{ ...owner, store_name: 'Kopi Kurir' },
      });
      storeId = store.id;
      const [, code = ''] = await mailTo(platform.sandboxes.mail ?? '', owner.email, /: (\S+)/);
      await visitor.call('POST', '/auth/verify', { email: owner.email, code });
      const shop = await visitor.login(owner.email, owner.password);
      await sendByCouriers((method, path, body) => shop.call(method, path, body));
      const [warehouse] = await shop.call<{ id: string }[]>('GET', '/warehouse');
      const stock = [{ warehouse_id: warehouse?.id, on_hand: 20 }];
      const sold = { kind: 'physical', name: 'Kopi', weight_g: 1_000, status: 'active' };
      await shop.call('POST', '/products', { ...sold, variants: [{ ...product, weight_g: 1_000, stock }] });
    });
    courierContract(() => ({
      client: httpCommerce({ http: to('commerce-api'), tokens: tokensOf('bot-engine'), secret: undefined }),
      ...{ storeId, product },
      script: (waybill) => scriptParcel(platform.sandboxes.rajaongkir ?? '', waybill),
    }));
  });

  const asked = {
    idMessage: uuidv7(),
    message: 'kak sepatu lari hitam ada?',
    timestamp: Math.floor(Date.now() / 1000),
  };
  botContract(() => ({
    client: httpBotClient(to('bot-engine'), tokensOf('chat-backend')),
    question: {
      ...{ idUser: CUSTOMER, idAgent: 'A1', idStore: platform.demo.store_id, instanceID: platform.demo.instance },
      ...{ chatId: 'a chat', team: platform.demo.team, episode: 1, escalate: '', seq: 1, ...asked },
    },
  }));
});

/** store-auth's design, section 8, points 8, 11, 18 and 23: its guarantees to services that verify its tokens. */
const dataOf = <Data>({ body }: { body: unknown }) => (body as { data: Data }).data;
const agent = () => platform.demo.agents[0] ?? platform.demo.owner;
const login = async (body: object = platform.demo.owner) =>
  dataOf<{ token: string }>(await storeAuth('/api/login', { body })).token;
const internal = () => tokensOf('commerce-api').for('store-auth');
/** Status at chat-backend and at commerce-api. */
const accepted = async (token: string) => [
  (await chat('/v1/chat_list', { token, body: { nohp: '-', instance: 'dev1', team: '3' } })).status,
  (await commerce('/api/products', { token })).status,
];

it('a token of a login is valid everywhere at once, a preview token is not', async () => {
  const token = await login();
  expect(await accepted(token)).toEqual([200, 200]);
  const body = { purpose: 'preview', referer: 'https://toko-nusa.example' };
  const preview = dataOf<{ token: string }>(await storeAuth('/api/create-token', { token, body })).token;
  expect(await accepted(preview)).toEqual([401, 401]);
});

it('a login through commerce-api is a login of store-auth', async () => {
  const answer = await commerce('/api/auth/login', { body: platform.demo.owner });
  const { access_token: token } = answer.body as { access_token: string };
  expect(await accepted(token)).toEqual([200, 200]);
  expect((await storeAuth('/api/check-validate-token', { body: { token } })).status).toBe(200);
  const wrong = await commerce('/api/auth/login', { body: { ...platform.demo.owner, password: 'wrong' } });
  expect(wrong.status).toBe(401);
});

describe('a login at commerce-api continues', () => {
  const begin = async () => {
    const { body } = await commerce('/api/auth/login', { body: platform.demo.owner });
    return (body as { access_token: string }).access_token;
  };
  const tokenOf = ({ status, body }: { status: number; body: unknown }) => {
    expect({ status, body }).toEqual({
      status: 200,
      body: { access_token: expect.any(String), token_type: 'Bearer', expires_in: expect.any(Number) },
    });
    return (body as { access_token: string }).access_token;
  };
  const refresh = (token: string) => commerce('/api/refresh', { method: 'POST', token });

  it('with a successor for its token, the same one for parallel tabs', async () => {
    const token = await begin();
    const [first, second] = (await Promise.all([refresh(token), refresh(token)])).map(tokenOf);
    expect(second).toBe(first);
    expect(await accepted(first ?? '')).toEqual([200, 200]);
    expect(decodeJwt(first ?? '').sid).toBe(decodeJwt(token).sid);
  });

  it('in another store of the user, and in no other', async () => {
    const token = await begin();
    const body = { role: 'owner', teams: [], status: 'active', updated_at: new Date().toISOString() };
    const membership = { method: 'PUT', token: await internal(), body };
    expect((await storeAuth(`/internal/memberships/S2/${decodeJwt(token).sub}`, membership)).status).toBe(200);
    const there = tokenOf(await commerce('/api/auth/switch-store', { token, body: { store_id: 'S2' } }));
    expect(decodeJwt(there)).toMatchObject({ store_id: 'S2', sid: decodeJwt(token).sid, role: 'owner' });
    expect((await commerce('/api/test', { token: there })).status).toBe(200);
    const refused = await commerce('/api/auth/switch-store', { token: there, body: { store_id: 'S9' } });
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    // The next login begins where the last one was
    tokenOf(await commerce('/api/auth/switch-store', { token: there, body: { store_id: platform.demo.store_id } }));
  });

  it('until it is logged out, and then gets no successor', async () => {
    const token = await begin();
    const answer = await commerce('/api/auth/logout', { method: 'POST', token });
    expect(answer.body).toEqual({ status: 'success', message: 'Logged out', data: null });
    expect((await refresh(token)).status).toBe(401);
    expect((await storeAuth('/api/check-validate-token', { body: { token } })).status).toBe(401);
  });
});

it('a stock question at store-auth is answered from the stock in commerce-api', async () => {
  const body = { products: [{ sku: 'KAOS-BIRU-L', qty: 26 }] };
  const answer = await storeAuth('/api/product/check_stock_products', { token: await login(), body });
  expect(answer.body).toEqual({
    status: 'success',
    message: 'stok diperiksa',
    data: [
      {
        product_id: expect.any(String),
        variant_id: expect.any(String),
        sku: 'KAOS-BIRU-L',
        qty: 26,
        stock: 25,
        available: false,
      },
    ],
    all_available: false,
  });
});

it('chat-backend and commerce-api refuse a token after a logout, here or everywhere', async () => {
  const [here, everywhere] = [await login(), await login(agent())];
  const both = async () => [...(await accepted(here)), ...(await accepted(everywhere))];
  expect((await both()).filter((status) => status === 401)).toEqual([]);
  await storeAuth('/api/logout', { method: 'POST', token: here, body: {} });
  await storeAuth('/api/logout-all', { method: 'POST', token: everywhere, body: {} });
  await until(both, (statuses) => statuses.every((status) => status === 401));
});

it('a change of teams reaches an open socket of chat-backend, which goes on without a new login', async () => {
  const token = await login(agent());
  const heard: string[] = [];
  const socket = io(platform.services['chat-backend'] ?? '', {
    auth: { token },
    transports: ['websocket'],
    reconnection: false,
  });
  socket.onAny((name: string) => heard.push(name));
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('connect_error', reject));
  let number = 0;
  const customerWrites = () => {
    const form = new FormData();
    const fields = { instanceID: 'dev1', result: 'true', report: 'false', type: 'chat', name: 'Budi' };
    const message = { ...fields, number: '6281234567890@s.whatsapp.net', id: `WA${(number += 1)}`, text: 'halo' };
    for (const [name, value] of Object.entries(message)) form.append(name, value);
    return chat('/v1/callback_message', { body: form });
  };
  const setTeams = async (teams: string[]) => {
    const body = { role: 'agent', teams, status: 'active', updated_at: new Date().toISOString() };
    const path = `/internal/memberships/${String(decodeJwt(token).store_id)}/${decodeJwt(token).sub}`;
    expect((await storeAuth(path, { method: 'PUT', token: await internal(), body })).status).toBe(200);
  };
  await setTeams(['4']);
  const listens = async () => {
    heard.length = 0;
    expect((await customerWrites()).status).toBe(200);
    // An answer on the socket comes after what was emitted before it
    await socket.emitWithAck('chatLeave', {});
    return heard.length > 0;
  };
  await until(listens, (hears) => !hears);
  await setTeams(['3']);
  await until(listens, (hears) => hears);
  expect([socket.connected, (await accepted(token))[0]]).toEqual([true, 200]);
  socket.close();
});

describe('a shop against the running store-auth, with mail that the sandbox gets:', () => {
  const place = () => ({ commerce: platform.services['commerce-api'] ?? '', mailbox: platform.sandboxes.mail ?? '' });
  const visitor = () => new ShopClient(place().commerce);
  /** As `npm run demo -- shop` prints them, without what differs between runs. */
  const withoutChance = (text: string): string =>
    text
      .replace(/INV-\d{6}-\w{6}/g, 'INV-YYMMDD-XXXXXX')
      .replace(/JNE\w{6}/g, 'JNEXXXXXX')
      .replace(/RCP-\d{4}/g, 'RCP-YYYY')
      .replace(/code \w{8}$/gm, 'code XXXXXXXX')
      .replace(/\d+ bytes/g, 'N bytes');

  it('is registered, sells by a link, is paid by hand, sends, and gives a receipt whose PDF names its number and its sum, as the README shows', async () => {
    const told: string[] = [];
    const { order, receipt } = await makeJourney(place(), (name, text) => told.push(`${name.padStart(14)} | ${text}`));
    const sum = /Rp\s?188\.000/;
    for (const text of [(await textOf(receipt)).join('\n'), ...byPoppler(receipt)]) {
      expect(text).toContain(order.receipt_no);
      expect(text).toContain(order.number);
      expect(text).toMatch(sum);
    }
    const readme = readFileSync(join(workspaceRoot, 'README.md'), 'utf8');
    const [, shown = ''] = /<!-- demo-shop:begin .*?-->\s*```\n(.*?)```/s.exec(readme) ?? [];
    expect(withoutChance(`${told.join('\n')}\n`)).toBe(withoutChance(shown));
  });

  const registered = async () => {
    const owner = newOwner();
    const shop = await visitor().call<{ store: { id: string } }>('POST', '/auth/register', {
      ...owner,
      store_name: owner.email,
    });
    const [, code = ''] = await mailTo(place().mailbox, owner.email, /: (\S+)/);
    await visitor().call('POST', '/auth/verify', { email: owner.email, code });
    return { ...owner, storeId: shop.store.id };
  };
  const storesOf = async (shop: ShopClient) =>
    (await shop.call<{ store: { id: string } }[]>('GET', '/profile/stores')).map(({ store }) => store.id).toSorted();
  const invited = async (shop: ShopClient, email: string): Promise<string> => {
    await shop.call('POST', '/team/invite', { email, role_id: 'cs' });
    const [, token = ''] = await mailTo(place().mailbox, email, /\/invitation\/(\S+)/);
    return token;
  };

  it('lets nobody in before the address is verified, and then whoever registered it', async () => {
    const owner = newOwner();
    await visitor().call('POST', '/auth/register', { ...owner, store_name: 'Toko Belum' });
    await expect(visitor().login(owner.email, owner.password)).rejects.toThrow('email_unverified');
    const [, code = ''] = await mailTo(place().mailbox, owner.email, /: (\S+)/);
    await visitor().call('POST', '/auth/verify', { email: owner.email, code });
    expect(await storesOf(await visitor().login(owner.email, owner.password))).toHaveLength(1);
  });

  it('invites the owner of another one, who accepts with the password they have and switches between the two', async () => {
    const [host, guest] = [await registered(), await registered()];
    const shop = await visitor().login(host.email, host.password);
    const token = await invited(shop, guest.email);
    await visitor().answer('POST', '/team/invitation/accept', { token, password: guest.password });
    const own = await visitor().login(guest.email, guest.password);
    expect(await storesOf(own)).toEqual([host.storeId, guest.storeId].toSorted());
    for (const [storeId, role] of [
      [host.storeId, 'cs'],
      [guest.storeId, 'owner'],
    ] as const) {
      const there = await own.in(storeId);
      const me = await there.call<{ store: { id: string }; role: { id: string } }>('GET', '/auth/me');
      expect([me.store.id, me.role.id]).toEqual([storeId, role]);
    }
    await expect(own.in('S1')).rejects.toThrow('forbidden');
  });

  it('invites somebody without an account, who has one by accepting and can work at once', async () => {
    const host = await registered();
    const shop = await visitor().login(host.email, host.password);
    const { email, password, name } = newOwner();
    const token = await invited(shop, email);
    const answer = await visitor().answer('POST', '/team/invitation/accept', { token, password, name });
    const { access_token } = (await answer.json()) as { access_token: string };
    const member = visitor().as(access_token);
    expect(await member.call<unknown[]>('GET', '/order')).toEqual([]);
    await expect(member.call('GET', '/payment')).rejects.toThrow('403');
    const { members } = await shop.call<{ members: { email: string; role: { id: string } }[] }>('GET', '/team');
    expect(members.map((each) => [each.email, each.role.id]).toSorted()).toEqual(
      [
        [email, 'cs'],
        [host.email, 'owner'],
      ].toSorted(),
    );
  });
});
