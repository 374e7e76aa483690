import { caller, until, useOpened } from '@platform/testing';
import { bearer, newApiToken, newMember, newStore, startCommerce, useCommerce } from './commerce.fixture';

const commerce = useCommerce();
const opened = useOpened();

it('a user and an API token may ask so often a minute, and other users, stores and the services are not counted with them', async () => {
  const shop = opened(await startCommerce({ RATE_PER_MINUTE: '3' }));
  const storeId = await newStore(shop);
  const [member, other] = [await newMember(shop, storeId, 'admin'), await newMember(shop, storeId, 'admin')];
  const { token: apiToken } = await newApiToken(shop, storeId);
  const service = shop.storeAuth.serviceToken('bot-engine', storeId);
  const ask = async (token: string, path = '/api/products') => (await shop.call('GET', path, token)).status;
  for (const token of [member.token, apiToken])
    expect([await ask(token), await ask(token), await ask(token), await ask(token)]).toEqual([200, 200, 200, 429]);
  expect(await ask(member.token, '/api/warehouse')).toBe(429);
  expect(await ask(other.token)).toBe(200);
  for (let times = 0; times < 5; times++) expect(await ask(service)).toBe(200);
  const me = [0, 1, 2, 3].map(() => ask(other.token, '/api/test'));
  expect((await Promise.all(me)).sort()).toEqual([200, 200, 200, 429]);
});

it('an address may ask so often a minute for another token', async () => {
  const { url } = opened(await startCommerce());
  const refresh = async () => (await caller(url)('/api/refresh', { method: 'POST', token: 'nobody' })).status;
  const asked = await Promise.all(Array.from({ length: 61 }, refresh));
  expect(asked.filter((status) => status === 429)).toHaveLength(1);
});

it('a store whose requests all wait leaves connections to the others, and gets every answer in the end', async () => {
  const [noisy, quiet] = [await newStore(commerce, [{ sku: 'N' }]), await newStore(commerce, [{ sku: 'Q' }])];
  const tokenOf = (store_id: string) => commerce.storeAuth.userToken({ store_id });
  const { pool } = commerce.app.database;
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const locking = commerce.database.tx(async (tx) => {
    await tx.query('SELECT 1 FROM product WHERE store_id = $1 FOR UPDATE', [noisy]);
    await held;
  });
  const [{ id } = { id: '' }] = await commerce.database.query<{ id: string }>(
    'SELECT id FROM product WHERE store_id = $1',
    [noisy],
  );
  const change = (at: number) => commerce.call('PUT', `/api/products/${id}`, tokenOf(noisy), { name: `Name ${at}` });
  const waiting = Array.from({ length: 2 * pool.options.max }, (_, at) => change(at));
  const waits = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await until(async () => (await commerce.database.query(waits)).length >= pool.options.max / 2);
  expect((await commerce.get('/api/products', bearer(tokenOf(quiet)))).status).toBe(200);
  letGo();
  await locking;
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(waiting.map(() => 200));
});
