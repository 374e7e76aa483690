// Delivers events by one of four rules, in a process of its own that can be killed.
import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase, type Database } from '@platform/data';
import { httpClient, type HttpClient } from '@platform/http';
import { fullJitter, openOutbox, type Deliver } from '@platform/outbox';
import { Sends, silentLogger, systemClock } from '@platform/runtime';
import { SCALE, type PipelineEvent, type PipelineJob, type Rule, type ToPipeline } from './gateway-rules.types';
import { loadModule } from './workspace';

const DEVICE = 'bench';
const APP = 'apps/wa-gateway/src/features';

interface Draft {
  readonly payload: { readonly callback: object };
}
type Store = { storeInbound(instanceId: string, message: object, draft: Draft): Promise<unknown> };

const { messageDraft } = loadModule<{ messageDraft: (instanceId: string, message: object) => Draft }>(
  `${APP}/callbacks/callback.row.ts`,
);
const { callbackBody } = loadModule<{
  callbackBody: (callback: object, eventId: string) => { contentType: string; bytes: Buffer };
}>(`${APP}/callbacks/callback.body.ts`);

const messageOf = ({ id, chat }: PipelineEvent) => ({
  id,
  chat: `${chat}@s.whatsapp.net`,
  fromMe: false,
  name: 'Budi',
  at: 1_795_180_010,
  kind: 'chat',
  text: 'Halo kak, sepatu lari hitam ukuran 42 masih ada?',
  raw: { key: { id } },
});

/** Resolves once the event need not be handed over again after a crash. */
type Take = (event: PipelineEvent) => Promise<unknown>;

/** The gateway's own statement, outbox and delivery; its backoff is scaled like everything else. */
const ours = async ({ database: url, receiver }: PipelineJob): Promise<Take> => {
  const database = openDatabase({ url, schema: 'wa_gateway', logger: silentLogger });
  const { MessagesRepository } = loadModule<{ MessagesRepository: new (database: Database) => Store }>(
    `${APP}/messages/messages.repository.ts`,
  );
  const { CallbackDelivery } = loadModule<{ CallbackDelivery: new (options: object) => { deliver: Deliver } }>(
    `${APP}/callbacks/callback.delivery.ts`,
  );
  const { deliver } = new CallbackDelivery({
    patience: { giveUpSeconds: 86_400, refusedSeconds: 900 },
    clock: systemClock,
    secretOf: () => Promise.resolve('a-secret-of-the-device'),
  });
  const scaled: Deliver = async (row, signal) => {
    const verdict = await deliver(row, signal);
    return verdict.verdict === 'retry' && verdict.afterSeconds === undefined
      ? { ...verdict, afterSeconds: fullJitter(row.failures + 1, SCALE, 300 * SCALE) }
      : verdict;
  };
  const times = { leaseSeconds: 30 * SCALE, breaker: { failures: 10, probeSeconds: 5 * SCALE }, sweepSeconds: SCALE };
  const rules = { kinds: [], sends: new Sends() };
  await openOutbox({ database, logger: silentLogger, name: 'bench', deliver: scaled, ...rules, ...times }).start?.();
  await database.query('UPDATE device SET webhook_url = $1', [receiver]);
  const messages = new MessagesRepository(database);
  const last = new Map<string, Promise<unknown>>();
  return (event) => {
    const message = messageOf(event);
    const before = last.get(event.chat) ?? Promise.resolve();
    const stored = before.then(() => messages.storeInbound(DEVICE, message, messageDraft(DEVICE, message)));
    last.set(event.chat, stored);
    return stored;
  };
};

const poster = (receiver: string): ((event: PipelineEvent) => Promise<boolean>) => {
  const client: HttpClient = httpClient('receiver', receiver, { connections: 128 });
  return async (event) => {
    const { contentType, bytes } = callbackBody(messageDraft(DEVICE, messageOf(event)).payload.callback, event.id);
    const headers = { 'content-type': contentType };
    return client.call({ method: 'POST', path: '/callback_message', headers, body: bytes }).then(
      ({ status }) => status < 300,
      () => false,
    );
  };
};

/** The in-memory rules. They take an event at once and do not wait for its delivery. */
const inMemory: Record<Exclude<Rule, 'ours'>, (post: ReturnType<typeof poster>) => (event: PipelineEvent) => void> = {
  'fire and forget': (post) => (event) => void post(event),
  'retry in memory': (post) => (event) =>
    void (async () => {
      for (let tries = 0; tries < 10 && !(await post(event)); tries++) await pause(5_000 * SCALE * 2 ** tries);
    })(),
  '10 parallel, 3 retries': (post) => {
    const waiting: PipelineEvent[] = [];
    let running = 0;
    const work = async (): Promise<void> => {
      for (let event = waiting.shift(); event; event = waiting.shift())
        for (let tries = 0; tries < 4 && !(await post(event)); tries++);
      running -= 1;
    };
    return (event) => {
      waiting.push(event);
      if (running >= 10) return;
      running += 1;
      void work();
    };
  },
};

const start = async (job: PipelineJob): Promise<Take> => {
  if (job.rule === 'ours') return ours(job);
  const handle = inMemory[job.rule](poster(job.receiver));
  return async (event) => handle(event);
};

let take: Take | undefined;
let taken: string[] = [];

const tell = (): void => {
  const ids = taken;
  taken = [];
  process.send?.({ taken: ids });
};

const handOver = async (event: PipelineEvent): Promise<void> => {
  await take?.(event);
  if (taken.push(event.id) === 1) setTimeout(tell, 5);
};

const receive = async (message: ToPipeline): Promise<void> => {
  if ('job' in message) {
    take = await start(message.job);
    process.send?.({ ready: true });
  } else for (const event of message.events) void handOver(event);
};

process.on('message', (message: ToPipeline) => void receive(message));
process.on('disconnect', () => process.exit(0));
