import { freePort, startLlmSandbox, until } from '@platform/testing';
import { OWNER_ID } from './clients/store-auth.fake';
import { startFakeGateway } from './clients/wa.gateway.fake';
import { startCommerce, type Commerce } from './commerce.fixture';
import { startOwner, type OwnerProcess } from './owner.fixture';

export const STORE = 'S1';
const COPIED = { teams: 'id', devices: 'instance' } as const;

const RUN = `
  WITH conversation AS (
    INSERT INTO bot_engine.bot_conversations (store_id, id, agent_id, id_user, conv_key)
    SELECT $1, gen_random_uuid(), $2, gen_random_uuid()::text, gen_random_uuid()::text RETURNING id),
  run AS (
    INSERT INTO bot_engine.bot_runs (store_id, id, conv_id, status, reply, tokens_in, tokens_out, cost_micros, ms_queue, ms_model, ms_total,
      agent_version, created_at, sources)
    SELECT $1, gen_random_uuid(), id, 'done', '{"answer":["Ada, Kak"],"images":[],"messageIds":["m"]}', 820, 64, 310, 1, 900, 950, 1, $3, '[]'
    FROM conversation RETURNING id)
  INSERT INTO bot_engine.llm_requests (store_id, id, agent_id, run_id, purpose, model, status, tokens_in, tokens_cached, tokens_out, cost_micros,
    ms, http_status, created_at)
  SELECT $1, gen_random_uuid(), $2, id, 'chat', 'm', 'ok', 820, 0, 64, 310, 900, 200, $3 FROM run`;

const began = async (chat: OwnerProcess, bot: OwnerProcess): Promise<void> => {
  const there = (statement: string, ...values: string[]) => chat.database.query(statement, [STORE, ...values]);
  await there(`INSERT INTO chat_backend.stores (store_id, nama) VALUES ($1, 'Toko Nusa')`);
  await there(`INSERT INTO chat_backend.users (store_id, user_id, nama) VALUES ($1, $2, 'Sari')`, OWNER_ID);
  await bot.database.query(`INSERT INTO bot_engine.bot_stores (store_id, name) VALUES ($1, 'Toko Nusa')`, [STORE]);
};

/** Writes to a number of the shop, as its gateway tells chat-backend. */
const writerTo = ({ url }: OwnerProcess) => {
  let messages = 0;
  return async (instanceID: string, phone: string, text: string): Promise<void> => {
    messages += 1;
    const data = new FormData();
    const fields = { instanceID, text, result: 'true', report: 'false', type: 'chat', name: 'Budi' };
    const unique = { id: `WA${messages}`, number: `${phone}@s.whatsapp.net`, timestamp: '1795157100' };
    for (const [field, value] of Object.entries({ ...fields, ...unique })) data.append(field, value);
    const answer = await fetch(`${url}/v1/callback_message`, { method: 'POST', body: data });
    const told = (await answer.json()) as { result: boolean };
    if (!told.result) throw new Error(JSON.stringify(told));
  };
};

const startBoth = (commerce: Commerce, ports: { chat: number; bot: number }, llmUrl: string) =>
  Promise.all([
    startOwner(commerce, 'chat-backend', ports.chat, {
      ...{ DEVICE_POLL_S: '0', MEDIA_SECRET: 'm', WA_GATEWAY_URL: 'http://127.0.0.1:9' },
    }),
    startOwner(commerce, 'bot-engine', ports.bot, {
      ...{ STORE_SOURCE: 'local', ENGINE_BOT_SECRET: 'a secret of the bot', LLM_BASE_URL: `${llmUrl}/v1` },
    }),
  ]);

/**
 * commerce-api with chat-backend and bot-engine themselves, the model that the latter asks, and a keeper of sessions. Nobody sends what
 * the shop writes: whatever is on its way stays there.
 */
export const startOwners = async () => {
  const ports = { chat: await freePort(), bot: await freePort() };
  const [llm, gateway] = await Promise.all([startLlmSandbox({ port: 0 }), startFakeGateway()]);
  const at = (port: number) => `http://127.0.0.1:${port}`;
  const settings = { CHAT_URL: at(ports.chat), BOT_URL: at(ports.bot), WA_GATEWAY_URL: gateway.url };
  // Those two look at the real clock
  const commerce = await startCommerce(settings, new Date().toISOString());
  const both = await startBoth(commerce, ports, llm.url);
  const [chat, bot] = both;
  await began(chat, bot);
  return {
    ...{ commerce, gateway, writes: writerTo(chat) },
    /** Until chat-backend has the copy of it. */
    copied: (kind: keyof typeof COPIED, id: string) => {
      const found = `SELECT 1 FROM chat_backend.${kind} WHERE store_id = $1 AND ${COPIED[kind]} = $2`;
      return until(async () => (await chat.database.query(found, [STORE, id])).length > 0);
    },
    /** An agent has answered somebody, at a time that is the same in every run. */
    answered: (agentId: string, when: string) => bot.database.query(RUN, [STORE, agentId, when]),
    /** Both take connections and answer nothing, until `awaken`. */
    freeze: () => both.forEach((owner) => owner.freeze()),
    awaken: () => both.forEach((owner) => owner.awaken()),
    kill: () => Promise.all(both.map((owner) => owner.kill())),
    stop: async () => {
      await Promise.all(both.map((owner) => owner.stop()));
      await commerce.stop();
      await Promise.all([gateway.stop(), llm.close()]);
    },
  };
};
export type Owners = Awaited<ReturnType<typeof startOwners>>;
