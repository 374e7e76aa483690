import { until, untilWaiting } from '@platform/testing';
import { newMember, newStore, useCommerce } from '../../../commerce.fixture';
import { touch } from '../../chat/copies/public';
import { StoreStanding } from './store.standing';

const commerce = useCommerce();

const ask = async (method: string, path: string, token?: string, body?: object) => {
  const answer = await commerce.call(method, path, token, body);
  return { status: answer.status, body: answer.body as { data?: Record<string, unknown> } };
};
const view = (id: string) => ({
  id,
  name: 'Toko Nusa',
  slug: id,
  url: `https://shop.example/s/${id}`,
  currency: 'IDR',
  timezone: 'Asia/Jakarta',
  status: 'open',
  logo_url: null,
  description: '',
  phone: null,
  address: null,
  hours: [],
  kyc_status: null,
});
const updated = (data: object) => ({ status: 200, body: { status: 'success', message: 'Store updated', data } });
const pushed = (storeId: string, name: string) =>
  until(
    async () => commerce.storeAuth.pushed.get(storeId) as { nama?: string } | undefined,
    (it) => it?.nama === name,
  );

describe('the store', () => {
  it('is read by every member, by an API token of it and by the bot', async () => {
    const storeId = await newStore(commerce);
    const { token } = await newMember(commerce, storeId, 'warehouse');
    for (const reader of [token, commerce.storeAuth.serviceToken('store-auth', storeId)])
      expect((await ask('GET', '/api/store', reader)).body.data).toEqual(view(storeId));
    const month = { period_start: '2026-02-28T17:00:00.000Z', period_end: '2026-03-31T17:00:00.000Z' };
    expect((await ask('GET', '/api/store', commerce.storeAuth.serviceToken('bot-engine', storeId))).body.data).toEqual({
      ...{ ...view(storeId), ai: { reply_limit: null, ...month } },
    });
    const ads = await ask('GET', '/api/store', commerce.storeAuth.serviceToken('ads-client', storeId));
    expect(ads.status).toBe(403);
  });

  it('changes what is given and nothing of another store; store-auth and the log are told', async () => {
    const [mine, theirs] = [await newStore(commerce), await newStore(commerce)];
    const { token, userId } = await newMember(commerce, mine, 'admin');
    const change = {
      name: 'Toko Baru',
      address: { line: 'Jl. Braga 1', city: 'Bandung' },
      hours: [{ day: 0, open: '08:00', close: '12:30' }],
    };
    expect(await ask('PUT', '/api/store', token, change)).toEqual(updated({ ...view(mine), ...change }));
    expect((await ask('GET', '/api/store', token)).body.data).toEqual({ ...view(mine), ...change });
    expect((await ask('GET', '/api/store', commerce.storeAuth.userToken({ store_id: theirs }))).body.data).toEqual(
      view(theirs),
    );
    await pushed(mine, 'Toko Baru');
    const [entry] = (await ask('GET', '/api/logs', token)).body.data as unknown as object[];
    expect(entry).toMatchObject({
      actor: { id: userId, kind: 'user' },
      action: 'settings.write',
      subject: { type: 'store', id: mine },
      diff: { name: { from: 'Toko Nusa', to: 'Toko Baru' } },
    });
  });

  it('closes for customers and opens again, and a suspended one is not opened by its members', async () => {
    const storeId = await newStore(commerce);
    const { token } = await newMember(commerce, storeId, 'admin');
    const set = (status: string) => ask('PUT', '/api/store/status', token, { status });
    expect(await set('closed')).toEqual(updated({ ...view(storeId), status: 'closed' }));
    expect(await set('open')).toEqual(updated(view(storeId)));
    expect((await set('suspended')).status).toBe(422);
    await commerce.database.query(`UPDATE store SET status = 'suspended' WHERE store_id = $1`, [storeId]);
    expect(await set('open')).toMatchObject({ status: 403, body: { code: 'store_suspended' } });
  });
});

describe('the public shop', () => {
  const unknown = { status: 404, body: { status: 'error', message: 'Store not found', code: 'not_found' } };

  it('shows what customers may know, and nothing of a suspended store', async () => {
    const storeId = await newStore(commerce);
    const path = `/api/store/public/${storeId}`;
    const { status, body, headers } = await commerce.call('GET', path);
    expect({ status, body, cache: headers.get('cache-control') }).toEqual({
      status: 200,
      body: {
        status: 'success',
        message: 'OK',
        data: {
          name: 'Toko Nusa',
          slug: storeId,
          logo_url: null,
          description: '',
          city: null,
          hours: [],
          status: 'open',
        },
      },
      cache: 'public, max-age=30',
    });
    await commerce.database.query(`UPDATE store SET status = 'suspended' WHERE store_id = $1`, [storeId]);
    expect(await ask('GET', path)).toEqual(unknown);
    expect(await ask('GET', '/api/store/public/nobody')).toEqual(unknown);
  });
});

describe('while chat-backend is about to be told of an order', () => {
  const standing = new StoreStanding({
    store: (tx, storeId) => touch(tx, { storeId, at: commerce.clock.now() }, 'stores', [storeId]),
  });
  const owner = (storeId: string) => commerce.storeAuth.userToken({ store_id: storeId });
  it.each<[string, (storeId: string) => Promise<unknown>]>([
    ['renamed', (storeId) => ask('PUT', '/api/store', owner(storeId), { name: 'Toko Baru' })],
    [
      'suspended',
      (storeId) => {
        const at = commerce.clock.now();
        const audit = { tenantId: storeId, actor: { id: 'ops', name: 'ops', kind: 'system' }, at } as const;
        return commerce.database.tx((tx) => standing.suspend(tx, { storeId, actor: 'ops', at, audit }, true));
      },
    ],
  ])('a store is %s without keeping from their rows those who have locked what tells of it', async (_, change) => {
    const storeId = await newStore(commerce);
    const at = commerce.clock.now();
    const told = `INSERT INTO sync_pending (store_id, kind, row_id, version, deleted) VALUES ($1, 'orders', 'o1', 1, false)`;
    await commerce.database.query(told, [storeId]);
    const { changed } = await commerce.database.tx(async (tx) => {
      await touch(tx, { storeId, at }, 'orders', ['o1']);
      await tx.query('SELECT $1::int', [1]);
      const changing = change(storeId);
      await untilWaiting(tx, changing);
      await tx.query('SELECT FROM store WHERE store_id = $1 FOR KEY SHARE NOWAIT', [storeId]);
      return { changed: changing };
    });
    await changed;
  });
});
