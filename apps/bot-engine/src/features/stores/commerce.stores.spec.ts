import { NotFound, Unavailable } from '@platform/errors';
import { httpClient } from '@platform/http';
import { fixedClock, silentLogger, uuidv7 } from '@platform/runtime';
import { useDatabase, useForEach } from '@platform/testing';
import { httpCommerce } from '../../clients/commerce';
import { FAKE_SECRET, fakeShop, startFakeCommerce } from '../../clients/commerce.fake';
import { entities, migrations, SCHEMA } from '../../data-source';
import { CommerceStores } from './commerce.stores';
import { StoreCopies } from './store.copies';

const DAY_MS = 24 * 3_600_000;
const database = useDatabase({ schema: SCHEMA, entities, migrations });
const fake = useForEach(() => startFakeCommerce([]));
const http = useForEach(() => httpClient('commerce-api', fake.url));
const clock = useForEach(() => fixedClock(new Date()));
const tokens = { name: 'tokens', for: () => Promise.resolve('a token') };
/** One process of the service. */
const directory = () => {
  const commerce = httpCommerce({ http, tokens, secret: FAKE_SECRET });
  return new CommerceStores({ commerce, copies: new StoreCopies(database), clock, logger: silentLogger });
};
/** A store that commerce knows. */
const opened = (): string => {
  const storeId = uuidv7();
  fake.shops.set(storeId, fakeShop(storeId, { name: `Toko ${storeId}` }));
  return storeId;
};
const asked = (storeId: string): number => fake.seen.filter(({ store }) => store === storeId).length;

describe('a store of commerce-api', () => {
  it('is told with its facts and the replies of its plan, and keeps the caps that it has here', async () => {
    const storeId = opened();
    const replies = {
      reply_limit: 500,
      period_start: '2026-03-01T00:00:00.000Z',
      period_end: '2026-04-01T00:00:00.000Z',
    };
    Object.assign(fake.shops.get(storeId) ?? {}, { ai: replies });
    await directory().get(storeId);
    await database.query('UPDATE bot_stores SET day_cap_micros = 5000000 WHERE store_id = $1', [storeId]);
    expect({ ...(await directory().get(storeId)) }).toEqual({
      ...{ id: storeId, name: `Toko ${storeId}`, timezone: 'Asia/Jakarta', currency: 'IDR', status: 'active' },
      facts: { phone: '6281234567890', address: 'Jl. Merdeka 1, Bandung, 40111', hours: 'Senin 08:00-17:00' },
      ...{ replyLimit: 500, periodStart: new Date('2026-03-01'), periodEnd: new Date('2026-04-01') },
      ...{ dayCapMicros: 5_000_000, monthCapMicros: null },
    });
  });

  it('is asked for once a minute, however many ask at once', async () => {
    const [storeId, stores] = [opened(), directory()];
    await Promise.all(Array.from({ length: 50 }, () => stores.get(storeId)));
    clock.advance(59_000);
    await stores.get(storeId);
    expect(asked(storeId)).toBe(1);
    clock.advance(2_000);
    await stores.get(storeId);
    expect(asked(storeId)).toBe(2);
  });

  it('is its last good copy for a day while commerce is down, and the new one once that is back', async () => {
    const [storeId, other] = [opened(), opened()];
    await directory().get(storeId);
    fake.moods.push({ does: 503 });
    const stores = directory();
    clock.advance(DAY_MS - 60_000);
    expect((await stores.get(storeId)).name).toBe(`Toko ${storeId}`);
    await stores.get(storeId);
    expect(asked(storeId)).toBe(2);
    await expect(stores.get(other)).rejects.toBeInstanceOf(Unavailable);
    clock.advance(61_000);
    await expect(stores.get(storeId)).rejects.toBeInstanceOf(Unavailable);
    fake.moods.length = 0;
    fake.shops.set(storeId, fakeShop(storeId, { name: 'Toko Baru' }));
    expect((await stores.get(storeId)).name).toBe('Toko Baru');
  });

  it('whose calls hang holds up no other store', async () => {
    const [hanging, fine, stores] = [opened(), opened(), directory()];
    fake.moods.push({ does: 'hang', store: hanging });
    const waiting = Promise.allSettled(Array.from({ length: 30 }, () => stores.get(hanging)));
    expect((await stores.get(fine)).id).toBe(fine);
    const outcomes = await waiting;
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect(asked(hanging)).toBe(1);
  });

  it('is suspended with its copy or without one, and active again afterwards', async () => {
    const [known, unknown, stores] = [opened(), opened(), directory()];
    await stores.get(known);
    for (const storeId of [known, unknown]) Object.assign(fake.shops.get(storeId) ?? {}, { status: 'suspended' });
    clock.advance(61_000);
    expect([await stores.get(known), await stores.get(unknown)].map(({ name, status }) => [name, status])).toEqual([
      [`Toko ${known}`, 'suspended'],
      ['', 'suspended'],
    ]);
    Object.assign(fake.shops.get(known) ?? {}, { status: 'closed' });
    clock.advance(61_000);
    expect((await stores.get(known)).status).toBe('active');
  });

  it('that there is none of is not found, also when there was one', async () => {
    const [storeId, stores] = [opened(), directory()];
    await stores.get(storeId);
    fake.shops.delete(storeId);
    clock.advance(61_000);
    for (const gone of [storeId, 'nowhere']) await expect(stores.get(gone)).rejects.toBeInstanceOf(NotFound);
    fake.moods.push({ does: 503 });
    await expect(stores.get(storeId)).rejects.toBeInstanceOf(Unavailable);
  });
});
