// What fakes of chat-backend and bot-engine promise, held by the fakes and by both services, as processes beside this one.
import { httpClient, type HttpClient } from '@platform/http';
import { useOpened, useRunning } from '@platform/testing';
import { startFakeAgents } from './clients/bot.agents.fake';
import { httpBotWelcomes } from './clients/bot.welcomes';
import { botWelcomesContract } from './clients/bot.welcomes.contract';
import { chatFiguresContract } from './clients/chat.figures.contract';
import { httpHandledChats } from './clients/chat.handled';
import { startFakeHandled } from './clients/chat.handled.fake';
import { httpChatMessages } from './clients/chat.messages';
import { chatMessagesContract } from './clients/chat.messages.contract';
import { httpChatStats } from './clients/chat.stats';
import { startFakeStats } from './clients/chat.stats.fake';
import { modelTurns } from './clients/model.turns';
import { startAgentsWorld } from './features/agents/agents.fixture';
import { startInboxWorld } from './features/inbox/inbox.fixture';

const opened = useOpened();
const PHONE = '6281234567890';
const anyToken = { name: 'tokens', for: async () => 'a token' };
const to = (name: string, url: string): HttpClient => opened(httpClient(name, url));
const welcomes = { modelTimeoutMs: 30_000, turns: modelTurns() };

describe('the fakes', () => {
  const [stats, handling, agents] = [
    useRunning(startFakeStats),
    useRunning(startFakeHandled),
    useRunning(startFakeAgents),
  ];
  const [storeId, userId, day] = ['S1', 'u-rina', '2026-03-01'];

  chatFiguresContract(async () => {
    const rina = { user_id: userId, user_nama: 'Rina', handled: 1, finished: 0, median_first_response: null };
    stats.stats.set(`${storeId} ${day} ${day}`, { chats_opened: 1, agents: [rina] });
    handling.handled.set(`${storeId} ${userId}`, [PHONE]);
    const figures = httpChatStats(to('chat-backend', stats.url), anyToken);
    const handled = httpHandledChats(to('chat-backend', handling.url), anyToken);
    return { figures, handled, storeId, days: [day, day], userId, phone: PHONE };
  });

  botWelcomesContract(async () => {
    agents.agents.add('A1');
    return { client: httpBotWelcomes(to('bot-engine', agents.url), anyToken, welcomes), storeId, agentId: 'A1' };
  });
});

describe('chat-backend itself', () => {
  const world = useRunning(() => startInboxWorld());
  const tokens = {
    name: 'tokens',
    for: async (_: string, storeId?: string) =>
      world.commerce.storeAuth.serviceToken('commerce-api', storeId, 'chat-backend'),
  };
  const daysAway = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

  chatFiguresContract(async () => {
    const { storeId, ask, written, ownerId } = await world.store();
    const { id } = await written(PHONE, 'halo');
    await ask('POST', `/livechat/conversations/${id}/assign`, { user_id: ownerId });
    const figures = httpChatStats(to('chat-backend', world.chat.url), tokens);
    const handled = httpHandledChats(to('chat-backend', world.chat.url), tokens);
    return { figures, handled, storeId, days: [daysAway(-1), daysAway(1)], userId: ownerId, phone: PHONE };
  });

  describe('with a store that has a chat', () => {
    let storeId: string;
    beforeAll(async () => {
      const shop = await world.store();
      await shop.written(PHONE, 'halo');
      ({ storeId } = shop);
    });
    chatMessagesContract(() => ({
      client: httpChatMessages(to('chat-backend', world.chat.url), tokens),
      storeId,
      phone: '6281234567899',
    }));
  });
});

describe('bot-engine itself', () => {
  const world = useRunning(() => startAgentsWorld());
  const tokens = {
    name: 'tokens',
    for: async (_: string, storeId?: string) =>
      world.commerce.storeAuth.serviceToken('commerce-api', storeId, 'bot-engine'),
  };

  botWelcomesContract(async () => {
    const { storeId, ask } = await world.store();
    const made = await ask<{ id: string }>('POST', '/agent', { name: 'Nusa', prompt: 'Kamu ramah.' });
    return {
      client: httpBotWelcomes(to('bot-engine', world.bot.url), tokens, welcomes),
      storeId,
      agentId: made.body.data.id,
    };
  });
});
