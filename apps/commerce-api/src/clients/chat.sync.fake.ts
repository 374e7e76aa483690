import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PushedRow, SyncRows } from './chat.sync';

/** How it treats the next pushes. */
export type ChatMood = 'answer' | 'down' | 'hang';

const LONGEST_NAME = 200;
const KEYS = ['store_id', 'nohp', 'id', 'user_id', 'team_id', 'instance'] as const;
/** Customers are known by number, their `id` is ours. */
const keyOf = (kind: string, row: PushedRow): string =>
  [kind, ...KEYS.filter((key) => key !== 'id' || kind !== 'customers').map((key) => String(row[key] ?? ''))].join(' ');

const isRefused = (rows: readonly PushedRow[]): boolean =>
  rows.some(({ nama }) => typeof nama === 'string' && nama.length > LONGEST_NAME);

const take = (seen: Map<string, PushedRow>, pushed: SyncRows) => {
  const data = { applied: 0, skipped: 0 };
  for (const [kind, rows] of Object.entries(pushed))
    for (const row of rows) {
      const last = seen.get(keyOf(kind, row));
      data[last && last.updated_at >= row.updated_at ? 'skipped' : 'applied'] += 1;
      if (!last || last.updated_at < row.updated_at) seen.set(keyOf(kind, row), row);
    }
  return { result: true, message: 'success sync', data };
};

/** What it tells besides, by path. */
type Told = Readonly<Record<string, object>>;

/** The sync route of chat-backend over HTTP: keeps of each row the greatest version. */
export const startFakeChat = async (told: Told = {}) => {
  const seen = new Map<string, PushedRow>();
  const state: { mood: ChatMood; calls: number } = { mood: 'answer', calls: 0 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        state.calls += 1;
        if (state.mood === 'hang') return;
        const answer = (status: number, body: object) =>
          response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
        const { pathname } = new URL(request.url ?? '/', 'http://chat');
        const data = told[pathname];
        if (data && state.mood !== 'down') return void answer(200, { result: true, message: 'success', data });
        // Of anything else it knows nothing
        if (state.mood === 'down' || pathname !== '/internal/sync') return void answer(502, {});
        const pushed = JSON.parse(Buffer.concat(chunks).toString()) as SyncRows;
        if (isRefused(Object.values(pushed).flat()))
          answer(422, { result: false, message: 'nama', code: 'validation' });
        else answer(200, take(seen, pushed));
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    /** The rows of a store as they are there now; of one that is gone its deletion. */
    copies: (storeId: string): PushedRow[] => [...seen.values()].filter((row) => row.store_id === storeId),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
