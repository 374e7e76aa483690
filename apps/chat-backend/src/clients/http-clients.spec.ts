import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { httpClient, type HttpClient } from '@platform/http';
import { httpBotClient, type BotQuestion } from './bot.client';
import { httpCommerceClient } from './commerce.client';
import { httpGatewayClient } from './gateway.client';

let server: Server;
let http: HttpClient;
let says: { status: number; body?: string; headers?: Record<string, string> };
let seen: { url: string | undefined; authorization: string | undefined; key?: string; body: unknown }[];

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { url, headers } = request;
      const key = headers['x-api-key'] as string | undefined;
      seen.push({ url, authorization: headers.authorization, ...(key && { key }), body: text && JSON.parse(text) });
      response.writeHead(says.status, says.headers).end(says.body ?? '{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => {
  seen = [];
  http = httpClient('sibling', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(() => http.stop?.());
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const tokens = { name: 'tokens', for: async (audience: string, store?: string) => `${audience} ${store}` };

describe('bot-engine', () => {
  const question: BotQuestion = {
    ...{ idUser: '6281234567890', idAgent: 'A1', idStore: 'S1', instanceID: 'dev1', team: '3' },
    ...{ message: 'halo', idMessage: 'm1', chatId: 'c1', episode: 1, escalate: '', timestamp: 1_795_157_100, seq: 1 },
  };
  const ask = () => httpBotClient(http, tokens).ask(question);

  it('is asked with a token for the store, and its texts and pictures carry their ids in order', async () => {
    const body = JSON.stringify({ data: { answer: ['a', 'b'], images: ['p'] } });
    says = { status: 201, body, headers: { 'x-bot-message-ids': 'i1, i2, i3' } };
    const bubbles = [
      { id: 'i1', text: 'a' },
      { id: 'i2', text: 'b' },
      { id: 'i3', picture: 'p' },
    ];
    expect(await ask()).toEqual({ kind: 'answered', bubbles });
    expect(seen).toEqual([{ url: '/api/chatbot-api', authorization: 'Bearer bot-engine S1', body: question }]);
  });

  it.each([
    ['handover', { kind: 'left', bubbles: [] }],
    ['skipped', { kind: 'left', bubbles: [] }],
    ['merged', { kind: 'merged' }],
  ])('that has nothing to say and calls it %s is understood', async (status, answer) => {
    says = { status: 201, body: JSON.stringify({ data: { answer: [] } }), headers: { 'x-bot-status': status } };
    expect(await ask()).toEqual(answer);
  });

  it.each(['handover', 'fallback'])(
    'that leaves the chat after its last words and calls it %s is understood',
    async (status) => {
      const body = JSON.stringify({ data: { answer: ['a'] } });
      says = { status: 201, body, headers: { 'x-bot-message-ids': 'i1', 'x-bot-status': status } };
      expect(await ask()).toEqual({ kind: 'left', bubbles: [{ id: 'i1', text: 'a' }] });
    },
  );

  it('that says nothing to as many questions as one store has under way is still asked by the next store', async () => {
    const bot = httpBotClient(http, tokens, 50);
    says = { status: 504 };
    for (let asked = 0; asked < 10; asked++) expect(await bot.ask(question)).toMatchObject({ kind: 'later' });
    says = { status: 201, body: JSON.stringify({ data: { answer: ['a'] } }), headers: { 'x-bot-message-ids': 'i1' } };
    const other = await bot.ask({ ...question, idStore: 'S2' });
    expect(other).toEqual({ kind: 'answered', bubbles: [{ id: 'i1', text: 'a' }] });
  });

  it.each([404, 422])('refuses for good with %i', async (status) => {
    says = { status, body: JSON.stringify({ statusCode: status, message: 'agent not found' }) };
    expect(await ask()).toEqual({ kind: 'refused', reason: 'agent not found' });
  });

  it.each([429, 503])('is asked again after %i when it says', async (status) => {
    says = { status, headers: { 'retry-after': '7' } };
    expect(await ask()).toEqual({ kind: 'later', afterSeconds: 7, reason: expect.any(String) });
  });

  it.each([400, 401, 500, 502])('is asked again after %i', async (status) => {
    says = { status };
    expect(await ask()).toEqual({ kind: 'later', afterSeconds: undefined, reason: expect.any(String) });
  });

  it('is asked again when it answers nonsense, and when it is away', async () => {
    says = { status: 201, body: '<html>' };
    const away = httpBotClient(httpClient('bot-engine', 'http://127.0.0.1:1'), tokens);
    const later = { kind: 'later', afterSeconds: undefined, reason: expect.stringContaining('bot-engine') };
    expect([await ask(), await away.ask(question)]).toEqual([later, later]);
  });
});

describe('commerce-api', () => {
  const SAID_AT = '2026-11-20T06:45:00.000Z';
  const push = () =>
    httpCommerceClient(http, tokens).pushContact({
      storeId: 'S1',
      phone: '6281',
      name: null,
      optedOut: true,
      saidAt: SAID_AT,
    });

  it('is told of a contact with a token for the store, without a name rather than with the number as one', async () => {
    says = { status: 201 };
    expect(await push()).toBe(true);
    expect(seen).toEqual([
      {
        url: '/api/contact',
        authorization: 'Bearer commerce-api S1',
        body: { phone: '6281', source: 'chat', opted_out: true, said_at: SAID_AT },
      },
    ]);
  });

  it('is told of an event with a token for the store', async () => {
    says = { status: 200 };
    const event = { id: 'link:W1', kind: 'link_opened', code: 'promo24', nohp: '6281', chatId: 'S1.c1' } as const;
    expect(await httpCommerceClient(http, tokens).tellEvent('S1', event)).toBe(true);
    expect(seen).toEqual([
      {
        url: '/internal/chat-events',
        authorization: 'Bearer commerce-api S1',
        body: { store_id: 'S1', events: [event] },
      },
    ]);
  });

  it.each([400, 409, 422])('will never take a contact that it refuses with %i', async (status) => {
    says = { status };
    expect(await push()).toBe(false);
  });

  it.each([401, 402, 403, 404, 408, 425, 429, 500, 503])('is told again of a contact after %i', async (status) => {
    says = { status };
    await expect(push()).rejects.toThrow(/commerce-api|Too many/);
  });
});

describe('wa-gateway', () => {
  const gateway = (apiKey?: string) => httpGatewayClient(http, apiKey);
  const message = {
    ...{ pesanId: 'm1', role: 'agent', instance: 'dev1', number: '6281', quotedId: null, text: 'halo' },
  };
  const { signal } = new AbortController();

  it('is shown the key that it asks for with every call, and none where there is none', async () => {
    says = { status: 200, body: JSON.stringify({ success: true, data: { id: 'W1', devices: [] } }) };
    for (const client of [gateway('the key'), gateway()]) {
      await client.devices();
      await client.send(message, signal);
    }
    expect(seen.map(({ url, key }) => [url, key])).toEqual([
      ['/api/device-info', 'the key'],
      ['/api/send-message', 'the key'],
      ['/api/device-info', undefined],
      ['/api/send-message', undefined],
    ]);
  });

  it('is told which messages were read, and every outcome is an answer', async () => {
    const { signal } = new AbortController();
    const receipt = { instance: 'dev1', number: '6281', ids: ['A', 'B'] };
    const data = { number: '6281@s.whatsapp.net', count: 2 };
    says = { status: 200, body: JSON.stringify({ success: true, message: 'success mark read', data }) };
    expect(await gateway().markRead(receipt, signal)).toEqual({ status: 200, message: 'success mark read' });
    const body = { instanceID: 'dev1', number: '6281', ids: ['A', 'B'] };
    expect(seen).toEqual([{ url: '/api/mark-read', authorization: undefined, body }]);
    says = { status: 503, body: '{"message":"held"}', headers: { 'retry-after': '7' } };
    expect(await gateway().markRead(receipt, signal)).toEqual({ status: 503, message: 'held', retryAfterSeconds: 7 });
    const away = httpGatewayClient(httpClient('wa-gateway', 'http://127.0.0.1:1'));
    expect(await away.markRead(receipt, signal)).toEqual({ status: undefined, message: expect.any(String) });
  });

  it('lists its devices', async () => {
    const devices = [{ instanceID: 'dev1', status: 'connected', name: 'x' }];
    says = { status: 200, body: JSON.stringify({ success: true, data: { devices } }) };
    expect(await gateway().devices()).toEqual([{ instance: 'dev1', status: 'connected' }]);
  });

  it.each(['{}', '{"success":false}', '{"data":{"devices":5}}', '<html>'])(
    'cannot say how its devices are with %s',
    async (body) => {
      says = { status: 200, body };
      await expect(gateway().devices()).rejects.toThrow('wa-gateway answered with something else than was asked for');
    },
  );
});
