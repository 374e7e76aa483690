import { signInternalCall } from '@platform/auth';
import { uuidv7 } from '@platform/runtime';
import { caller, expectNoSeqScan, explain, until, useRunning } from '@platform/testing';
import { invalid, ownStore, refused, succeeded, type OwnStore } from '../../../asked.fixture';
import { startDnsServer } from '../../../clients/dns.server.fixture';
import { bearer, NOW, startCommerce, type Commerce } from '../../../commerce.fixture';
import { jobQueue } from '../../../jobs';
import { createStore } from '../../shop/store/public';
import { noticedOf } from '../noticed.fixture';
import { DUE_DOMAINS } from './domain.checks';
import type { Domain, ResolvedHost, Subdomain } from './domains.dto';
import { DOMAINS } from './domains.sql';

const HOUR = 3_600_000;
const SECRET = 'a secret of the ingress';
const TARGET = 'shops.id';

const dns = useRunning(startDnsServer);
let commerce: Commerce;
beforeAll(async () => {
  const settings = { SHOP_DOMAIN: TARGET, INGRESS_SECRET: SECRET, DNS_SERVERS: dns.address };
  commerce = await startCommerce(settings);
});
afterAll(() => commerce.stop());
beforeEach(() => {
  dns.isBroken = false;
  dns.zone.clear();
});

const add = async ({ ask }: OwnStore, host: string): Promise<Domain> =>
  (await ask<Domain>('POST', '/custom_domain', { host })).body.data;
const read = async ({ ask }: OwnStore, id: string): Promise<Domain> =>
  (await ask<Domain>('GET', `/custom_domain/${id}`)).body.data;
const verify = ({ ask }: OwnStore, id: string) => ask<Domain>('POST', `/custom_domain/${id}/verify`);

/** The merchant sets the records that they were shown. */
const setRecords = ({ host, records }: Domain): void => {
  dns.zone.set(`_verify.${host}`, { TXT: ['something else', records[0]?.value ?? ''] });
  dns.zone.set(host, { CNAME: [TARGET] });
};
const proved = async (store: OwnStore, host: string): Promise<Domain> => {
  const domain = await add(store, host);
  setRecords(domain);
  return (await verify(store, domain.id)).body.data;
};
/** Has looked up whatever is due, until the domain has been. */
const lookedUp = async (store: OwnStore, id: string): Promise<Domain> => {
  await jobQueue().enqueue(commerce.database, 'domain.due', {});
  return until(
    () => read(store, id),
    ({ checked_at }) => checked_at === commerce.clock.now().toISOString(),
  );
};

let seen = 0;
/** Each call at an instant of its own, or its signature was seen. */
const resolve = async (host: string, { secret = SECRET, service = 'ingress' } = {}) => {
  const path = `/api/domain/resolve?host=${encodeURIComponent(host)}`;
  const clock = { now: () => new Date(commerce.clock.now().getTime() - ++seen) };
  const headers = signInternalCall({ service, secret, clock }, { method: 'GET', path });
  const { status, body } = await caller(commerce.url)(path, { headers });
  return { status, body: body as { data: ResolvedHost } };
};

describe('an own domain', () => {
  it('is shown the records to set, and is active when both are found', async () => {
    const store = await ownStore(commerce);
    const domain = await add(store, 'Shop.Alfa.Com.');
    const txt = { type: 'TXT', name: '_verify.shop.alfa.com', value: expect.stringMatching(/^verify-[0-9a-f]{32}$/) };
    const cname = { type: 'CNAME', name: 'shop.alfa.com', value: TARGET };
    const pending = {
      ...{ id: domain.id, host: 'shop.alfa.com', status: 'pending', failure: null },
      records: [
        { ...txt, found: false },
        { ...cname, found: false },
      ],
      ...{ checked_at: null, verified_at: null, created_at: NOW },
    };
    expect(domain).toEqual(pending);
    setRecords(domain);
    const records = [
      { ...txt, found: true },
      { ...cname, found: true },
    ];
    const active = { ...pending, records, status: 'active', checked_at: NOW, verified_at: NOW };
    expect(await verify(store, domain.id)).toEqual(succeeded(200, 'OK', active));
    expect((await store.ask('GET', '/custom_domain')).body.data).toEqual([active]);
    expect((await resolve('SHOP.alfa.com:443')).body.data).toMatchObject({ store_id: store.storeId, kind: 'store' });
  });

  it('without a CNAME, as whole domains are, is active when it has the addresses of the target', async () => {
    const store = await ownStore(commerce);
    const domain = await add(store, 'beta.com');
    dns.zone.set('_verify.beta.com', { TXT: [domain.records[0]?.value ?? ''] });
    dns.zone.set(TARGET, { A: ['203.0.113.7', '203.0.113.8'] });
    dns.zone.set('beta.com', { A: ['203.0.113.7', '198.51.100.1'] });
    expect((await verify(store, domain.id)).body.data).toMatchObject({ status: 'pending' });
    dns.zone.set('beta.com', { A: ['203.0.113.8'] });
    expect((await verify(store, domain.id)).body.data).toMatchObject({ status: 'active' });
  });

  it.each([
    ['only points here', (host: string) => dns.zone.delete(`_verify.${host}`)],
    ['only proves who owns it', (host: string) => dns.zone.delete(host)],
    ['has the token of somebody else', (host: string) => dns.zone.set(`_verify.${host}`, { TXT: ['verify-0'] })],
  ])('is not active while it %s', async (_, spoil) => {
    const store = await ownStore(commerce);
    const domain = await add(store, `half-${++seen}.gamma.com`);
    setRecords(domain);
    spoil(domain.host);
    expect((await verify(store, domain.id)).body.data).toMatchObject({ status: 'pending', failure: null });
    expect((await resolve(domain.host)).status).toBe(404);
  });

  it('is looked up by itself for 72 hours, then has failed, of which the members hear, and can be tried again', async () => {
    const store = await ownStore(commerce);
    const { id, host } = await add(store, 'delta.com');
    commerce.clock.advance(71 * HOUR);
    expect(await lookedUp(store, id)).toMatchObject({ status: 'pending' });
    commerce.clock.advance(2 * HOUR);
    expect(await lookedUp(store, id)).toMatchObject({ status: 'failed', failure: 'not_verified' });
    const told = { event: 'domain.failed', url: '/domains', body: expect.stringContaining(host) };
    expect(await noticedOf(commerce, store.storeId, told.event)).toEqual([told]);
    setRecords(await read(store, id));
    expect((await verify(store, id)).body.data).toMatchObject({ status: 'active', failure: null });
  });

  it('that is active stays so while no name server answers, and is let go when its records are gone for 72 hours', async () => {
    const [store, other] = [await ownStore(commerce), await ownStore(commerce)];
    const { id, host } = await proved(store, 'epsilon.com');
    dns.isBroken = true;
    expect(await verify(store, id)).toEqual(refused(502, 'provider_error', 'The name servers do not answer'));
    commerce.clock.advance(100 * HOUR);
    expect((await resolve(host)).status).toBe(200);
    dns.isBroken = false;
    dns.zone.clear();
    expect(await lookedUp(store, id)).toMatchObject({ status: 'active' });
    commerce.clock.advance(73 * HOUR);
    expect(await lookedUp(store, id)).toMatchObject({ status: 'failed', failure: 'records_gone' });
    expect((await resolve(host)).status).toBe(404);
    expect((await proved(other, host)).status).toBe('active');
  });

  it('that is new has failed after 72 hours although no name server ever told anything of it', async () => {
    const store = await ownStore(commerce);
    const { id } = await add(store, 'iota.com');
    dns.isBroken = true;
    commerce.clock.advance(71 * HOUR);
    await jobQueue().enqueue(commerce.database, 'domain.due', {});
    await until(() => dns.asked.includes('TXT _verify.iota.com'));
    commerce.clock.advance(2 * HOUR);
    await jobQueue().enqueue(commerce.database, 'domain.due', {});
    expect(
      await until(
        () => read(store, id),
        ({ status }) => status !== 'pending',
      ),
    ).toMatchObject({ status: 'failed', failure: 'not_verified', checked_at: null });
  });

  it('belongs to whoever proves it first, whoever has added it first', async () => {
    const [squatter, owner] = [await ownStore(commerce), await ownStore(commerce)];
    const held = await add(squatter, 'zeta.com');
    expect(await proved(owner, 'zeta.com')).toMatchObject({ status: 'active' });
    dns.zone.set('_verify.zeta.com', { TXT: [held.records[0]?.value ?? ''] });
    expect((await verify(squatter, held.id)).body.data).toMatchObject({ status: 'failed', failure: 'host_taken' });
    expect((await resolve('zeta.com')).body.data.store_id).toBe(owner.storeId);
    const taken = refused(409, 'host_taken', 'The host belongs to a shop already');
    expect(await (await ownStore(commerce)).ask('POST', '/custom_domain', { host: 'zeta.com' })).toEqual(taken);
    expect(await owner.ask('POST', '/custom_domain', { host: 'ZETA.com' })).toEqual(taken);
  });

  it('that two stores have proved at one moment has one of them', async () => {
    const stores = await Promise.all([ownStore(commerce), ownStore(commerce), ownStore(commerce)]);
    const added = await Promise.all(stores.map((store) => add(store, 'eta.com')));
    dns.zone.set('_verify.eta.com', { TXT: added.map(({ records }) => records[0]?.value ?? '') });
    dns.zone.set('eta.com', { CNAME: [TARGET] });
    const states = await Promise.all(
      stores.map(async (store, at) => (await verify(store, added[at]?.id ?? '')).body.data.status),
    );
    expect(states.toSorted()).toEqual(['active', 'failed', 'failed']);
  });

  it.each(['com', 'co.id', 'github.io', TARGET, `toko.${TARGET}`, 'shop.example', '127.0.0.1', 'javascript:alert(1)'])(
    'cannot be %s',
    async (host) => {
      const { ask } = await ownStore(commerce);
      const { status, body } = await ask('POST', '/custom_domain', { host });
      expect([status, body.code]).toEqual([422, 'validation']);
    },
  );

  it('of another store is not found, and once removed leads nowhere', async () => {
    const [mine, theirs] = [await ownStore(commerce), await ownStore(commerce)];
    const { id, host } = await proved(mine, 'theta.com');
    const missing = refused(404, 'not_found', 'Domain not found');
    expect(await theirs.ask('GET', `/custom_domain/${id}`)).toEqual(missing);
    expect(await theirs.ask('POST', `/custom_domain/${id}/verify`)).toEqual(missing);
    expect(await theirs.ask('DELETE', `/custom_domain/${id}`)).toEqual(missing);
    expect((await mine.ask('DELETE', `/custom_domain/${id}`)).status).toBe(200);
    expect((await resolve(host)).status).toBe(404);
  });
});

describe('the subdomain of a shop', () => {
  it('can be changed to a free one; the former still leads there, and belongs to nobody else', async () => {
    const [store, other] = [await ownStore(commerce), await ownStore(commerce)];
    const former = (await store.ask<Subdomain>('GET', '/domain')).body.data.subdomain;
    const name = `nusa-${++seen}`;
    const answer = await store.ask<Subdomain>('PUT', '/domain', { subdomain: name });
    expect(answer).toEqual(succeeded(200, 'Subdomain updated', { subdomain: name, host: `${name}.${TARGET}` }));
    const found = { store_id: store.storeId, slug: name, kind: 'store' };
    expect((await resolve(`${name}.${TARGET}`)).body.data).toEqual(found);
    expect((await resolve(`${former}.${TARGET}`)).body.data).toEqual(found);
    const taken = refused(409, 'host_taken', 'The subdomain belongs to another shop');
    for (const subdomain of [name, former]) expect(await other.ask('PUT', '/domain', { subdomain })).toEqual(taken);
    expect((await store.ask('PUT', '/domain', { subdomain: former })).status).toBe(200);
  });

  it('lets the oldest of more than four former names go', async () => {
    const [store, other] = [await ownStore(commerce), await ownStore(commerce)];
    const names = Array.from({ length: 6 }, () => `nama-${++seen}`);
    for (const subdomain of names) {
      commerce.clock.advance(1000);
      await store.ask('PUT', '/domain', { subdomain });
    }
    const free = async (name = '') => (await other.ask<object>('GET', `/domain/check?subdomain=${name}`)).body.data;
    expect(await Promise.all(names.map(free))).toEqual([
      { available: true, reason: null },
      ...Array<object>(5).fill({ available: false, reason: 'taken' }),
    ]);
  });

  it.each([
    ['www', { available: false, reason: 'reserved' }],
    ['xn--toko', { available: false, reason: 'invalid' }],
    ['frei-und-neu', { available: true, reason: null }],
  ])('%s is told to be free or not', async (subdomain, told) => {
    const { ask } = await ownStore(commerce);
    expect(await ask('GET', `/domain/check?subdomain=${subdomain}`)).toEqual(succeeded(200, 'OK', told));
    const expected = told.available ? 200 : 422;
    expect((await ask('PUT', '/domain', { subdomain })).status).toBe(expected);
  });

  it('that two shops want at once has one of them', async () => {
    const stores = await Promise.all([ownStore(commerce), ownStore(commerce), ownStore(commerce)]);
    const subdomain = `rebutan-${++seen}`;
    const answers = await Promise.all(stores.map(({ ask }) => ask('PUT', '/domain', { subdomain })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });

  it('is refused unless it is a name', async () => {
    const { ask } = await ownStore(commerce);
    expect(await ask('PUT', '/domain', { subdomain: 'Toko Nusa' })).toEqual(
      invalid('subdomain', 'subdomain must be 3 to 60 small letters, digits or hyphens'),
    );
  });
});

it('a shop whose name is a word that the platform needs has another subdomain, and nobody has that word', async () => {
  for (const name of ['Admin', 'app', 'LOGIN!']) {
    const store = { storeId: uuidv7(), name, timezone: 'Asia/Jakarta', ownerId: uuidv7(), now: commerce.clock.now() };
    const slug = await commerce.database.tx((tx) => createStore(tx, store));
    expect(slug).toMatch(/^toko-(admin|app|login)(-[0-9a-f]{4})?$/);
  }
  // From before there were words of the platform
  const { storeId } = await ownStore(commerce);
  await commerce.database.query(
    `INSERT INTO global_key (kind, value, store_id, ref_id) VALUES ('slug', 'support', $1::text, $1::text)`,
    [storeId],
  );
  expect((await resolve(`support.${TARGET}`)).status).toBe(404);
});

describe('whom the ingress asks', () => {
  it('is told nothing without the right signature, and nothing twice by one', async () => {
    const path = '/api/domain/resolve?host=toko-nusa.shops.id';
    const statusOf = async (headers: Record<string, string>) => (await caller(commerce.url)(path, { headers })).status;
    expect(await statusOf({})).toBe(401);
    expect((await resolve('a.shops.id', { secret: 'another' })).status).toBe(401);
    expect((await resolve('a.shops.id', { service: 'bot-engine' })).status).toBe(401);
    expect(await statusOf(bearer((await ownStore(commerce)).storeId))).toBe(401);
    const signed = signInternalCall(
      { service: 'ingress', secret: SECRET, clock: commerce.clock },
      { method: 'GET', path },
    );
    expect([await statusOf(signed), await statusOf(signed)]).toEqual([404, 401]);
    const at = (ms: number) =>
      signInternalCall(
        { service: 'ingress', secret: SECRET, clock: { now: () => new Date(commerce.clock.now().getTime() + ms) } },
        { method: 'GET', path },
      );
    expect(await Promise.all([-301_000, 301_000, -299_000].map((ms) => statusOf(at(ms))))).toEqual([401, 401, 404]);
  });

  it.each(['unknown.shops.id', 'a.b.shops.id', 'shops.id', 'unknown.example.com', '127.0.0.1', '%00', '💥'])(
    'of %s is told that there is no such host',
    async (host) => expect((await resolve(host)).status).toBe(404),
  );

  it('of a suspended shop is told the same', async () => {
    const store = await ownStore(commerce);
    const { subdomain } = (await store.ask<Subdomain>('GET', '/domain')).body.data;
    expect((await resolve(`${subdomain}.${TARGET}`)).status).toBe(200);
    await commerce.database.query(`UPDATE store SET status = 'suspended' WHERE store_id = $1`, [store.storeId]);
    expect((await resolve(`${subdomain}.${TARGET}`)).status).toBe(404);
  });
});

it('domains, and those that are due, are read by index', async () => {
  expectNoSeqScan(await explain(commerce.database, DOMAINS, ['S1']));
  expect(JSON.stringify(await explain(commerce.database, DUE_DOMAINS, [NOW]))).not.toMatch(/Seq Scan on domain_/);
});
