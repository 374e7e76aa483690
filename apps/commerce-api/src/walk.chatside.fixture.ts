import { startFakeAgents } from './clients/bot.agents.fake';
import { startFakeChat } from './clients/chat.sync.fake';
import { OWNER_ID } from './clients/store-auth.fake';
import { startFakeGateway } from './clients/wa.gateway.fake';
import type { Made, Story } from './walk.fixture';
import { CHATS } from './walk.reports.fixture';

const AGENT = '0199f7a0-0000-7000-8000-00000000a9e0';
const HOURS = [{ day: 1, open: '08:00', close: '17:00' }];

/** A chat-backend that takes copies, tells how many chats there were and knows nothing else, so that no buyer is written to, a keeper of sessions, and a bot engine that knows one agent. */
export const startChatSide = async () => {
  const [chat, gateway, bot] = await Promise.all([
    startFakeChat({ '/internal/stats': CHATS }),
    startFakeGateway(),
    startFakeAgents(),
  ]);
  bot.agents.add(AGENT);
  return {
    gateway,
    settings: { CHAT_URL: chat.url, WA_GATEWAY_URL: gateway.url, BOT_URL: bot.url },
    stop: async () => {
      for (const service of [chat, gateway, bot]) await service.stop();
    },
  };
};
type ChatSide = Awaited<ReturnType<typeof startChatSide>>;

const team = async ({ tell }: Story): Promise<string> => {
  const { id } = await tell('POST /api/team_chat', { name: 'CS', distribution: 'round_robin' });
  await tell('PUT /api/team_chat/{id}', { name: 'Layanan', hours: HOURS }, id);
  await tell('GET /api/team_chat');
  return id;
};

const device = async ({ commerce, tell }: Story, { gateway }: ChatSide, teamId: string): Promise<string> => {
  const made = await tell<Made & { instance_id: string }>('POST /api/device', { name: 'WA', chat_team_id: teamId });
  const { id, instance_id } = made;
  await tell('GET /api/device/{id}/qrcode', undefined, id);
  await gateway.scan(instance_id, '628120000001');
  await tell('GET /api/device/{id}/status', undefined, id);
  // What all devices do is asked again after ten seconds
  commerce.clock.advance(10_000);
  await tell('GET /api/device/{id}', undefined, id);
  await tell('PUT /api/device/{id}', { name: 'WA toko', bot_agent_id: AGENT }, id);
  await tell('GET /api/device', { sort: 'name' });
  return id;
};

const rules = async ({ tell, ask }: Story, deviceId: string): Promise<void> => {
  const price = { match: 'contains', keywords: ['harga', 'berapa'], reply: { text: 'Mulai Rp 50.000, Kak' } };
  const { id } = await tell('POST /api/chatbot', price);
  const hours = { match: 'exact', keywords: ['jam buka'], reply: { text: '08.00 sampai 17.00' } };
  const second = await ask('POST /api/chatbot', hours);
  await tell('PUT /api/chatbot/order', { ids: [second.id] });
  await tell('PUT /api/chatbot/{id}', { ...price, device_ids: [deviceId] }, id);
  await tell('POST /api/chatbot/match', { text: 'Berapa harga topi?', device_id: deviceId });
  await tell('GET /api/chatbot', { active: 'true' });
  await tell('DELETE /api/chatbot/{id}', undefined, second.id);
};

const welcome = async ({ tell }: Story): Promise<void> => {
  await tell('POST /api/botwelcome/generate', { agent_id: AGENT, tone: 'ramah' });
  const text = 'Halo Kak, ada yang bisa dibantu?';
  await tell('PUT /api/botwelcome', { enabled: true, text, agent_id: AGENT, once_per_hours: 24 });
  await tell('GET /api/botwelcome');
};

const replies = async ({ tell }: Story): Promise<void> => {
  const { id } = await tell('POST /api/response-template', { shortcut: 'rek', body: 'BCA 5210001234 a.n. Sari' });
  await tell('PUT /api/response-template/{id}', { shortcut: 'rekening', body: 'BCA 5210001234 a.n. Sari' }, id);
  await tell('GET /api/response-template', { q: 'bca' });
  await tell('DELETE /api/response-template/{id}', undefined, id);
};

/** The shop gets a number, people who answer it, and what is answered by itself. */
export const answerChats = async (story: Story, side: ChatSide): Promise<void> => {
  const { tell } = story;
  const teamId = await team(story);
  const id = await device(story, side, teamId);
  await tell('PUT /api/team_chat/{id}/members', { user_ids: [OWNER_ID], device_ids: [id] }, teamId);
  await tell('GET /api/team_chat/{id}', undefined, teamId);
  await rules(story, id);
  await welcome(story);
  await replies(story);
  await tell('POST /api/device/{id}/logout', undefined, id);
  await tell('DELETE /api/device/{id}', undefined, id);
  await tell('DELETE /api/team_chat/{id}', undefined, teamId);
};
