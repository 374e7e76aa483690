import { commerceEnvelope } from '@platform/envelopes';
import { Unauthenticated } from '@platform/errors';
import { silentLogger } from '@platform/runtime';
import { Assets } from './assets';
import { endpointsOf } from './endpoint';
import { PlainText } from './replies';
import { startService, type RunningService } from './server';

const CSS = `body { color: red }\n`.repeat(100);
let makings = 0;
const assets = new Assets(
  '/assets',
  () => {
    makings += 1;
    return { 'app.css': CSS, 'icon.png': Buffer.from([137, 80, 78, 71]) };
  },
  (file) => (file === 'ink.red.css' ? 'p{color:red}' : undefined),
  { 'app.css': { 'Service-Worker-Allowed': '/' } },
);

let running: RunningService;
beforeAll(async () => {
  const endpoint = endpointsOf<{ nobody: never }>();
  const nobody = {
    label: 'nobody',
    authenticate: () => {
      throw new Unauthenticated({ reason: 'missing' });
    },
  };
  running = await startService(
    {
      name: 'styled',
      description: 'A service with a stylesheet',
      endpoints: [
        endpoint({ get: '/{any}', summary: 'All', guard: 'nobody', reply: 'text', handle: () => new PlainText('') }),
      ],
      guards: { nobody },
      envelope: commerceEnvelope({ production: true }),
      components: [],
      assets,
    },
    // Strangers reach the first port alone
    { port: 0, internalPort: 0, host: '127.0.0.1', logger: silentLogger },
  );
});
afterAll(() => running.stop());

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(running.url + path, { headers });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
};

it('a file is served to anybody under an address that names its content, for ever', async () => {
  expect(assets.url('app.css')).toMatch(/^\/assets\/app\.[0-9A-Za-z]{10}\.css$/);
  const { status, headers, bytes } = await get(assets.url('app.css'), { 'accept-encoding': 'br' });
  expect([status, headers.get('content-type'), headers.get('cache-control'), bytes.toString()]).toEqual([
    200,
    'text/css; charset=utf-8',
    'public, max-age=31536000, immutable',
    CSS,
  ]);
  expect([headers.get('x-content-type-options'), headers.get('content-encoding')]).toEqual(['nosniff', 'br']);
  expect(Number(headers.get('content-length'))).toBeLessThan(CSS.length / 10);
});

it('under its plain name a file is asked for again each time', async () => {
  const first = await get('/assets/icon.png');
  expect([first.status, first.headers.get('cache-control'), [...first.bytes]]).toEqual([
    200,
    'no-cache',
    [137, 80, 78, 71],
  ]);
  const again = await get('/assets/icon.png', { 'if-none-match': String(first.headers.get('etag')) });
  expect([again.status, again.bytes.length]).toEqual([304, 0]);
});

it('what a page of another release names is served as it is here, until there is that release: two serve side by side while one rolls out', async () => {
  const { status, headers, bytes } = await get('/assets/app.0123456789.css');
  expect([status, headers.get('content-type'), headers.get('cache-control'), bytes.toString()]).toEqual([
    ...[200, 'text/css; charset=utf-8', 'no-cache', CSS],
  ]);
  const unknown = ['/assets/other.0123456789.css', '/assets/app.0123456789.js', '/assets/app.012345678.css'];
  expect(await Promise.all(unknown.map((path) => get(path).then((answer) => answer.status)))).toEqual([404, 404, 404]);
});

it('what follows from its name alone is served for ever', async () => {
  const { status, headers, bytes } = await get('/assets/ink.red.css');
  expect([status, headers.get('content-type'), headers.get('cache-control'), bytes.toString()]).toEqual([
    ...[200, 'text/css; charset=utf-8', 'public, max-age=31536000, immutable', 'p{color:red}'],
  ]);
});

it('the files are made once, and not before one is asked for', () => {
  expect(makings).toBe(1);
  let made = 0;
  new Assets('/assets', () => ({ 'app.css': String((made += 1)) }));
  expect(made).toBe(0);
});

it('a name that is no file is an unknown address', async () => {
  for (const path of ['/assets/gone.css', '/assets/', '/assets/app.css/more', '/assets/..%2fapp.css'])
    expect([path, (await get(path)).status]).toEqual([path, 404]);
});

it('another content has another address, and the same content the same one', () => {
  const url = (content: string) => new Assets('/assets', () => ({ 'app.css': content })).url('app.css');
  expect(url(CSS)).toBe(assets.url('app.css'));
  expect(url(`${CSS} `)).not.toBe(assets.url('app.css'));
});

it('a file that is not there, or has no type, is an error of the page that names it', () => {
  expect(() => assets.url('gone.css' as 'app.css')).toThrow('there is no asset gone.css');
  expect(() => new Assets('/assets', () => ({ 'page.exe': '' })).url('page.exe')).toThrow('page.exe has no type');
});

it('a file has headers of its own at its plain name alone', async () => {
  const headerAt = async (path: string) => (await get(path)).headers.get('service-worker-allowed');
  expect([await headerAt('/assets/app.css'), await headerAt(assets.url('app.css'))]).toEqual(['/', null]);
  expect(await headerAt('/assets/icon.png')).toBeNull();
});
