import { freePort, startLlmSandbox } from '@platform/testing';
import type { Ask } from './asked.fixture';
import { startFakeGateway } from './clients/wa.gateway.fake';
import { OWNER_ID } from './clients/store-auth.fake';
import { startCommerce } from './commerce.fixture';
import type { Conversation } from './features/inbox/conversations/conversations.dto';
import { writerTo } from './features/tickets/tickets.fixture';
import { startOwner, type OwnerProcess } from './owner.fixture';
import type { OwnedRows, Rows } from './shop-rows.fixture';

/** Nobody waits for their turn. */
const UNLIMITED = { RATE_PER_MINUTE: '1000000' };
const ENGINE = { STORE_SOURCE: 'local', ENGINE_BOT_SECRET: 'a secret of the bot' };

/** commerce-api with chat-backend and bot-engine themselves, a gateway and a model that answers; the clock stands at the real time. */
export const startWithOwners = async (more: Readonly<Record<string, string>> = {}) => {
  const [chatPort, botPort] = [await freePort(), await freePort()];
  const [gateway, llm] = await Promise.all([startFakeGateway(), startLlmSandbox({ port: 0 })]);
  const at = (port: number): string => `http://127.0.0.1:${port}`;
  const addresses = { CHAT_URL: at(chatPort), BOT_URL: at(botPort), WA_GATEWAY_URL: gateway.url };
  const commerce = await startCommerce({ ...addresses, ...more }, new Date().toISOString());
  const [chat, bot] = await Promise.all([
    startOwner(commerce, 'chat-backend', chatPort, {
      ...{ DEVICE_POLL_S: '0', MEDIA_SECRET: 'm', WA_GATEWAY_URL: gateway.url, ...UNLIMITED },
    }),
    startOwner(commerce, 'bot-engine', botPort, { ...ENGINE, LLM_BASE_URL: `${llm.url}/v1` }),
  ]);
  return {
    ...{ commerce, chat, bot },
    /** The clock of commerce-api stands; those of the owners do not. */
    catchUp: (): void => void commerce.clock.advance(Date.now() - commerce.clock.now().getTime()),
    stop: async (): Promise<void> => {
      await Promise.all([chat.stop(), bot.stop()]);
      await commerce.stop();
      await Promise.all([gateway.stop(), llm.close()]);
    },
  };
};
export type WithOwners = Awaited<ReturnType<typeof startWithOwners>>;

/** What a job of ours tells chat-backend as well, some time. */
const ROWS_OF_CHAT = `
  WITH shop AS (INSERT INTO stores (store_id, nama) VALUES ($1, 'Toko') ON CONFLICT DO NOTHING),
    team AS (INSERT INTO teams (store_id, id, nama) VALUES ($1, $4, 'CS') ON CONFLICT DO NOTHING),
    person AS (INSERT INTO users (store_id, user_id, nama) VALUES ($1, $2, 'Sari') ON CONFLICT DO NOTHING),
    device AS (INSERT INTO devices (store_id, instance, nama, default_team_id) VALUES ($1, $3, 'WA', $4) ON CONFLICT DO NOTHING)
  INSERT INTO device_route (instance, store_id) VALUES ($3, $1) ON CONFLICT DO NOTHING`;

const conversationWith = async (chat: OwnerProcess, ask: Ask, instance: string, phone: string): Promise<string> => {
  await writerTo(chat, instance)(phone, 'Halo');
  const { body } = await ask<Conversation[]>('GET', '/livechat/conversations');
  return body.data.find(({ contact }) => contact.phone === phone)?.id ?? '';
};

interface Shop {
  readonly storeId: string;
  readonly ask: Ask;
  readonly rows: Rows;
}

/** A row of every kind that another service keeps, made over HTTP as the owner of the store makes them. */
export const ownedBy = async (
  { chat, bot, catchUp }: Pick<WithOwners, 'chat' | 'bot' | 'catchUp'>,
  shop: Shop,
): Promise<OwnedRows> => {
  const { storeId, ask, rows } = shop;
  catchUp();
  const instance = `dev-${rows.device}`;
  await chat.database.query(ROWS_OF_CHAT, [storeId, OWNER_ID, instance, rows.chatTeam]);
  await bot.database.query(`INSERT INTO bot_engine.bot_stores (store_id, name) VALUES ($1, 'Toko')`, [storeId]);
  const make = async <Data = { readonly id: string }>(path: string, body: object): Promise<Data> => {
    const answer = await ask<Data>('POST', path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.body.data;
  };
  const agent = await make('/agent', { name: 'Nusa', prompt: 'Jawab dengan sopan' });
  const known = await make(`/agent/${agent.id}/knowledge`, { kind: 'faq', title: 'Jam buka', text: '08.00-17.00' });
  const trial = { agent_id: agent.id, prompt: 'Jawab dengan sopan', question: 'Jam berapa buka?' };
  const { session_id } = await make<{ session_id: string }>('/testing/ai-agent', trial);
  const [audience, message] = [{ contact_ids: [rows.contact] }, { text: 'Halo {{name}}' }];
  const broadcast = await make('/broadcast', { name: 'Promo', device_id: rows.device, audience, message });
  const ticket = await make('/ticketing-feedback', { phone: rows.phone, subject: 'Rusak', body: 'Topi robek' });
  return {
    ...{ agent: agent.id, knowledge: known.id, trial: session_id, broadcast: broadcast.id, ticket: ticket.id },
    conversation: await conversationWith(chat, ask, instance, rows.phone),
  };
};
