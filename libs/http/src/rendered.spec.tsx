import { silentLogger } from '@platform/runtime';
import { rendered } from './rendered';
import { Redirect, Reply } from './replies';
import { endpointsOf } from './endpoint';
import { startService, type RunningService } from './server';
import { fixtureService } from './service.fixture';

const endpoint = endpointsOf<{ public: undefined }>();
const HOSTILE = `</p><script>alert('x')</script>&"`;

const Greeting = ({ name, rows = 1 }: { name: string; rows?: number }) => (
  <html lang="id">
    <body class="home">
      {Array.from({ length: rows }, () => (
        <p title={name}>Halo {name}</p>
      ))}
    </body>
  </html>
);

const endpoints = [
  endpoint({
    get: '/greeting',
    summary: 'A page with headers',
    guard: 'public',
    reply: 'page',
    etag: true,
    handle: () =>
      new Reply(rendered(<Greeting name={HOSTILE} />), {
        headers: { 'Content-Security-Policy': "default-src 'none'", 'Set-Cookie': ['a=1', 'b=2; HttpOnly'] },
      }),
  }),
  endpoint({
    get: '/long',
    summary: 'A page worth compressing',
    guard: 'public',
    reply: 'page',
    handle: () => rendered(<Greeting name="Rina" rows={200} />),
  }),
  endpoint({
    post: '/sign-in',
    summary: 'A redirect with headers',
    guard: 'public',
    reply: 'redirect',
    handle: () => new Reply(new Redirect('/home', 303), { headers: { 'Set-Cookie': 'sid=1' } }),
  }),
  endpoint({
    post: '/nothing',
    summary: 'No content',
    guard: 'public',
    reply: 'nothing',
    handle: () => undefined,
  }),
];

let service: RunningService;
beforeAll(async () => {
  service = await startService(fixtureService({ endpoints }), { port: 0, host: '127.0.0.1', logger: silentLogger });
});
afterAll(() => service.stop());

const PAGE = `<!doctype html><html lang="id"><body class="home"><p title="&lt;/p>&lt;script>alert('x')&lt;/script>&amp;&quot;">Halo &lt;/p>&lt;script>alert('x')&lt;/script>&amp;&quot;</p></body></html>`;

describe('a page', () => {
  it('a page escapes what it shows and keeps its headers and all its cookies', async () => {
    const { status, headers, ...answer } = await fetch(`${service.url}/greeting`).then(async (response) => ({
      status: response.status,
      headers: response.headers,
      text: await response.text(),
    }));
    expect(answer.text).toBe(PAGE);
    expect([
      status,
      headers.get('content-type'),
      headers.get('content-security-policy'),
      headers.get('x-content-type-options'),
      headers.getSetCookie(),
    ]).toEqual([200, 'text/html; charset=utf-8', "default-src 'none'", 'nosniff', ['a=1', 'b=2; HttpOnly']]);
  });

  it('a page is not sent again to a client that has it', async () => {
    const etag = (await fetch(`${service.url}/greeting`)).headers.get('etag') as string;
    const known = (tag: string) => fetch(`${service.url}/greeting`, { headers: { 'if-none-match': tag } });
    expect([(await known(etag)).status, (await known('W/"other"')).status]).toEqual([304, 200]);
  });

  it.each([
    ['gzip, br', 'gzip'],
    ['br;q=1.0, gzip;q=0.8', 'gzip'],
    ['gzip;q=0', null],
    ['br', null],
    ['identity', null],
  ])('a page goes to a client that accepts "%s" in the encoding %p', async (accepted, encoding) => {
    const response = await fetch(`${service.url}/long`, { headers: { 'accept-encoding': accepted } });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
    expect((await response.text()).match(/Halo Rina/g)).toHaveLength(200);
  });
});

it('a redirect keeps its cookie', async () => {
  const { status, headers } = await fetch(`${service.url}/sign-in`, { method: 'POST', redirect: 'manual' });
  expect([status, headers.get('location'), headers.getSetCookie()]).toEqual([303, '/home', ['sid=1']]);
});

it('an answer of nothing is 204 without a body', async () => {
  const response = await fetch(`${service.url}/nothing`, { method: 'POST' });
  expect([response.status, await response.text(), response.headers.get('content-type')]).toEqual([204, '', null]);
});
