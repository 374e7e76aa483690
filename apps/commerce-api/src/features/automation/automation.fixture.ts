import { request as forward } from 'node:http';
import { environment } from '@platform/runtime';
import { caller, freePort, startHttpServer, startLlmSandbox, until } from '@platform/testing';
import { askDocumented, type Ask } from '../../asked.fixture';
import { startRealGateway } from '../../clients/wa.gateway.fixture';
import { bearer, newStore, startCommerce } from '../../commerce.fixture';
import { startOwner } from '../../owner.fixture';
import { startSecondProcess } from '../../second-process.fixture';
import type { Device } from '../devices/devices.dto';

const AUDIENCE = ['store-auth', 'commerce-api', 'chat-backend'];
const { REDIS_URL } = environment;
if (!REDIS_URL) process.stderr.write('REDIS_URL is not set: what automation decides was tested without Redis only.\n');
const shared: Readonly<Record<string, string>> = REDIS_URL ? { REDIS_URL } : {};

/** Stands at an address that is known before the service is, and leads to it. */
const startRelay = async (target: () => string) =>
  startHttpServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming;
    const onward = forward(target() + url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(onward);
  });

/** What a customer's phone shows of one message. */
export interface Shown {
  readonly kind: string;
  readonly text?: string;
  readonly caption?: string;
}

let phones = 0;
/** The number of a customer who has never written. */
export const newPhone = (): string =>
  `62822${String(Date.now() % 1e5).padStart(5, '0')}${String(++phones).padStart(3, '0')}`;

/** Who writes to a shop, and reads there: on wa-gateway's simulated phones. */
const customersOf = (gatewayUrl: string) => {
  const sim = caller(gatewayUrl);
  return {
    /** Resolves to the id of the message; throws when WhatsApp would not have taken it. */
    says: async (from: string, to: string, text: string, more: object = {}): Promise<string> => {
      const { status, body } = await sim('/sim/messages', { method: 'POST', body: { from, to, text, ...more } });
      if (status !== 200) throw new Error(JSON.stringify(body));
      return (body as { data: { id: string } }).data.id;
    },
    /** A phone that may be written to though it has not written. */
    exists: async (nohp: string): Promise<void> => {
      const { status, body } = await sim('/sim/phones', { method: 'POST', body: { nohp, name: 'Budi' } });
      if (status !== 200) throw new Error(JSON.stringify(body));
    },
    /** All that has come to the phone, the first one first. */
    sees: async (nohp: string): Promise<Shown[]> => {
      const { status, body } = await sim(`/sim/inbox?nohp=${nohp}`, {});
      if (status === 404) return [];
      const { messages } = (body as { data: { messages: { content: Shown }[] } }).data;
      return messages.map(({ content: { kind, text, caption } }) =>
        JSON.parse(JSON.stringify({ kind, text, caption })),
      );
    },
  };
};

/** All of them as processes, over Redis where there is one. */
const startServices = async () => {
  const [chatPort, botPort, llm] = [await freePort(), await freePort(), await startLlmSandbox({ port: 0 })];
  const urls = { CHAT_URL: `http://127.0.0.1:${chatPort}`, BOT_URL: `http://127.0.0.1:${botPort}` };
  const gateway = await startRealGateway(`${urls.CHAT_URL}/v1`);
  const relay = await startRelay(() => commerce.url);
  const settings = { ...urls, ...shared, WA_GATEWAY_URL: gateway.url, PUBLIC_URL: relay.url };
  const commerce = await startCommerce(settings, new Date().toISOString());
  const owners = { storeAuth: commerce.storeAuth, url: relay.url };
  const [chat, bot, second] = await Promise.all([
    startOwner(owners, 'chat-backend', chatPort, {
      ...{ ...shared, DEVICE_POLL_S: '0', MEDIA_SECRET: 'm', WA_GATEWAY_URL: gateway.url, BOT_URL: urls.BOT_URL },
    }),
    startOwner(owners, 'bot-engine', botPort, {
      ...{ ...shared, STORE_SOURCE: 'local', ENGINE_BOT_SECRET: 'a secret of the bot', BOT_WINDOW_MS: '0' },
      ...{ LLM_BASE_URL: `${llm.url}/v1`, CHAT_URL: urls.CHAT_URL },
    }),
    startSecondProcess(commerce, { ...settings, PAY_LINK_SECRET: commerce.config.PAY_LINK_SECRET }),
  ]);
  return { commerce, second, chat, bot, gateway, relay, llm };
};
type Services = Awaited<ReturnType<typeof startServices>>;

type Saved = <Data>(method: string, path: string, body?: object, through?: Ask) => Promise<Data>;

/** What is made or changed, through one process or the other. */
const savingBy =
  (ask: Ask): Saved =>
  async <Data>(method: string, path: string, body?: object, through = ask): Promise<Data> => {
    const { status, body: answer } = await through<Data>(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer.data;
  };

/** A device that is linked to this number, which customers can write to. */
const deviceOf =
  ({ gateway }: Services, ask: Ask, teamId: string) =>
  async (number = newPhone()): Promise<Device> => {
    const made = await savingBy(ask)<Device>('POST', '/device', { name: 'WA', chat_team_id: teamId });
    await until(
      () => ask('GET', `/device/${made.id}/qrcode`),
      ({ status }) => status === 200,
    );
    await gateway.scan(made.instance_id, number);
    await until(
      () => ask<Device>('GET', `/device/${made.id}/status`),
      ({ body }) => body.data.status === 'connected',
    );
    return made;
  };

/** A store that all services know, asked through both processes of commerce-api. */
const storeOf =
  (services: Services) =>
  async (products: Parameters<typeof newStore>[1] = []) => {
    const { commerce, second, bot } = services;
    // Tokens are made by this clock, and the other processes have their own
    commerce.clock.advance(Date.now() - commerce.clock.now().getTime());
    const storeId = await newStore(commerce, products);
    await bot.database.query(`INSERT INTO bot_engine.bot_stores (store_id, name) VALUES ($1, 'Toko')`, [storeId]);
    await commerce.database.query(
      `INSERT INTO plan_use (store_id, metric, used, allowed) VALUES ($1, 'agents', 0, 9), ($1, 'devices', 0, 9)
       ON CONFLICT (store_id, metric) DO UPDATE SET allowed = excluded.allowed`,
      [storeId],
    );
    const token = commerce.storeAuth.userToken({ store_id: storeId, aud: AUDIENCE });
    const askAt =
      (url: string): Ask =>
      (method, path, body, key) => {
        const headers = bearer(token, key === undefined ? {} : { 'idempotency-key': key });
        return askDocumented(commerce, url, path, { method, body, headers });
      };
    const [ask, elsewhere] = [askAt(commerce.url), askAt(second.url)];
    const saved = savingBy(ask);
    await saved('PUT', '/store', { name: 'Toko Baru' });
    const team = await saved<{ id: string }>('POST', '/team_chat', { name: 'CS' });
    return { storeId, ask, elsewhere, saved, team: team.id, device: deviceOf(services, ask, team.id) };
  };

const LEFT = `SELECT 1 FROM chat_backend_jobs._private_jobs j
  JOIN chat_backend_jobs._private_tasks t ON t.id = j.task_id WHERE t.identifier = $1`;
const WRITTEN = 'SELECT count(*)::int AS n FROM messages WHERE store_id = $1 AND NOT from_me';
const ANSWERED = `SELECT count(*)::int AS n, count(*) FILTER (WHERE status_ack < 2 AND error IS NULL)::int AS left
  FROM messages WHERE store_id = $1 AND from_me`;

/** What is waited for at chat-backend. */
const waitsAt = ({ chat: { database } }: Services) => {
  /** Until no job of this kind waits. */
  const idle = (task: string) =>
    until(
      () => database.query(LEFT, [task]),
      ({ length }) => length === 0,
    );
  return {
    idle,
    /** Until its copy answers so; what it answers is one value. */
    copied: (statement: string, values: readonly unknown[], expected: unknown) =>
      until(
        async () => (await database.query<{ value: unknown }>(statement, [...values]))[0]?.value,
        (found) => JSON.stringify(found) === JSON.stringify(expected),
      ),
    /** Until automation has decided on all that was written, and all that it answered has arrived; how many answers that are. */
    decided: async (storeId: string, written: number): Promise<number> => {
      await until(
        async () => (await database.query<{ n: number }>(WRITTEN, [storeId]))[0]?.n,
        (n) => n === written,
      );
      for (const task of ['automation', 'bot.ask']) await idle(task);
      const found = await until(
        async () => (await database.query<{ n: number; left: number }>(ANSWERED, [storeId]))[0],
        (row) => row?.left === 0,
      );
      return found?.n ?? 0;
    },
  };
};

/** What the gateway would tell of a message: also of one that no phone writes, or that it tells again under the same id. */
const tellerTo = ({ chat, gateway }: Services) => {
  let heard = 0;
  return async (from: string, instanceID: string, text: string, id = `WA${(heard += 1)}`): Promise<void> => {
    await customersOf(gateway.url).exists(from);
    const data = new FormData();
    const fields = { instanceID, result: 'true', report: 'false', type: 'chat', text, name: 'Budi', id };
    const unique = { number: `${from}@s.whatsapp.net`, timestamp: '1795157100' };
    for (const [field, value] of Object.entries({ ...fields, ...unique })) data.append(field, value);
    const answer = await (await fetch(`${chat.url}/v1/callback_message`, { method: 'POST', body: data })).json();
    if ((answer as { result: boolean }).result !== true) throw new Error(JSON.stringify(answer));
  };
};

/**
 * commerce-api, once more as a second process, chat-backend, wa-gateway with its simulated phones, and bot-engine with its model.
 */
export const startAutomationWorld = async () => {
  const services = await startServices();
  const { commerce, second, chat, bot, gateway, relay, llm } = services;
  return {
    ...{ commerce, second, chat, bot, gateway, store: storeOf(services), told: tellerTo(services) },
    ...customersOf(gateway.url),
    ...waitsAt(services),
    /** What the model of the agents was asked last. */
    asked: (): string => JSON.stringify(llm.requests.at(-1) ?? null),
    stop: async () => {
      await second.stop();
      await Promise.all([chat.stop(), bot.stop(), gateway.stop()]);
      await commerce.stop();
      await Promise.all([relay.stop(), llm.close()]);
    },
  };
};

export type AutomationWorld = Awaited<ReturnType<typeof startAutomationWorld>>;
