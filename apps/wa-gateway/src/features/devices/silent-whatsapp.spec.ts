/** @jest-environment ../../tools/jest/native-import.environment.cjs */
import { startService } from '@platform/http';
import { loadConfig, silentLogger } from '@platform/runtime';
import { useDatabase, useRunning } from '@platform/testing';
import { startWhatsAppSandbox } from '@platform/testing/whatsapp';
import { createApp } from '../../app';
import { settings } from '../../config';
import { migrations, schema } from '../../data-source';
import { AuthStore } from '../../engines/baileys/auth.store';
import { loadLibrary } from '../../engines/baileys/baileys.library';
import { engineOn, link, RecordingSink, testBox } from '../../engines/baileys/engine.fixture';
import { Client, gatewayEnvironment, migrateJobs, until } from '../../gateway.fixture';
import { useReceiver } from '../../receiver.fixture';
import { SilentDoor } from './silent-door.fixture';

const START_MS = 60_000;
const BUDI = '628123456789';
const ids = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n + 10}`);

const database = useDatabase({ schema, migrations });
const receiver = useReceiver();
const sandbox = useRunning(() => startWhatsAppSandbox({ fewKeys: true }), START_MS);
beforeAll(() => migrateJobs(database));
afterEach(() => database.query('DELETE FROM device; DELETE FROM lease; DELETE FROM auth_key; DELETE FROM message'));

/** As a gateway that ended while they were connected has left them. */
const addDevices = (instanceIds: readonly string[]) =>
  database.query(
    `INSERT INTO device (instance_id, engine, webhook_url, status) SELECT id, 'baileys', $2, 'connected' FROM unnest($1::text[]) id`,
    [instanceIds, receiver.url],
  );

const boot = async (door: SilentDoor) => {
  const config = loadConfig(settings, {
    ...gatewayEnvironment(database.url, receiver.url),
    CONNECT_CONCURRENCY: '4',
    WEBHOOK_SEND_PENDING: 'false',
    WA_AUTH_KEY: Buffer.alloc(32, 7).toString('base64'),
    WA_SOCKET_URL: door.url,
    WA_ROOT_KEY: sandbox.rootKey,
  });
  const app = createApp(config, { logger: silentLogger });
  const running = await startService(app.service, { port: 0, host: '127.0.0.1', logger: silentLogger });
  return { client: new Client(running.url), app, stop: () => running.stop() };
};

describe('while WhatsApp accepts connections and says nothing', () => {
  const devices = ids('mute', 40);
  const linkOnPaper = async (instanceId: string, n: number) => {
    const library = await loadLibrary({ logger: silentLogger, rootKey: sandbox.rootKey });
    const account = { details: Buffer.from('d'), accountSignature: Buffer.from('s') };
    const me = { id: `6281100000${n + 10}:1@s.whatsapp.net`, name: 'Toko' };
    const store = new AuthStore(instanceId, database, testBox, library);
    await store.saveCreds({ ...(await store.creds()), account, me });
  };

  it(
    'every device of a gateway that has just started answers, and four connect',
    async () => {
      await Promise.all(devices.map(linkOnPaper));
      await addDevices(devices);
      const door = await SilentDoor.start();
      const gateway = await boot(door);
      const { client } = gateway;
      // The door never answers: whoever waited for it would get no answer here either
      const sent = await Promise.all(
        devices.map((instanceID) => client.send(`P-${instanceID}`, BUDI, 'halo', { instanceID })),
      );
      expect(sent.map(({ status }) => status)).toEqual(devices.map(() => 200));
      const infos = await Promise.all(devices.map((id) => client.get(`/api/device-info?instanceID=${id}`)));
      const waiting = { status: 'connecting', queue: { outgoing: 1, webhook: 0, dead: 0 } };
      expect(infos).toMatchObject(
        devices.map((instanceID) => ({ status: 200, body: { data: { instanceID, ...waiting } } })),
      );
      const codes = await Promise.all(devices.map((id) => client.get(`/api/qrcode?instanceID=${id}`)));
      const error = { code: 'DEVICE_STATE', retryable: false };
      const linked = { status: 409, body: { success: false, message: 'device already connected', error } };
      expect(codes).toEqual(devices.map(() => linked));
      const list = await client.data<{ devices: object[] }>(client.get('/api/device-info'));
      expect(list.devices).toMatchObject(devices.map((instanceID) => ({ instanceID, ...waiting })));
      expect((await client.get('/ready')).body).toEqual({ ready: true });
      expect(door.sockets.size).toBe(4);
      await gateway.stop();
      await door.stop();
    },
    START_MS,
  );
});

describe('when WhatsApp speaks again', () => {
  const devices = ids('back', 8);

  it(
    'all devices connect once, never more than four at a time',
    async () => {
      for (const [n, instanceId] of devices.entries()) {
        const engine = engineOn({ database, sandbox, device: { instanceId } });
        await link(engine, new RecordingSink(), sandbox, `6281100001${n + 10}`);
        await engine.stop();
      }
      await addDevices(devices);
      await until(
        () => sandbox.state().accounts.filter(({ online }) => online).length,
        (online) => online === 0,
      );
      const { logins = 0 } = sandbox.state().counters;
      let most = 0;
      const door: SilentDoor = await SilentDoor.start(() => {
        const online = sandbox.state().accounts.filter((account) => account.online).length;
        most = Math.max(most, door.sockets.size - online);
      });
      const gateway = await boot(door);
      await until(
        () => door.sockets.size,
        (connecting) => connecting === 4,
      );
      door.open(sandbox.socketUrl);
      const connected = `SELECT instance_id FROM device WHERE status = 'connected' ORDER BY 1`;
      await until(
        () => database.query(connected),
        ({ length }) => length === devices.length,
        START_MS,
      );
      expect([most, (sandbox.state().counters.logins ?? 0) - logins]).toEqual([4, devices.length]);
      await gateway.stop();
      await door.stop();
    },
    START_MS * 2,
  );
});
