/** @jest-environment ../../tools/jest/native-import.environment.cjs */
import { executionAsyncResource } from 'node:async_hooks';
import { startService } from '@platform/http';
import { loadConfig, silentLogger } from '@platform/runtime';
import { useDatabase, useRunning } from '@platform/testing';
import { startWhatsAppSandbox } from '@platform/testing/whatsapp';
import { createApp } from '../../app';
import { settings } from '../../config';
import { testBox } from '../../engines/baileys/engine.fixture';
import { linkOnPaper, type PaperLink } from '../../engines/baileys/paper-link.fixture';
import { Client, gatewayEnvironment, gatewayTables, until, type HttpReply } from '../../gateway.fixture';
import { useReceiver } from '../../receiver.fixture';
import { watchStatements } from '../../statements.fixture';
import { DevicesRepository } from '../registry/devices.repository';
import { SilentDoor } from './silent-door.fixture';

const BUDI = '628123456789';
/** Background work of the gateway. */
const ASIDE = /outbox_claim|outbox_target|LISTEN|graphile|current_schema/;

const database = useDatabase(gatewayTables);
const receiver = useReceiver();
const sandbox = useRunning(() => startWhatsAppSandbox({ fewKeys: true }));

/** As a gateway that ended while they were connected has left them. */
const addDevices = (instanceIds: readonly string[]) =>
  database.query(
    `INSERT INTO device (instance_id, engine, webhook_url, status) SELECT id, 'baileys', $2, 'connected' FROM unnest($1::text[]) id`,
    [instanceIds, receiver.url],
  );

/** Lets requests come together: none learns of its device before all of these were asked for. */
const gathering = ({ database: its }: ReturnType<typeof createApp>, instanceIds: readonly string[]): void => {
  const find = jest.spyOn(DevicesRepository.prototype, 'find');
  const all = until(() => new Set(find.mock.calls.map(([id]) => id)).size === instanceIds.length);
  const { prepared } = its;
  const held = async (...[name, ...more]: Parameters<typeof prepared>) => {
    if (name === 'device_find') await all;
    return prepared(name, ...more);
  };
  Object.assign(its, { prepared: held });
};

const boot = async (door: SilentDoor, devices: readonly string[]) => {
  const config = loadConfig(settings, {
    ...gatewayEnvironment(database.url, receiver.url),
    CONNECT_CONCURRENCY: '4',
    WEBHOOK_SEND_PENDING: 'false',
    WA_AUTH_KEY: Buffer.alloc(32, 7).toString('base64'),
    WA_SOCKET_URL: door.url,
    WA_ROOT_KEY: sandbox.rootKey,
  });
  const app = createApp(config, { logger: silentLogger });
  gathering(app, devices);
  const running = await startService(app.service, { port: 0, host: '127.0.0.1', logger: silentLogger });
  // Of what is asked from now on
  const statements = watchStatements(app.database, ASIDE);
  return { statements, client: new Client(running.url), app, stop: () => running.stop() };
};

describe('a gateway that starts while WhatsApp accepts connections and says nothing', () => {
  const devices = Array.from({ length: 60 }, (_, n) => `mute${n + 10}`);
  const isOnline = ({ online }: { online: boolean }) => online;
  const online = () => sandbox.state().accounts.filter(isOnline).length;
  let door: SilentDoor;
  let gateway: Awaited<ReturnType<typeof boot>>;
  let sent: HttpReply[];
  /** By the gateway, until the last of these was answered. */
  let asked: string[];
  /** The most devices that were connecting at the same time. */
  let most = 0;

  /** What every promise carries: Node 20 writes each storage into it, and never forgets one. */
  const carried = (): number => Object.getOwnPropertySymbols(executionAsyncResource()).length;
  let carriedBefore = 0;

  beforeAll(async () => {
    carriedBefore = carried();
    const link: PaperLink['link'] = (...device) => sandbox.link(...device);
    const paper = { database, box: testBox, rootKey: sandbox.rootKey, link };
    await Promise.all(devices.map((id, n) => linkOnPaper(paper, id, `6281100000${n + 10}`)));
    await addDevices(devices);
    door = await SilentDoor.start(() => (most = Math.max(most, door.size - online())));
    gateway = await boot(door, devices);
    const { client } = gateway;
    sent = await Promise.all(devices.map((instanceID) => client.send(`P-${instanceID}`, BUDI, 'halo', { instanceID })));
    asked = [...gateway.statements];
  });
  afterAll(async () => {
    await gateway.stop();
    await door.stop();
  });

  it('answers for every device, says so when it is ready, and connects four of them', async () => {
    const { client } = gateway;
    // The door never answers: whoever waited for it would get no answer here either
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
    expect(
      await until(
        () => door.size,
        (size) => size >= 4,
      ),
    ).toBe(4);
  });

  it('opens them and accepts a send for each with five statements a device: what all ask at the same time is asked once', () => {
    expect(asked.filter((name) => name === 'message_accept')).toHaveLength(devices.length);
    expect(asked.length).toBeLessThanOrEqual(5 * devices.length);
  });

  it('tries with one device when none had an answer, and the others wait without a failure', async () => {
    let left = Date.now();
    // Who is let in while the first ones leave is not answered either
    await until(() => {
      if (door.size > 0) left = Date.now();
      door.hangUp();
      return Date.now() - left > 1_000;
    });
    await until(() => door.size > 0);
    expect(door.size).toBe(1);
    const [{ tried = 0, untried = 0 } = {}] = await database.query<{ tried: number; untried: number }>(
      `SELECT count(*) FILTER (WHERE status = 'reconnecting')::int AS tried, count(*) FILTER (WHERE status = 'connecting')::int AS untried FROM device`,
    );
    expect(tried + untried).toBe(devices.length);
    // Four, at most three who came after them, and the one in the door
    expect(tried).toBeLessThanOrEqual(8);
  });

  it('connects every device once when WhatsApp speaks again, never more than four at a time, and sends what waited', async () => {
    door.open(sandbox.socketUrl);
    const connected = `SELECT instance_id FROM device WHERE status = 'connected'`;
    await until(
      () => database.query(connected),
      ({ length }) => length === devices.length,
    );
    const { logins, refusedLogins } = sandbox.state().counters;
    expect({ most, logins, refusedLogins, online: online() }).toEqual({
      most: 4,
      logins: devices.length,
      refusedLogins: undefined,
      online: devices.length,
    });
    await until(
      () => devices.filter((_, n) => sandbox.heard(`6281100000${n + 10}`, 'message').length === 1).length,
      (count) => count === devices.length,
    );
  });

  it('leaves nothing of the connections in what the process does next', async () => {
    await Promise.resolve();
    // The library makes a storage for each
    expect(carried() - carriedBefore).toBeLessThan(devices.length / 2);
  });
});
