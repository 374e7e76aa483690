import { Readable } from 'node:stream';
import { Agent } from 'node:https';
import { secretBox } from '@platform/auth';
import { silentLogger, systemClock, type Logger } from '@platform/runtime';
import { standIn, until, useDatabase, useRunning, type TestDatabase } from '@platform/testing';
import { startWhatsAppSandbox, type WhatsAppSandbox } from '@platform/testing/whatsapp';
import { migrations, schema } from '../../data-source';
import type {
  DeviceState,
  EngineEvent,
  EngineSink,
  Jid,
  NeutralMessage,
  NeutralReaction,
  OutContent,
  QrInfo,
  SendFailure,
  StatusChange,
} from '../engine.types';
import type { BaileysContext, BaileysDevice } from './baileys.context';
import { BaileysEngine } from './baileys.engine';
import { DeviceMedia } from './device.media';
import { DeviceStores } from './device.stores';
import type { LineSettings } from './socket';
import { Turnstile } from './turnstile';

export const testBox = secretBox(Buffer.alloc(32, 7).toString('base64'));

/** Remembers what an engine reports. */
export class RecordingSink implements EngineSink {
  readonly messages: NeutralMessage[] = [];
  readonly reactions: NeutralReaction[] = [];
  readonly statuses: StatusChange[] = [];
  readonly states: { state: DeviceState; cause?: string; until?: Date }[] = [];
  readonly codes: QrInfo[] = [];
  readonly failures: SendFailure[] = [];
  readonly restrictions: { until: Date; cause: string }[] = [];
  readonly events: { name: EngineEvent; payload: Readonly<Record<string, unknown>> }[] = [];
  /** What happens before a message counts as stored. */
  store: (message: NeutralMessage) => Promise<void> = () => Promise.resolve();

  isOurs = async (): Promise<boolean> => true;
  forgives = async (): Promise<boolean> => false;

  async message(message: NeutralMessage): Promise<void> {
    await this.store(message);
    this.messages.push(message);
  }

  async reaction(reaction: NeutralReaction): Promise<void> {
    this.reactions.push(reaction);
  }

  async status(change: StatusChange): Promise<void> {
    this.statuses.push(change);
  }

  async state(state: DeviceState, cause?: string, until?: Date): Promise<void> {
    this.states.push({ state, ...(cause ? { cause } : {}), ...(until ? { until } : {}) });
  }

  async qr(info: QrInfo): Promise<void> {
    this.codes.push(info);
  }

  async failure(failure: SendFailure): Promise<void> {
    this.failures.push(failure);
  }

  async restricted(end: Date, cause: string): Promise<void> {
    this.restrictions.push({ until: end, cause });
  }

  event(name: EngineEvent, payload: Readonly<Record<string, unknown>>): void {
    this.events.push({ name, payload });
  }

  last(): DeviceState | undefined {
    return this.states.at(-1)?.state;
  }

  /** The statuses of one message, in the order they were told. */
  levels(id: string): string[] {
    return this.statuses.filter((change) => change.id === id).map(({ level }) => level);
  }
}

export interface EngineSetup {
  readonly database: TestDatabase;
  readonly sandbox: WhatsAppSandbox;
  readonly logger?: Logger;
  readonly context?: Partial<BaileysContext>;
  readonly device?: Partial<BaileysDevice>;
  /** Files that can be sent. */
  readonly files?: ReadonlyMap<string, Buffer>;
}

/** How a device reaches the sandbox. */
export const lineTo = ({ socketUrl, rootKey }: WhatsAppSandbox): LineSettings => ({
  socketUrl,
  rootKey,
  // Longer than a second try takes on a busy machine
  stubHoldMs: 3_000,
});

/** A device whose connection goes to the sandbox. */
export const engineOn = ({ database, sandbox, logger = silentLogger, context, device, files }: EngineSetup) => {
  const agent = new Agent({ ca: sandbox.mediaCa });
  const host = { host: sandbox.mediaHost, agent, maxBytes: 20 * 1024 * 1024 };
  const shared: BaileysContext = {
    stores: new DeviceStores(database, testBox, 400),
    media: new DeviceMedia(testBox, host, (key) => Readable.from([files?.get(key) ?? Buffer.alloc(0)])),
    line: { ...lineTo(sandbox), agent },
    turnstile: new Turnstile({ places: 4, logger }),
    clock: systemClock,
    logger,
    random: () => 0.05,
    ...context,
  };
  return new BaileysEngine(
    { instanceId: 'dev1', webhookUrl: 'http://receiver', online: true, status: 'created', ...device },
    shared,
  );
};

/** Links the device to the phone of `number`. */
export const link = async (
  engine: BaileysEngine,
  sink: RecordingSink,
  sandbox: WhatsAppSandbox,
  number: string,
): Promise<void> => {
  await engine.start(sink);
  await engine.pair();
  await until(() => sink.codes.length, Boolean);
  await sandbox.scan(sink.codes.at(-1)?.qr ?? '', { number, name: 'Toko Nusa' });
  await until(
    () => sink.last(),
    (state) => state === 'connected',
  );
};

/** WhatsApp and the gateway's database, for the tests of the surrounding suite. */
export const useSandbox = () => ({
  database: useDatabase({ schema, migrations }),
  sandbox: useRunning(() => startWhatsAppSandbox({ fewKeys: true })),
});

interface UsedEngine extends Pick<EngineSetup, 'files'> {
  /** The phone to which the device is linked. */
  readonly shop: string;
}

/** The same with a device that is linked, and what its engine reports. */
export const useEngine = ({ shop, files }: UsedEngine) => {
  const { database, sandbox } = useSandbox();
  let [sink, engine]: [RecordingSink, BaileysEngine?] = [new RecordingSink()];
  useRunning(async () => {
    engine = engineOn({ database, sandbox, files });
    await link(engine, sink, sandbox, shop);
    return { stop: () => engine?.stop() };
  });
  /** As after a restart of the gateway: an engine of the linked device that is not started, and an empty sink. */
  const reopen = () => {
    sink = new RecordingSink();
    engine = engineOn({ database, sandbox, files, device: { status: 'connected' } });
  };
  return { database, sandbox, sink: standIn(() => sink), engine: standIn(() => engine), reopen };
};

/** The row that the gateway writes when it accepts a send. */
export const acceptSend = async (
  database: TestDatabase,
  { chat, id, content }: { chat: Jid; id: string; content: OutContent },
): Promise<void> => {
  await database.query(
    `INSERT INTO message (instance_id, chat, from_me, id, direction, type, payload, send_state, at)
     VALUES ('dev1', $1, true, $2, 'out', 'chat', $3, 'sending', now())`,
    [chat, id, JSON.stringify({ content, options: {} })],
  );
};

/** Writes the row that the gateway writes for a message that came in. */
export const storeIn =
  (database: TestDatabase) =>
  async ({ chat, participant = '', fromMe, id, kind, text, at }: NeutralMessage): Promise<void> => {
    await database.query(
      `INSERT INTO message (instance_id, chat, participant, from_me, id, direction, type, payload, at)
       VALUES ('dev1', $1, $2, $3, $4, 'in', $5, $6, to_timestamp($7)) ON CONFLICT DO NOTHING`,
      [chat, participant, fromMe, id, kind, JSON.stringify({ text }), at],
    );
  };
