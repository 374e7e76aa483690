import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { storeAuthFeed, type RevocationFeed } from './index';

let server: Server;
let url: string;
let answer: { status: number; body: unknown };
let forgotten = 0;
let asked: { method: string | undefined; path: string | undefined; headers: IncomingHttpHeaders }[];
const open: RevocationFeed[] = [];

beforeAll(async () => {
  server = createServer(({ method, url: path, headers }, response) => {
    asked.push({ method, path, headers });
    response.writeHead(answer.status).end(JSON.stringify(answer.body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked = [];
  answer = { status: 200, body: { data: { items: [], cursor: 'c1' } } };
});
afterEach(() => Promise.all(open.splice(0).map((feed) => feed.close?.())));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const feed = (path = '/') => {
  const tokens = { forget: () => void (forgotten += 1), for: (audience: string) => Promise.resolve(`for-${audience}`) };
  const made = storeAuthFeed(url + path, tokens);
  open.push(made);
  return made;
};

describe("store-auth's events over HTTP", () => {
  it('are requested with a service token, from the beginning or since a cursor, under the path of its address', async () => {
    await feed().since(undefined);
    await feed('/auth/').since('a b&c');
    expect(asked.map(({ method, path, headers }) => [method, path, headers.authorization])).toEqual([
      ['GET', '/internal/events', 'Bearer for-store-auth'],
      ['GET', '/auth/internal/events?since=a%20b%26c', 'Bearer for-store-auth'],
    ]);
  });

  it('are a page of events and a cursor, without events of unknown types', async () => {
    const event = { type: 'revoke', jti: 'j', exp: 1 };
    answer.body = { data: { items: [event, { type: 'later' }], cursor: 'c2' } };
    const page = await feed().since('c1');
    expect(page).toStrictEqual({ items: [event], cursor: 'c2' });
  });

  it.each([[{}], [{ data: {} }], [{ data: { items: [] } }], [{ data: { items: 'x', cursor: 'c' } }]])(
    'are unavailable when the answer is no page: %j',
    async (body) => {
      answer.body = body;
      await expect(feed().since('c')).rejects.toMatchObject({
        kind: 'unavailable',
        message: 'store-auth sent no event page',
      });
    },
  );

  it('are unavailable when store-auth refuses', async () => {
    answer = { status: 403, body: { data: { items: [], cursor: 'c' } } };
    await expect(feed().since('c')).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'store-auth answered 403 to the request for its events',
    });
  });

  it('are requested with another token when store-auth does not take ours: its key may be out of use', async () => {
    const before = forgotten;
    answer = { status: 401, body: {} };
    await expect(feed().since('c')).rejects.toThrow('store-auth answered 401 to the request for its events');
    expect([asked.length, forgotten - before]).toEqual([2, 1]);
  });

  it('are no longer requested once the feed is closed', async () => {
    const closed = feed();
    await closed.close?.();
    await expect(closed.since('c')).rejects.toThrow();
    expect(asked).toEqual([]);
  });
});
