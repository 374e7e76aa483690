// Each page that is mounted: as each role, for a stranger, and on another store's row.
import { gzipSync } from 'node:zlib';
import { useRunning } from '@platform/testing';
import { startFakeBot } from '../clients/bot.fake';
import { startFakeHandled } from '../clients/chat.handled.fake';
import { startCommerce } from '../commerce.fixture';
import { systemRoleNames, systemRoles, type SystemRole } from '../roles';
import { openBrowser, signedIn, type Browser } from './browser.fixture';
import { doubledIds, faultsOf, partsAsked } from './links.fixture';
import { addressIn, addressOfNobody, BUYER, filledShop, isFile, pageRoutes, routeOf } from './pages.fixture';
import { contentPolicy } from './policy';
import { abilitiesOf } from './session.guard';

const chat = useRunning(() => startFakeHandled());
const bot = useRunning(startFakeBot);
const commerce = useRunning(() => startCommerce({ CHAT_URL: chat.url, BOT_URL: bot.url }));
let shop: Awaited<ReturnType<typeof filledShop>>;
let foreign: Browser;
const members = new Map<SystemRole, Browser>();

beforeAll(async () => {
  shop = await filledShop(commerce);
  foreign = (await signedIn(commerce)).browser;
  for (const role of systemRoleNames) {
    const { browser, userId } = role === 'owner' ? shop : await signedIn(commerce, role, shop.storeId);
    // Who sees the customers of their own chats alone sees the one of this shop
    chat.handled.set(`${shop.storeId} ${userId}`, [BUYER]);
    members.set(role, browser);
  }
});

/** Of a page on its way to a phone that has its files already (commerce-web.md 12). */
const MOST_BYTES = 8 * 1024;

const titled = pageRoutes.map((route) => [`${route.endpoint.method.toUpperCase()} ${route.path}`, route] as const);
const ofMembers = titled.filter(([, { guard }]) => guard.label === 'session');
const [asked, sent] = ['get', 'post'].map((method) =>
  ofMembers.filter(([, { endpoint }]) => endpoint.method === method),
);
const [shown, files] = [false, true].map((file) => asked?.filter(([, route]) => isFile(route) === file));
/** What every shop has, by its name. */
const NAMED: readonly string[] = ['/settings/{group}'];
const ofRows = ofMembers.filter(([, { path }]) => path.includes('{') && !NAMED.includes(path));
const needOf = (guard: string): string => guard.replace('page:', '');
const lacking = (role: SystemRole, need: string): string | undefined =>
  abilitiesOf(need).find((each) => each !== 'member' && !(systemRoles[role] as readonly string[]).includes(each));
const may = (role: SystemRole, need: string): boolean => lacking(role, need) === undefined;
const member = (role: SystemRole): Browser => members.get(role) as Browser;
const SAME = { 'sec-fetch-site': 'same-origin', accept: 'text/html' };
const isMounted = (path: string, method: string) => routeOf(path, method) !== undefined;

describe.each(shown ?? [])('%s', (_, { path, endpoint }) => {
  it('leads a stranger to the sign-in, and from there back', async () => {
    const address = addressIn(shop.rows, path);
    expect(await openBrowser(commerce).get(address)).toMatchObject({
      ...{ status: 303, location: `/login?next=${encodeURIComponent(address)}`, text: '' },
    });
  });

  it.each(systemRoleNames)('is shown to the role %s if it may see it, else the right that is missing', async (role) => {
    const need = needOf(endpoint.guard);
    const { status, text, headers } = await member(role).get(addressIn(shop.rows, path));
    expect([status, headers['content-type'], headers['content-security-policy']]).toEqual([
      may(role, need) ? 200 : 403,
      'text/html; charset=utf-8',
      contentPolicy(),
    ]);
    if (status === 403) expect(text).toContain(`&quot;${lacking(role, need)}&quot;`);
  });

  it('is whole: one heading, no dead end, no id twice, nothing that was forgotten', async () => {
    const { text } = await shop.browser.get(addressIn(shop.rows, path));
    expect(text.match(/<h1\b/g)).toHaveLength(1);
    expect(text.match(/<title>[^<]+ · [^<]+<\/title>/g)).toHaveLength(1);
    expect([faultsOf(text, isMounted), doubledIds(text)]).toEqual([[], []]);
    expect(text).not.toContain('<script>alert');
    expect(gzipSync(text, { level: 5 }).length).toBeLessThan(MOST_BYTES);
    expect(text.match(/.{60}(undefined|\bNaN\b|\[object|\bTODO\b|[Ll]orem ipsum|\$\{).{20}/)).toBeNull();
  });

  it('has the parts that htmx replaces, and is asked for each alone', async () => {
    const { text } = await shop.browser.get(addressIn(shop.rows, path));
    for (const [id, get] of partsAsked(text)) {
      expect(text).toContain(` id="${id}"`);
      const part = await shop.browser.get(get, { 'hx-request': 'true', 'hx-target': `div#${id}` });
      expect([part.text.slice(0, 200), part.text.includes('<title>')]).toEqual([
        ...[expect.stringMatching(new RegExp(`^<!doctype html><\\w+ id="${id}"`)), false],
      ]);
    }
  });

  it.each(systemRoleNames)('shows the role %s no way to a page that refuses it', async (role) => {
    const { text } = await member(role).get(addressIn(shop.rows, path));
    const ways = [...text.matchAll(/<a [^>]*href="(\/(?!blob\/)[^"?#]*)/g)].map(([, href = '']) => href);
    const refused = [...new Set(ways)].filter((href) => {
      const { guard } = routeOf(href, 'get')?.endpoint ?? { guard: 'page:nowhere' };
      return guard.startsWith('page:') && !may(role, needOf(guard));
    });
    expect(refused).toEqual([]);
  });
});

describe.each(files ?? [])('%s', (_, { path, endpoint }) => {
  it.each(systemRoleNames)(
    'is a file for the role %s if it may have it, else a page that says why not',
    async (role) => {
      const allowed = may(role, needOf(endpoint.guard));
      const { status, headers } = await member(role).get(path);
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        ...[allowed ? 200 : 403, allowed ? 'text/csv; charset=utf-8; header=present' : 'text/html; charset=utf-8'],
        allowed ? 'private, no-store' : 'private, no-cache',
      ]);
    },
  );

  it('leads a stranger to the sign-in', async () =>
    expect(await openBrowser(commerce).get(path)).toMatchObject({ status: 303, text: '' }));
});

describe.each(sent ?? [])('%s', (_, { path, endpoint }) => {
  it('does nothing for a stranger', async () => {
    const { status, location } = await openBrowser(commerce).send(addressIn(shop.rows, path), {}, SAME);
    expect([status, String(location).startsWith('/login?next=')]).toEqual([303, true]);
  });

  it('does nothing for another site, nor without its token', async () => {
    const address = addressIn(shop.rows, path);
    const elsewhere = await shop.browser.send(address, {}, { ...SAME, 'sec-fetch-site': 'cross-site' });
    const bare = await shop.browser.send(address, { action: 'save' }, SAME);
    expect([elsewhere.status, bare.status]).toEqual([403, 403]);
    expect(elsewhere.text + bare.text).not.toContain('"status":"error"');
  });

  it.each(systemRoleNames)('is refused to the role %s unless it may', async (role) => {
    const need = needOf(endpoint.guard);
    // Whoever is signed in may leave, and go to another store
    if (endpoint.guard === 'session' || endpoint.guard === 'leaving' || may(role, need)) return;
    const { status, text } = await member(role).send(addressIn(shop.rows, path), {}, SAME);
    expect([status, text.includes(`&quot;${lacking(role, need)}&quot;`)]).toEqual([403, true]);
  });
});

describe.each(ofRows)('%s', (_, { path, endpoint: { method } }) => {
  it("is 404 for another store's row, for one that nobody has and for what is no id, all alike", async () => {
    await foreign.get('/dashboard');
    const hidden = foreign.hidden('/logout');
    const addresses = [addressIn(shop.rows, path), addressOfNobody(path), path.replace(/\{\w+\}/g, 'abc')];
    const answers: unknown[] = [];
    for (const address of addresses) {
      const fields = { ...hidden, action: 'save' };
      const { status, text } =
        method === 'get' ? await foreign.get(address) : await foreign.send(address, fields, SAME);
      answers.push([status, text.match(/<h1>.*?<\/h1>/)?.[0]]);
    }
    expect(answers).toEqual(addresses.map(() => [404, '<h1>Halaman tidak ditemukan</h1>']));
  });
});

it('are pages with links that lead nowhere found by the same sweep', () =>
  expect(faultsOf('<a href="/nowhere">x</a>', isMounted)).toEqual(['a: no GET /nowhere']));
