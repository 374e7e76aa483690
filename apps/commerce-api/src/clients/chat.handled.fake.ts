import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openRealtime } from '@platform/realtime';
import { silentLogger } from '@platform/runtime';
import { fakeCampaigns } from './chat.campaigns.fake';
import { fakeInbox } from './chat.inbox.fake';
import { fakeTickets } from './chat.tickets.fake';

/** Everybody is let in, and nothing happens. */
const quietSockets = () =>
  openRealtime({
    ...{ name: 'chat', cors: [], address: 'http://127.0.0.1:1', logger: silentLogger },
    authenticate: () => Promise.resolve({ session: undefined, rooms: [], identity: 'somebody' }),
    requests: { chatJoin: () => ({ result: true }) },
  });

/** `GET /internal/handled` of chat-backend over HTTP; other calls of it are answered as if there was nothing to do. */
export const startFakeHandled = async () => {
  /** Numbers by `<store> <user>`. */
  const handled = new Map<string, readonly string[]>();
  const state: { mood: 'answer' | 'down' | 'hang' | 'nonsense'; calls: number } = { mood: 'answer', calls: 0 };
  const sockets = quietSockets();
  const campaigns = fakeCampaigns();
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/internal/broadcasts')) return void campaigns(request, response);
    request.resume();
    const inbox = fakeInbox(request) ?? fakeTickets(request);
    if (inbox) return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(inbox));
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://chat');
    const isAsked = pathname === '/internal/handled';
    if (isAsked) state.calls += 1;
    if (isAsked && state.mood === 'hang') return;
    const asked = `${searchParams.get('store_id')} ${searchParams.get('user_id')}`;
    const data = isAsked ? { nohp: handled.get(asked) ?? [] } : { applied: 0, skipped: 0 };
    const body = state.mood === 'nonsense' ? { result: true, data: {} } : { result: true, message: 'success', data };
    response
      .writeHead(state.mood === 'down' ? 502 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  sockets.attach(server);
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    handled,
    state,
    stop: async () => {
      await sockets.stop?.();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
