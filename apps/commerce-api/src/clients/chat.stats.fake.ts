import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChatStats } from './chat.stats';

const NOTHING: ChatStats = { chats_opened: 0, agents: [] };

/** `GET /internal/stats` and `/internal/handled` of chat-backend over HTTP; other calls of it are answered as if there was nothing to do. */
export const startFakeStats = async () => {
  /** By `<store> <first day> <last day>`. */
  const stats = new Map<string, ChatStats>();
  /** Numbers by `<store> <user>`. */
  const handled = new Map<string, readonly string[]>();
  const state: { mood: 'answer' | 'down' | 'hang' } = { mood: 'answer' };
  const server = createServer((request, response) => {
    request.resume();
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://chat');
    const named = (...names: readonly string[]) => names.map((name) => searchParams.get(name)).join(' ');
    const isStats = pathname === '/internal/stats';
    if (isStats && state.mood === 'hang') return;
    const answers: Readonly<Record<string, object>> = {
      '/internal/stats': stats.get(named('store_id', 'from', 'to')) ?? NOTHING,
      '/internal/handled': { nohp: handled.get(named('store_id', 'user_id')) ?? [] },
    };
    const data = answers[pathname] ?? { applied: 0, skipped: 0 };
    response
      .writeHead(isStats && state.mood === 'down' ? 500 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ result: true, message: 'success', data }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ stats, handled, state },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
