// ADR 149: what hangs for one store is there for the others, also where it is not called through a face.
import { httpClient, type HttpClient } from '@platform/http';
import { startHttpServer, useForEach } from '@platform/testing';
import { httpBotNotices } from './bot.notice';
import { httpChatMessages } from './chat.messages';
import { httpChatSyncClient } from './chat.sync';
import { httpHandledChats } from './chat.handled';

const tokens = { name: 'tokens', for: async () => 'a token' };

/** A sibling that cannot answer, and counts who tries. */
const startAway = async () => {
  const state = { calls: 0 };
  const server = await startHttpServer((request, response) => {
    state.calls += 1;
    request.resume().on('end', () => response.writeHead(502).end());
  });
  return { ...server, state };
};
const away = useForEach(startAway);
const http = useForEach(() => httpClient('sibling', away.url));

const notice = { idEvent: 'e', orderNumber: 'INV-1', amount: 1, currency: 'IDR', paidAt: '', provider: 'a' };
const lines: [string, (http: HttpClient) => (storeId: string) => Promise<unknown>][] = [
  [
    'messages to customers',
    (to) => {
      const messages = httpChatMessages(to, tokens, async () => ({ instance: 'dev1', team: '3' }));
      return (storeId) => messages.send({ storeId, phone: '628120000001', text: 'Halo', id: 'm1' });
    },
  ],
  [
    'copies of rows',
    (to) => {
      const chat = httpChatSyncClient(to, tokens);
      return (store_id) => chat.push({ teams: [{ store_id, id: '3', updated_at: 1 }] });
    },
  ],
  [
    'whose chats are whose',
    (to) => {
      const handled = httpHandledChats(to, tokens);
      return (storeId) => handled.of(storeId, 'u1');
    },
  ],
  [
    'notices of payments',
    (to) => {
      const notices = httpBotNotices(to, tokens);
      return (idStore) => notices.tell({ ...notice, idStore });
    },
  ],
];

it.each(lines)('the line of %s that is shut to one store is open to another', async (_, lineTo) => {
  const call = lineTo(http);
  const of = async (storeId: string, times: number): Promise<number> => {
    away.state.calls = 0;
    for (let n = 0; n < times; n++) await call(storeId).catch(() => undefined);
    return away.state.calls;
  };
  expect([await of('S1', 8), await of('S2', 1)]).toEqual([5, 1]);
});
