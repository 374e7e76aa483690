/** @jest-environment ../../tools/jest/native-import.environment.cjs */
import type { Database } from '@platform/data';
import { silentLogger } from '@platform/runtime';
import { useDatabase } from '@platform/testing';
import { migrations, schema } from '../../data-source';
import { loadLibrary } from './baileys.library';
import { DeviceStores } from './device.stores';
import { testBox } from './engine.fixture';

const database = useDatabase({ schema, migrations });

it('devices that open at the same time ask for accounts, held stubs and farewells in one statement each', async () => {
  const library = await loadLibrary({ logger: silentLogger });
  const asked: string[] = [];
  const counting = {
    query: (...statement: Parameters<Database['query']>) => database.query(...statement),
    prepared: (...statement: Parameters<Database['prepared']>) => {
      asked.push(statement[0]);
      return database.prepared(...statement);
    },
  } as unknown as Database;
  const stores = new DeviceStores(counting, testBox, 400);
  const devices = Array.from({ length: 40 }, (_, n) => ({ n, store: stores.of(`dev${n}`, library) }));
  const [first, second] = devices.map(({ store }) => store);
  const account = { details: Buffer.from('details'), accountSignature: Buffer.from('signature') };
  const creds = { ...library.initAuthCreds(), account, me: { id: '628@s.whatsapp.net', name: 'Toko' } };
  await first?.auth.saveCreds(creds);
  await first?.farewells.save(creds);
  const message = { id: 'M1', chat: '628@s.whatsapp.net', fromMe: false, at: 17, kind: 'chat' as const, raw: {} };
  await second?.stubs.save({ id: 'M1', message, afterMs: 0 });
  asked.length = 0;
  const opened = await Promise.all(
    devices.map(async ({ n, store: { auth, stubs, farewells } }) => {
      const [linked, held, given] = await Promise.all([auth.creds(), stubs.all(), farewells.take()]);
      return { n, number: linked.me?.id, held: held.map(({ id }) => id), given: given.map(({ account: id }) => id) };
    }),
  );
  expect(opened).toEqual(
    devices.map(({ n }) => ({
      n,
      number: n === 0 ? '628@s.whatsapp.net' : undefined,
      held: n === 1 ? ['M1'] : [],
      given: n === 0 ? ['628@s.whatsapp.net'] : [],
    })),
  );
  // Only those of which there is something read it
  expect(asked.sort()).toEqual(['auth_key_creds', 'farewell_any', 'farewell_take', 'held_stub_all', 'held_stub_any']);
});
