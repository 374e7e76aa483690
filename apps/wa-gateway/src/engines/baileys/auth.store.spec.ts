/** @jest-environment ../../tools/jest/native-import.environment.cjs */
import { silentLogger } from '@platform/runtime';
import { testDatabase, type TestDatabase } from '@platform/testing';
import { migrations, schema } from '../../data-source';
import { AuthStore } from './auth.store';
import { loadLibrary, type Library } from './baileys.library';
import { testBox } from './engine.fixture';

let database: TestDatabase;
let library: Library;
beforeAll(async () => {
  [database, library] = await Promise.all([
    testDatabase({ schema, migrations }),
    loadLibrary({ logger: silentLogger }),
  ]);
});
afterAll(() => database.stop?.());

const storeOf = (instanceId: string) => new AuthStore(instanceId, database, testBox, library);
const account = { details: Buffer.from('details'), accountSignature: Buffer.from('signature') };

describe('the credentials of a device', () => {
  it('come back as they were, bytes as bytes', async () => {
    const creds = { ...(await storeOf('a').creds()), account, me: { id: '628@s.whatsapp.net', name: 'Toko' } };
    await storeOf('a').saveCreds(creds);
    expect(JSON.stringify(await storeOf('a').creds())).toBe(JSON.stringify(creds));
    expect(Buffer.isBuffer((await storeOf('a').creds()).noiseKey.private)).toBe(true);
  });

  it('of a pairing that never ended are none: the next are fresh', async () => {
    const creds = { ...(await storeOf('b').creds()), me: { id: '628@s.whatsapp.net', name: '~' } };
    await storeOf('b').saveCreds(creds);
    const again = await storeOf('b').creds();
    expect(again.me).toBeUndefined();
    expect(again.registrationId === creds.registrationId && again.advSecretKey === creds.advSecretKey).toBe(false);
  });

  it('are never made anew because the database failed', async () => {
    const away = () => Promise.reject(new Error('away'));
    const failing = { query: away, prepared: away, later: away };
    await expect(new AuthStore('a', failing, testBox, library).creds()).rejects.toThrow('away');
    expect((await storeOf('a').creds()).account).toEqual(account);
  });

  it('are archived after a logout, and gone before a new account', async () => {
    const store = storeOf('c');
    await store.saveCreds({ ...(await store.creds()), account });
    await store.set({ session: { x: Buffer.from('s') } });
    await store.archive();
    expect((await store.creds()).account).toBeUndefined();
    expect(await store.get('session', ['x'])).toEqual({});
    const rows = () =>
      database.query(`SELECT type FROM auth_key WHERE instance_id = 'c' AND archived_at IS NOT NULL ORDER BY 1`);
    expect(await rows()).toEqual([{ type: 'creds' }, { type: 'session' }]);
    await store.clear();
    expect(await rows()).toEqual([]);
  });
});

describe('Signal keys', () => {
  it('of every kind come back as they were', async () => {
    const store = storeOf('k');
    const keys = {
      'pre-key': { '1': { public: Buffer.from('p'), private: Buffer.from('q') } },
      session: { 'a.0': Buffer.from('session') },
      'sender-key-memory': { 'g@g.us': { 'a@s.whatsapp.net': true } },
      'lid-mapping': { '77': '628' },
      'device-list': { '628': ['0', '3'] },
      tctoken: { x: { token: Buffer.from('t'), timestamp: '1' } },
      'identity-key': { a: Buffer.from('i') },
    };
    await store.set(keys);
    for (const [type, entries] of Object.entries(keys))
      expect(await store.get(type as 'session', Object.keys(entries))).toEqual(entries);
    await store.set({ 'app-state-sync-key': { k: { keyData: Buffer.from('d'), timestamp: 5 } } });
    const { k } = await store.get('app-state-sync-key', ['k', 'unknown']);
    expect(k).toBeInstanceOf(library.proto.Message.AppStateSyncKeyData);
  });

  it('change together or not at all: one statement for 812 of them, deletions included', async () => {
    const store = storeOf('m');
    const many = Object.fromEntries(
      Array.from({ length: 812 }, (_, n) => [String(n), { public: Buffer.from([n % 256]), private: Buffer.from('x') }]),
    );
    await store.set({ 'pre-key': many, session: { old: Buffer.from('s') } });
    const statements: string[] = [];
    const counted = { ...database, prepared: (name: string) => (statements.push(name), Promise.resolve([])) };
    await new AuthStore('m', counted as never, testBox, library).set({ 'pre-key': many });
    expect(statements).toEqual(['auth_key_write']);
    await store.set({ session: { old: null, fresh: Buffer.from('f') }, 'pre-key': { '3': null } });
    expect(await store.get('session', ['old', 'fresh'])).toEqual({ fresh: Buffer.from('f') });
    expect(Object.keys(await store.get('pre-key', ['2', '3']))).toEqual(['2']);
  });

  it('lie sealed in the database, each bound to its place', async () => {
    const store = storeOf('s');
    await store.set({ session: { one: Buffer.from('very private'), two: Buffer.from('other') } });
    const [row] = await database.query<{ value: string }>(
      `SELECT value FROM auth_key WHERE instance_id = 's' AND id = 'one'`,
    );
    expect(row?.value).not.toContain(Buffer.from('very private').toString('base64'));
    await database.query(`UPDATE auth_key SET value = $1 WHERE instance_id = 's' AND id = 'two'`, [row?.value]);
    await expect(store.get('session', ['two'])).rejects.toThrow();
  });

  it('of two writers never wait for each other in a circle', async () => {
    const store = storeOf('d');
    const entries = (ids: string[]) => Object.fromEntries(ids.map((id) => [id, Buffer.from(id)]));
    const ids = Array.from({ length: 50 }, (_, n) => `s${n}`);
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => store.set({ session: entries(n % 2 ? ids : [...ids].reverse()) })),
    );
    expect(Object.keys(await store.get('session', ids))).toHaveLength(50);
  });
});
