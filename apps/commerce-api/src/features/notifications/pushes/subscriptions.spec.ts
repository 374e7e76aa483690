// In which browsers a member is told: what is taken, and when it ends.
import { Unavailable } from '@platform/errors';
import { systemClock } from '@platform/runtime';
import { expectNoSeqScan, explain, hostileTexts, until, useRunning } from '@platform/testing';
import { startPushSandbox, type PushSandbox } from '@platform/testing/push';
import { invalid, refused } from '../../../asked.fixture';
import { newApiToken, newMember, newStore, startCommerce, type Commerce } from '../../../commerce.fixture';
import { OWNER_ID } from '../../../clients/store-auth.fake';
import { newPerson, openBrowser, PASSWORD, signedIn } from '../../../web/browser.fixture';
import { browsersOf, pushSettingsFor, pushShop } from './push.fixture';
import { BROWSERS } from './push.queue';
import { DUE } from './push.sends';
import { openSubscriptions, signedOutOf } from './subscriptions';
import { HAS_BROWSERS } from './told.chats';

const sandbox: PushSandbox = useRunning(async () => {
  const started = await startPushSandbox({ port: 0 });
  return Object.assign(started, { stop: () => started.close() });
});
const commerce: Commerce = useRunning(() => startCommerce(pushSettingsFor(sandbox)));
const shop = () => pushShop({ commerce, sandbox });
const PREFERENCES = '/api/notification/preferences';

describe('store-auth, which is asked about the login', () => {
  const askedOf = (isActive: () => Promise<boolean>) =>
    openSubscriptions(commerce.config, { clock: systemClock, logins: { isActive }, sql: commerce.database });

  it('holds up nothing else while it hangs, however many give a browser', async () => {
    const { owner, storeId } = await shop();
    const open: ((isActive: boolean) => void)[] = [];
    const subscriptions = askedOf(() => new Promise((resolve) => open.push(resolve)));
    const { endpoint, keys } = sandbox.browser();
    const giving = Array.from({ length: 40 }, () =>
      subscriptions.asked({ storeId, userId: owner.userId, bearer: () => 't' }, { endpoint, keys }),
    );
    await until(() => open.length === giving.length);
    await Promise.all(giving.map(() => commerce.database.query('SELECT 1')));
    for (const resolve of open) resolve(true);
    await Promise.all(giving);
  });

  it('is not believed any more once its member has signed out somewhere', async () => {
    const { userId, storeId } = await signedIn(commerce);
    const subscriptions = askedOf(() => Promise.resolve(true));
    const { endpoint, keys } = sandbox.browser();
    const owner = { storeId, userId, sid: 'ending', bearer: () => 't' };
    const asked = await subscriptions.asked(owner, { endpoint, keys });
    await signedOutOf(commerce.database, { userId, sid: 'ending' });
    await expect(commerce.database.tx((tx) => subscriptions.put(tx, owner, asked))).rejects.toThrow(Unavailable);
    expect(await browsersOf(commerce, storeId)).toEqual([]);
  });
});

it('a browser is shown by its name, its address and keys to nobody, and is removed when it comes without keys', async () => {
  const { storeId, owner, subscribe, give, shownPreferences } = await shop();
  const browser = sandbox.browser();
  const { status, body } = await subscribe(owner.token, browser, { push_content: true });
  expect([status, (body as { data: { push: object } }).data.push]).toEqual([
    200,
    {
      ...{ public_key: expect.stringMatching(/^B[\w-]{86}$/) as string, show_content: true },
      devices: [
        { id: expect.any(String) as string, label: 'Chrome, Android', created_at: expect.any(String) as string },
      ],
    },
  ]);
  const shown = JSON.stringify(await shownPreferences());
  const [row] = await commerce.database.query('SELECT * FROM push_subscription WHERE store_id = $1', [storeId]);
  for (const secret of [browser.endpoint, browser.keys.p256dh, browser.keys.auth])
    expect([shown.includes(secret), JSON.stringify(row).includes(secret)]).toEqual([false, false]);
  await give(owner.token, { push_subscription: { endpoint: browser.endpoint } });
  expect(await browsersOf(commerce, storeId)).toEqual([]);
});

it('the same browser again is one, and of another member it is theirs alone', async () => {
  const { storeId, owner, subscribe, member, shownPreferences } = await shop();
  const rina = await member();
  await Promise.all([1, 2, 3].map(() => subscribe(rina.token, rina.browser)));
  expect(await browsersOf(commerce, storeId)).toHaveLength(1);
  await subscribe(owner.token, rina.browser);
  const [own, theirs] = [await shownPreferences(), await shownPreferences(rina.token)];
  expect([own.push.devices.length, theirs.push.devices.length]).toEqual([1, 0]);
});

it('a member has at most ten, also when they come at once', async () => {
  const { storeId, owner, subscribe } = await shop();
  const answers = await Promise.all(Array.from({ length: 14 }, () => subscribe(owner.token, sandbox.browser())));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array<number>(10).fill(200), 409, 409, 409, 409]);
  expect(await browsersOf(commerce, storeId)).toHaveLength(10);
});

it.each([
  ['http://push.example/x', 'over http'],
  ['https://127.0.0.1/x', 'of this machine'],
  ['https://[::1]/x', 'of this machine'],
  ['https://169.254.169.254/latest', 'of a cloud'],
  ['https://10.0.0.8/x', 'of a private network'],
  ['https://0x7f000001/x', 'written otherwise'],
  ['https://localhost/x', 'named so'],
  ['https://redis.internal/x', 'of an inner name'],
  ['https://push.example:6379/x', 'on the port of a database'],
  ['https://user:pass@push.example/x', 'with a password'],
  [`https://${`${'a'.repeat(60)}.`.repeat(5)}example/x`, 'longer than names are'],
  ['javascript:alert(1)', 'that is none'],
  ['', 'that is empty'],
])('an address %s %s is refused', async (endpoint) => {
  const { storeId, owner, give } = await shop();
  const { keys } = sandbox.browser();
  const { status } = await give(owner.token, { push_subscription: { endpoint, keys } });
  expect([status, await browsersOf(commerce, storeId)]).toEqual([422, []]);
});

it('keys that nobody could encrypt to are refused, at their field', async () => {
  const { owner, give } = await shop();
  const { endpoint, keys } = sandbox.browser();
  const ask = async (wrong: object) => {
    const { status, body } = await give(owner.token, { push_subscription: { endpoint, keys: { ...keys, ...wrong } } });
    return { status, body };
  };
  const notOnCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString('base64url');
  for (const p256dh of ['x', notOnCurve, keys.auth])
    expect(await ask({ p256dh })).toEqual(
      invalid(
        'push_subscription.keys.p256dh',
        'push_subscription.keys.p256dh must be a public key of P-256 in base64url',
      ),
    );
  expect(await ask({ auth: 'AAAA' })).toEqual(
    invalid('push_subscription.keys.auth', 'push_subscription.keys.auth must be 16 bytes in base64url'),
  );
});

it('whatever stands in its texts is no error of ours', async () => {
  const { owner, give } = await shop();
  const browser = sandbox.browser();
  for (const hostile of Object.values(hostileTexts))
    for (const more of [{ label: hostile(200) }, { endpoint: hostile(2_048) }]) {
      const push_subscription = { endpoint: browser.endpoint, keys: browser.keys, ...more };
      expect((await give(owner.token, { push_subscription })).status).toBeLessThan(500);
    }
});

it('an API token has none', async () => {
  const { storeId, subscribe } = await shop();
  const { token } = await newApiToken(commerce, storeId, {});
  expect((await subscribe(token, sandbox.browser())).status).toBe(403);
});

describe('a browser ends', () => {
  it('with the login in which it was given, when the client signs out', async () => {
    const { storeId, owner, subscribe } = await shop();
    const login = (sid: string) => commerce.storeAuth.userToken({ sub: owner.userId, store_id: storeId, sid });
    const [here, there] = [login('here'), login('there')];
    await subscribe(here, sandbox.browser());
    await subscribe(there, sandbox.browser());
    expect((await commerce.call('POST', '/api/logout', here)).status).toBe(200);
    expect(await browsersOf(commerce, storeId)).toHaveLength(1);
  });

  it('for good: a login that has ended gives none again, also when both come at once', async () => {
    const { storeId, owner, subscribe } = await shop();
    const login = (sid: string) => commerce.storeAuth.userToken({ sub: owner.userId, store_id: storeId, sid });
    const signOut = (token: string) => commerce.call('POST', '/api/logout', token);
    const gone = login('gone');
    await signOut(gone);
    expect((await subscribe(gone, sandbox.browser())).status).toBe(401);
    for (let n = 0; n < 10; n += 1) {
      const ending = login(`ending${n}`);
      await Promise.all([subscribe(ending, sandbox.browser()), signOut(ending)]);
    }
    expect(await browsersOf(commerce, storeId)).toEqual([]);
  });

  it('when somebody signs out of the page, also in a later sign-in, and in every store', async () => {
    const shop = await signedIn(commerce);
    const other = await signedIn(commerce);
    const browser = sandbox.browser();
    const { browser: page } = shop;
    const give = async () => {
      await page.get('/profile');
      const fields = { action: 'device', endpoint: browser.endpoint, ...browser.keys, label: 'Firefox' };
      return page.post('/profile', fields);
    };
    const given = await give();
    expect([given.status, String(given.headers['set-cookie'])]).toEqual([303, expect.stringContaining('HttpOnly')]);
    expect((await page.get('/profile')).text).toContain('Firefox');
    await other.browser.get('/profile');
    await other.browser.post('/logout', {});
    expect(await browsersOf(commerce, shop.storeId)).toHaveLength(1);
    expect((await page.post('/logout', {})).location).toBe('/login');
    expect(await browsersOf(commerce, shop.storeId)).toEqual([]);
  });

  it('when somebody else signs in where their member has only closed the window, and not when its member comes back', async () => {
    const rina = await signedIn(commerce, 'admin');
    const siti = await newPerson(commerce, 'cs', rina.storeId);
    const { browser: page } = rina;
    await page.get('/profile');
    const { endpoint, keys } = sandbox.browser();
    await page.post('/profile', { action: 'device', endpoint, ...keys, label: 'Firefox' });
    const own = { 'sec-fetch-site': 'same-origin', accept: 'text/html' };
    const named =
      page
        .cookies()
        .split('; ')
        .find((cookie) => cookie.startsWith('commerce_browser=')) ?? '';
    const signIn = async (email: string) => {
      const later = openBrowser(commerce);
      await later.get('/login');
      const cookie = `${later.cookies()}; ${named}`;
      return (await later.post('/login', { email, password: PASSWORD }, { ...own, cookie })).location;
    };
    expect([await signIn(rina.email), await browsersOf(commerce, rina.storeId)]).toEqual([
      '/dashboard',
      [expect.any(String)],
    ]);
    expect([await signIn(siti.email), await browsersOf(commerce, rina.storeId)]).toEqual(['/dashboard', []]);
  });

  it('when its member is disabled or removed', async () => {
    const { storeId, owner, member } = await shop();
    const [rina, siti] = [await member(), await member()];
    const put = await commerce.call('PUT', `/api/team/${rina.userId}`, owner.token, { status: 'disabled' });
    expect([put.status, await browsersOf(commerce, storeId)]).toEqual([200, [expect.any(String)]]);
    expect((await commerce.call('DELETE', `/api/team/${siti.userId}`, owner.token)).status).toBe(200);
    expect(await browsersOf(commerce, storeId)).toEqual([]);
  });

  it('of all other logins when the password is another', async () => {
    const { userId, storeId } = await signedIn(commerce);
    const login = (sid: string) => commerce.storeAuth.userToken({ sub: userId, store_id: storeId, sid });
    const give = (token: string) => {
      const { endpoint, keys } = sandbox.browser();
      return commerce.call('PUT', PREFERENCES, token, { push_subscription: { endpoint, keys } });
    };
    await give(login('lost'));
    await give(login('here'));
    const body = { current_password: PASSWORD, password: 'another good passphrase' };
    expect((await commerce.call('PUT', '/api/profile/password', login('here'), body)).status).toBe(200);
    const kept = await commerce.database.query('SELECT sid FROM push_subscription WHERE store_id = $1', [storeId]);
    expect(kept).toEqual([{ sid: 'here' }]);
  });
});

it('nobody ends the browser of another: not by its id in a form, and not by a cookie that names it', async () => {
  const { storeId, member } = await shop();
  const rina = await member();
  const [id = ''] = await browsersOf(commerce, storeId);
  const { browser } = await signedIn(commerce, 'admin', storeId);
  await browser.get('/profile');
  await browser.post('/profile', { action: `undevice.${id}`, id });
  await commerce.call('PUT', PREFERENCES, (await newMember(commerce, storeId, 'admin')).token, {
    push_subscription: { endpoint: rina.browser.endpoint },
  });
  await browser.get('/profile');
  const forged = { 'sec-fetch-site': 'same-origin', accept: 'text/html' };
  const cookie = `${browser.cookies()}; commerce_browser=${id}`;
  expect((await browser.post('/logout', {}, { ...forged, cookie })).location).toBe('/login');
  expect(await browsersOf(commerce, storeId)).toEqual([id]);
});

describe('the page', () => {
  it('offers it to script alone, says so, and lists and removes browsers without', async () => {
    const { browser } = await signedIn(commerce);
    const { text } = await browser.get('/profile');
    expect([
      text.includes('data-push'),
      text.includes('<noscript>'),
      text.includes('value="chat.message push"'),
    ]).toEqual([...[true, true, true]]);
    const { endpoint, keys } = sandbox.browser();
    const fields = { action: 'device', endpoint, ...keys, label: '<b>\u202eHP</b>' };
    expect((await browser.post('/profile', fields)).status).toBe(303);
    const listed = (await browser.get('/profile')).text;
    const [, id = ''] = /undevice\.([\w-]{43})/.exec(listed) ?? [];
    expect([listed.includes('&lt;b> HP'), listed.includes('<b>\u202e')]).toEqual([true, false]);
    const removed = await browser.post('/profile', { action: `undevice.${id}`, id });
    expect(removed.status).toBe(303);
    expect((await browser.get('/profile')).text).toContain('Perangkat itu tidak diberi tahu lagi.');
  });

  it('shows contents when the box is ticked, and does not when it is not', async () => {
    const { browser, storeId } = await signedIn(commerce);
    const shows = async () =>
      (await commerce.database.query('SELECT push_content AS shows FROM membership WHERE store_id = $1', [storeId]))[0];
    await browser.get('/profile');
    await browser.post('/profile', { action: 'content', push_content: 'true' });
    expect(await shows()).toEqual({ shows: true });
    await browser.get('/profile');
    await browser.post('/profile', { action: 'content' });
    expect(await shows()).toEqual({ shows: false });
  });
});

describe('without a key', () => {
  const plain: Commerce = useRunning(() => startCommerce());

  it('nothing is offered, taken or promised', async () => {
    const storeId = await newStore(plain);
    const token = plain.storeAuth.userToken({ store_id: storeId });
    const { data } = (await plain.call('GET', PREFERENCES, token)).body as { data: Record<string, { push?: boolean }> };
    expect([data.push, data['chat.message']?.push]).toEqual([
      { public_key: null, show_content: false, devices: [] },
      false,
    ]);
    const { endpoint, keys } = sandbox.browser();
    const { status, body } = await plain.call('PUT', PREFERENCES, token, { push_subscription: { endpoint, keys } });
    expect({ status, body }).toEqual(
      invalid('push_subscription', 'push_subscription is not offered: browsers are not pushed to'),
    );
    const { browser } = await signedIn(plain);
    for (const path of ['/profile', '/chats']) {
      const { text } = await browser.get(path);
      expect([path, text.includes('data-push'), text.includes('chat.message')]).toEqual([path, false, false]);
    }
  });
});

it('too many is said in words', async () => {
  const { owner, subscribe } = await shop();
  for (let n = 0; n < 10; n += 1) await subscribe(owner.token, sandbox.browser());
  const { status, body } = await subscribe(owner.token, sandbox.browser());
  expect({ status, body }).toEqual(
    refused(409, 'too_many_browsers', 'A member is told in at most 10 browsers: remove one first'),
  );
});

it('browsers are found by an index, however many stores there are', async () => {
  const users = [OWNER_ID];
  const statements: (readonly [string, readonly unknown[]])[] = [
    [HAS_BROWSERS, ['S1', users]],
    [BROWSERS, ['S1', users, 'chat.message', true]],
    [DUE, ['S1', 'x', 'chat.message', '3']],
  ];
  for (const [text, values] of statements)
    expectNoSeqScan(await explain(commerce.database, text, values), 'push_subscription', 'membership');
});
