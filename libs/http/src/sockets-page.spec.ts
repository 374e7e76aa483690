import { silentLogger } from '@platform/runtime';
import { openapi } from './openapi';
import { routeLines } from './routes';
import { startService, type RunningService } from './server';
import { fixtureService } from './service.fixture';
import type { SocketsDocument } from './sockets-page';

const HOSTILE = `</code><script>alert('x')</script>`;

const document: SocketsDocument = {
  info: { title: 'shop sockets', description: HOSTILE },
  operations: {
    changed: {
      action: 'send',
      summary: 'A row has changed',
      description: 'Heard by: everybody.',
      messages: [{ $ref: '#/channels/sockets/messages/changed' }],
    },
    look: {
      action: 'receive',
      summary: 'Looks at a row',
      messages: [{ $ref: '#/channels/sockets/messages/look' }],
      reply: { messages: [{ $ref: '#/channels/sockets/messages/lookAnswer' }] },
    },
  },
  components: {
    messages: {
      changed: { payload: { $ref: '#/components/schemas/Row' } },
      look: { payload: { type: 'object' } },
      lookAnswer: { payload: { oneOf: [{ $ref: '#/components/schemas/Row' }, { type: 'null' }] } },
    },
    schemas: {
      Row: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'string', description: 'its name' },
          kind: { type: 'string', enum: ['a', 'b'] },
          rows: { type: 'array', items: { $ref: '#/components/schemas/Row' } },
        },
      },
    },
    securitySchemes: { token: { description: 'a token of the shop' } },
  },
};

const mute = fixtureService();
const service = { ...mute, sockets: () => document };
let running: RunningService;
let silent: RunningService;
beforeAll(async () => {
  running = await startService(service, { port: 0, host: '127.0.0.1', logger: silentLogger });
  silent = await startService(mute, { port: 0, host: '127.0.0.1', logger: silentLogger });
});
afterAll(async () => {
  await running.stop();
  await silent.stop();
});

describe('a service with sockets', () => {
  it('serves their description for programs', async () => {
    const answer = await fetch(`${running.url}/docs/sockets.json`);
    expect([answer.status, answer.headers.get('content-type'), await answer.json()]).toEqual([
      200,
      'application/json; charset=utf-8',
      document,
    ]);
  });

  it('serves a page with events, requests, payloads and the token, without files or scripts', async () => {
    const answer = await fetch(`${running.url}/docs/sockets`);
    const page = await answer.text();
    expect(answer.status).toBe(200);
    for (const text of ['<code>changed</code>', 'Heard by: everybody.', '<code>look</code>', 'a token of the shop'])
      expect(page).toContain(text);
    expect(page).toContain('list of <a href="#Row">Row</a>');
    expect(page).toContain('<a href="#Row">Row</a> or null');
    expect(page).toContain('&quot;a&quot; | &quot;b&quot;');
    expect(page).not.toMatch(/<script|src=|<link/);
  });

  it('serves that page under the same policy as its API page', async () => {
    const policies = await Promise.all(
      ['/docs', '/docs/sockets'].map(async (path) =>
        (await fetch(running.url + path)).headers.get('content-security-policy'),
      ),
    );
    expect(policies[0]).toContain("script-src 'self'");
    expect(policies[1]).toBe(policies[0]);
  });

  it('lists both among its routes, and names the page in its API description', () => {
    expect(routeLines(service)).toEqual(
      expect.arrayContaining([
        `${service.name},GET,/docs/sockets,public`,
        `${service.name},GET,/docs/sockets.json,public`,
      ]),
    );
    expect(openapi(service)).toMatchObject({ externalDocs: { url: '/docs/sockets' } });
  });
});

describe('a service without sockets', () => {
  it('has neither their description nor their page', async () => {
    expect((await fetch(`${silent.url}/docs/sockets`)).status).toBe(404);
    expect((await fetch(`${silent.url}/docs/sockets.json`)).status).toBe(404);
    expect(routeLines(mute).join()).not.toContain('sockets');
    expect(openapi(mute)).not.toHaveProperty('externalDocs');
  });
});
