import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { io, type Socket } from 'socket.io-client';
import { startService, type RunningService } from '@platform/http';
import { loadConfig, silentLogger } from '@platform/runtime';
import { freePort, testDatabase, type TestDatabase } from '@platform/testing';
import { createApp } from '../app';
import { settings } from '../config';
import { Client, gatewayEnvironment, gatewayTables, until } from '../gateway.fixture';
import { Receiver, type ReceivedCallback } from '../receiver.fixture';
import type { ParityDriver, ParityPhone } from './parity.driver';
import type { HeardCallback, ParityWorld } from './parity.world';

/** What the gateway itself puts into `rawMessage`; the rest is what each network calls its own. */
const OUR_EXTRAS = [
  'fileUrl',
  'mimetype',
  'fileName',
  'fileSize',
  'editOf',
  'mediaError',
  'pesan_id',
  'failed',
] as const;
const GENERATED = /^[0-9a-f]{32}\.\w+$/;
const DAY_SECONDS = 86_400;

const isNow = (seconds: number): boolean => Math.abs(Date.now() / 1000 - seconds) < DAY_SECONDS;

const extrasOf = (raw = '{}'): Record<string, unknown> => {
  const all = JSON.parse(raw) as Record<string, unknown>;
  const own = Object.fromEntries(OUR_EXTRAS.filter((name) => name in all).map((name) => [name, all[name]]));
  const { fileUrl, fileName } = own as { fileUrl?: string; fileName?: string };
  return {
    ...own,
    ...(fileUrl !== undefined && GENERATED.test(fileUrl.replace('/files/', '')) ? { fileUrl: '<url>' } : {}),
    ...(fileName !== undefined && GENERATED.test(fileName) ? { fileName: '<name>' } : {}),
  };
};

const neutral = ({ fields, file }: ReceivedCallback): HeardCallback => ({
  fields: {
    ...fields,
    rawMessage: extrasOf(fields.rawMessage),
    timestamp: isNow(Number(fields.timestamp)) ? '<time>' : fields.timestamp,
  },
  ...(file ? { file: { mimetype: file.type, bytes: file.bytes } } : {}),
});

/** A gateway that can be away for a while and comes back where it was. */
class RestartableGateway {
  app: ReturnType<typeof createApp> | undefined;
  private running: RunningService | undefined;
  private port = 0;

  constructor(private readonly config: ReturnType<typeof loadConfig<typeof settings>>) {}

  async start(): Promise<string> {
    this.port ||= await freePort();
    this.app = createApp(this.config, { logger: silentLogger });
    this.running = await startService(this.app.service, { port: this.port, host: '127.0.0.1', logger: silentLogger });
    return this.running.url;
  }

  async stop(): Promise<void> {
    await this.running?.stop();
    this.running = undefined;
  }
}

export interface RunningWorld extends ParityWorld {
  end(): Promise<void>;
}

interface Parts {
  readonly driver: ParityDriver;
  readonly database: TestDatabase;
  readonly receiver: Receiver;
  readonly gateway: RestartableGateway;
  readonly client: Client;
  readonly socket: Socket;
  readonly heardEvents: { readonly name: string; readonly payload: Record<string, unknown> }[];
}

const INSTANCE = 'parity';

const hearing = ({ receiver, heardEvents }: Parts) => {
  const messages = (id: string) => receiver.messages().filter(({ fields }) => fields.id === id);
  const reports = (id: string) =>
    receiver.taken
      .filter(({ fields }) => fields.report === 'true' && fields.id === id)
      .map(({ fields }) => ({ status: fields.status ?? '', raw: extrasOf(fields.rawMessage) }));
  const heard = async (id: string): Promise<HeardCallback> => {
    const [first] = await until(
      () => messages(id),
      ({ length }) => length > 0,
    );
    if (!first) throw new Error('until() let nothing through');
    return neutral(first);
  };
  return {
    heard,
    count: (id: string) => messages(id).length,
    statuses: (id: string) => reports(id).map(({ status, raw }) => ('failed' in raw ? 'failed' : status)),
    reports: (id: string) => reports(id).map(({ raw }) => raw),
    events: (wanted: string) =>
      heardEvents
        .filter(({ name }) => name === wanted)
        .map(({ payload }) => (isNow(Number(payload.timestamp)) ? { ...payload, timestamp: '<time>' } : payload)),
  };
};

const sending = ({ client, gateway }: Parts) => ({
  send: async (number: string, data: object, pesanId: string = randomUUID()): Promise<string> => {
    const body = { pesan_id: pesanId, role: 'agent', data: { instanceID: INSTANCE, number, ...data } };
    return (await client.data<{ id: string }>(client.post('/api/send-message', body))).id;
  },
  sendMedia: async (number: string, type: string, bytes: Buffer, fields: Readonly<Record<string, string>> = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ instanceID: INSTANCE, number, type, ...fields }))
      form.append(name, value);
    form.append('file', new Blob([new Uint8Array(bytes)]), 'upload.bin');
    return (await client.data<{ id: string }>(client.get('/api/send-media', { method: 'POST', body: form }))).id;
  },
  sendContact: async (number: string, contact: { name: string; phone: string }): Promise<string> => {
    const jid = `${contact.phone}@s.whatsapp.net`;
    const sent = await gateway.app?.sending.sendContact({
      instanceID: INSTANCE,
      number,
      contact: { name: contact.name, phone: jid },
    });
    return sent?.id ?? '';
  },
});

const shown = async (phone: ParityPhone, id: string) => {
  const find = async () => (await phone.shown()).find((message) => message.id === id);
  const message = await until(find, (found) => found !== undefined);
  if (!message) throw new Error('until() let nothing through');
  return message;
};

const worldOf = (parts: Parts, budi: ParityPhone, siti: ParityPhone): RunningWorld => {
  const { driver, database, receiver, gateway, client, socket } = parts;
  const ears = hearing(parts);
  const settled = async (phone = budi): Promise<void> => {
    const id = await phone.send({ kind: 'text', text: `sampai di sini ${randomUUID()}` });
    await ears.heard(id);
  };
  const stopGateway = async () => {
    await driver.detach?.();
    await gateway.stop();
  };
  const startGateway = async () => {
    await gateway.start();
    await driver.attach?.(client, database.url);
  };
  const end = async () => {
    socket.disconnect();
    await stopGateway();
    await driver.stop();
    await receiver.stop();
    await database.stop?.();
  };
  return {
    driver,
    client,
    instanceID: INSTANCE,
    budi,
    siti,
    until: (value, holds) => until(value, holds),
    shown,
    settled,
    ...ears,
    ...sending(parts),
    stopGateway,
    startGateway,
    end,
  };
};

/** The network, a gateway on it, a device that is linked, and two customers. */
export const startWorld = async (driver: ParityDriver): Promise<RunningWorld> => {
  await driver.start();
  const database = await testDatabase(gatewayTables);
  const receiver = await new Receiver().start();
  const environment = { ...gatewayEnvironment(database.url, receiver.url), WA_ENGINE: driver.engine };
  const config = loadConfig(settings, { ...environment, ...driver.environment() });
  const gateway = new RestartableGateway(config);
  const client = new Client(await gateway.start());
  const socket = io(client.url, { transports: ['websocket'], forceNew: true });
  const heardEvents: Parts['heardEvents'] = [];
  socket.onAny((name: string, payload: Record<string, unknown>) => heardEvents.push({ name, payload }));
  await until(() => socket.connected, Boolean);
  await driver.attach?.(client, database.url);
  await driver.link(client, INSTANCE);
  const [budi, siti] = [await driver.phone('628123456789', 'Budi'), await driver.phone('628120000002', 'Siti')];
  const parts = { driver, database, receiver, gateway, client, socket, heardEvents };
  const world = worldOf(parts, budi, siti);
  return {
    ...world,
    end: async () => {
      await world.end();
      rmSync(config.FILES_DIR, { recursive: true, force: true });
    },
  };
};
