import { environment } from '@platform/runtime';
import { caller, until } from '@platform/testing';
import { decodeJwt } from 'jose';
import { io } from 'socket.io-client';
import { AGENT, basic, OWNER_LOGIN, PASSWORD, shop } from './app.fixture';
import { startPlatform, type Platform } from './platform.fixture';

/** Design section 8, points 8, 11, 18 and 23: what store-auth promises to the services that verify its tokens. */
let platform: Platform;
let storeAuth: ReturnType<typeof caller>;
let chat: ReturnType<typeof caller>;
let commerce: ReturnType<typeof caller>;

beforeAll(async () => {
  platform = await startPlatform();
  storeAuth = caller(platform.storeAuth.url);
  chat = caller(platform.chat.url);
  commerce = caller(platform.commerce.url);
}, 60_000);
afterAll(() => platform.stop());

const dataOf = <Data>({ body }: { body: unknown }) => (body as { data: Data }).data;
const login = async (body: object = OWNER_LOGIN) =>
  dataOf<{ token: string }>(await storeAuth('/api/login', { body })).token;
const internal = async () => {
  const body = { audience: 'store-auth' };
  const answer = await storeAuth('/internal/service-tokens', { body, headers: basic('commerce-api') });
  return dataOf<{ access_token: string }>(answer).access_token;
};
/** Status at chat-backend and at commerce-api. */
const accepted = async (token: string) => [
  (await chat('/v1/chat_list', { token, body: { nohp: '-', instance: 'dev1', team: '3' } })).status,
  (await commerce('/api/products', { token })).status,
];

it('a login is good everywhere at once; a preview token is not', async () => {
  const token = await login();
  expect(await accepted(token)).toEqual([200, 200]);
  const body = { purpose: 'preview', referer: 'https://toko-nusa.example' };
  const preview = dataOf<{ token: string }>(await storeAuth('/api/create-token', { token, body })).token;
  expect(await accepted(preview)).toEqual([401, 401]);
});

it('a login through commerce-api is one of store-auth', async () => {
  const answer = await commerce('/api/auth/login', { body: OWNER_LOGIN });
  const { access_token: token } = answer.body as { access_token: string };
  expect(await accepted(token)).toEqual([200, 200]);
  expect((await storeAuth('/api/check-validate-token', { body: { token } })).status).toBe(200);
  const wrong = await commerce('/api/auth/login', { body: { ...OWNER_LOGIN, password: 'wrong' } });
  expect(wrong.status).toBe(401);
});

describe('a login at commerce-api goes on', () => {
  const begin = async () => {
    const { body } = await commerce('/api/auth/login', { body: OWNER_LOGIN });
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
    const [token, user_id] = [await begin(), shop.owner.user_id];
    const body = { role: 'owner', teams: [], status: 'active', updated_at: new Date().toISOString() };
    const membership = { method: 'PUT', token: await internal(), body };
    expect((await storeAuth(`/internal/memberships/S2/${user_id}`, membership)).status).toBe(200);
    const there = tokenOf(await commerce('/api/auth/switch-store', { token, body: { store_id: 'S2' } }));
    expect(decodeJwt(there)).toMatchObject({ store_id: 'S2', sid: decodeJwt(token).sid, role: 'owner' });
    expect((await commerce('/api/test', { token: there })).status).toBe(200);
    const refused = await commerce('/api/auth/switch-store', { token: there, body: { store_id: 'S9' } });
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    // The next login begins where the last one was
    tokenOf(await commerce('/api/auth/switch-store', { token: there, body: { store_id: shop.store.store_id } }));
  });

  it('until it is logged out: then there is no successor', async () => {
    const token = await begin();
    const answer = await commerce('/api/auth/logout', { method: 'POST', token });
    expect(answer.body).toEqual({ status: 'success', message: 'Logged out', data: null });
    expect((await refresh(token)).status).toBe(401);
    expect((await storeAuth('/api/check-validate-token', { body: { token } })).status).toBe(401);
  });
});

it('a stock question goes through to the shelves of the shop', async () => {
  const body = { products: [{ sku: 'KAOS-M', qty: 8 }] };
  const answer = await storeAuth('/api/product/check_stock_products', { token: await login(), body });
  expect(answer.body).toEqual({
    status: 'success',
    message: 'stok diperiksa',
    data: [
      {
        product_id: expect.any(String),
        variant_id: expect.any(String),
        sku: 'KAOS-M',
        qty: 8,
        stock: 7,
        available: false,
      },
    ],
    all_available: false,
  });
});

/** Design 3.2: by the channel, or by the feed. */
const LIMIT_MS = environment.REDIS_URL ? 1_000 : 5_000;

it(`after a logout, here or everywhere, both refuse the token within ${LIMIT_MS / 1000} s`, async () => {
  const [here, everywhere] = [await login(), await login({ email: AGENT.email, password: PASSWORD })];
  const both = async () => [...(await accepted(here)), ...(await accepted(everywhere))];
  expect((await both()).filter((status) => status === 401)).toEqual([]);
  await storeAuth('/api/logout', { method: 'POST', token: here, body: {} });
  await storeAuth('/api/logout-all', { method: 'POST', token: everywhere, body: {} });
  const since = performance.now();
  await until(both, (statuses) => statuses.every((status) => status === 401), 15_000);
  expect(performance.now() - since).toBeLessThan(LIMIT_MS);
});

it('other teams reach an open socket of chat-backend, which goes on without a new login', async () => {
  const token = await login({ email: AGENT.email, password: PASSWORD });
  const heard: string[] = [];
  const socket = io(platform.chat.url, { auth: { token }, transports: ['websocket'], reconnection: false });
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
    const path = `/internal/memberships/${String(decodeJwt(token).store_id)}/${AGENT.user_id}`;
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
  await until(listens, (hears) => !hears, 15_000);
  await setTeams(['3']);
  await until(listens, (hears) => hears, 15_000);
  expect([socket.connected, (await accepted(token))[0]]).toEqual([true, 200]);
  socket.close();
});
