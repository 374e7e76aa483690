// Signing in, staying in and going, as a browser without script meets them.
import { systemClock, uuidv7 } from '@platform/runtime';
import { useOpened, useRunning } from '@platform/testing';
import { newStore, startCommerce, useCommerce } from '../../commerce.fixture';
import type { SystemRole } from '../../roles';
import { startSecondProcess } from '../../second-process.fixture';
import { newPerson, openBrowser, PASSWORD, signedIn } from '../browser.fixture';

const commerce = useCommerce();
/** On the clock of the machine, as another process is. */
const now = useRunning(() => startCommerce({}, systemClock.now().toISOString()));
const opened = useOpened();
const sessionsOf = (userId: string) =>
  commerce.database.query<{ store_id: string; token_enc: string; ended: boolean }>(
    'SELECT store_id, token_enc, ended_at IS NOT NULL AS ended FROM web_session WHERE user_id = $1',
    [userId],
  );
const page = { status: 200, text: expect.stringContaining('<h1>Beranda</h1>') };
const toSignIn = { status: 303, location: '/login?next=%2Fdashboard' };

describe('signing in', () => {
  it('leads to the page that was wanted, with a cookie that no script reads and a token that no row shows', async () => {
    const { browser, answer, userId } = await signedIn(commerce);
    expect(answer).toMatchObject({ status: 303, location: '/dashboard' });
    const [cookie] = answer.headers['set-cookie'] as unknown as string[];
    expect(cookie).toMatch(/^commerce_sid=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    const [session] = await sessionsOf(userId);
    expect(session?.token_enc).toMatch(/^v1\./);
    expect(JSON.stringify(session)).not.toContain(String(cookie).slice(13, 56));
    expect(await browser.get('/dashboard')).toMatchObject(page);
    expect(await browser.get('/login')).toMatchObject({ status: 303, location: '/dashboard' });
  });

  it.each([
    ['/coupons?status=paused', '/coupons?status=paused'],
    ['//evil.example', '/dashboard'],
    ['/\\evil.example', '/dashboard'],
    ['https://evil.example', '/dashboard'],
    ['/\u0009/evil.example', '/dashboard'],
    ['javascript:alert(1)', '/dashboard'],
    ['/\u2028/coupons', '/dashboard'],
  ])('with next=%j leads to %s', async (next, to) => {
    const { email } = await signedIn(commerce);
    const browser = openBrowser(commerce);
    await browser.get('/login');
    expect(await browser.post('/login', { email, password: PASSWORD, next })).toMatchObject({
      status: 303,
      location: to,
    });
  });

  it('with a wrong password keeps the address and where one was going, never the password', async () => {
    const { email } = await signedIn(commerce);
    const browser = openBrowser(commerce);
    await browser.get('/login?next=%2Fcoupons');
    const { status, text, headers } = await browser.post('/login', {
      email,
      password: 'canary-password',
      next: '/coupons',
    });
    expect([status, headers['cache-control']]).toEqual([401, 'no-store']);
    expect(text).toContain('Email atau kata sandi salah.');
    expect(text).toContain(`value="${email}"`);
    expect(text).toContain('name="next" value="/coupons"');
    expect(text + commerce.lines.join()).not.toContain('canary-password');
  });

  it('asks for the second factor where there is one, once the password was right', async () => {
    const { email, userId, user } = await newPerson(commerce);
    commerce.storeAuth.users.set(email, { ...user, secondFactor: true });
    const browser = openBrowser(commerce);
    await browser.get('/login');
    const { location } = await browser.post('/login', { email, password: PASSWORD, next: '/coupons' });
    expect(location).toBe('/two-factor?next=%2Fcoupons');
    await browser.get(String(location));
    const wrong = await browser.post('/two-factor', { code: '000000', next: '/coupons' });
    expect([wrong.status, (await sessionsOf(userId)).length]).toEqual([422, 0]);
    expect(await browser.post('/two-factor', { code: '123456', next: '/coupons' })).toMatchObject({
      status: 303,
      location: '/coupons',
    });
    expect((await browser.get('/coupons')).status).toBe(200);
  });

  it('gives each sign-in a secret of its own: one that was there before opens nothing', async () => {
    const { email } = await signedIn(commerce);
    const browser = openBrowser(commerce);
    await browser.get('/login', { cookie: `commerce_sid=${'a'.repeat(43)}` });
    await browser.post('/login', { email, password: PASSWORD });
    const planted = await openBrowser(commerce).get('/dashboard', { cookie: `commerce_sid=${'a'.repeat(43)}` });
    expect(planted).toMatchObject(toSignIn);
  });
});

describe('a session', () => {
  it('of one process is known in another, and its end here is its end there', async () => {
    const { browser, answer } = await signedIn(now);
    const [cookie = ''] = answer.headers['set-cookie'] as unknown as string[];
    const held = { cookie: String(cookie.split(';')[0]) };
    const there = opened(await startSecondProcess(now, {}));
    expect(await openBrowser(there).get('/dashboard', held)).toMatchObject(page);
    await browser.get('/dashboard');
    await browser.post('/logout', {});
    expect(await openBrowser(there).get('/dashboard', held)).toMatchObject(toSignIn);
  });

  it('has a token that is exchanged before it ends, for requests that come together too', async () => {
    const { browser, userId } = await signedIn(commerce);
    const [before] = await sessionsOf(userId);
    await commerce.database.query(`UPDATE web_session SET token_expires_at = $2 WHERE user_id = $1`, [
      userId,
      new Date(commerce.clock.now().getTime() + 60_000),
    ]);
    const answers = await Promise.all([browser.get('/dashboard'), browser.get('/dashboard'), browser.get('/coupons')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const [after] = await sessionsOf(userId);
    expect(after?.token_enc).not.toBe(before?.token_enc);
  });

  it.each([
    ['was not used for a day', `seen_at = seen_at - interval '25 hours'`],
    ['began two weeks ago', `created_at = created_at - interval '15 days'`],
  ])('that %s is over', async (_, change) => {
    const { browser, userId } = await signedIn(commerce);
    await commerce.database.query(`UPDATE web_session SET ${change} WHERE user_id = $1`, [userId]);
    expect(await browser.get('/dashboard')).toMatchObject(toSignIn);
  });

  it('whose login was ended elsewhere is over at its next request', async () => {
    const { browser, userId, storeId } = await signedIn(commerce);
    await commerce.database.query(`UPDATE membership SET status = 'disabled' WHERE user_id = $1`, [userId]);
    expect((await browser.get('/dashboard')).status).toBe(403);
    expect(storeId).toBeDefined();
  });

  it('ends with the sign-out, in all tabs, and is forgotten', async () => {
    const { browser, userId } = await signedIn(commerce);
    await browser.get('/dashboard');
    const { status, location, headers } = await browser.post('/logout', {});
    expect([status, location, headers['clear-site-data']]).toEqual([303, '/login', '"cache"']);
    expect([await sessionsOf(userId), commerce.storeAuth.revoked.length > 0]).toEqual([[], true]);
    expect(await browser.get('/dashboard')).toMatchObject(toSignIn);
  });

  it('goes to another store of its member, and to none that is not', async () => {
    const { browser, userId } = await signedIn(commerce);
    const second = await newStore(commerce);
    await commerce.database.query(
      `INSERT INTO membership (store_id, user_id, system_role, created_at, updated_at) VALUES ($1, $2, 'cs', $3, $3)`,
      [second, userId, commerce.clock.now()],
    );
    await browser.get('/dashboard');
    expect(await browser.post('/switch-store', { store_id: second })).toMatchObject({
      status: 303,
      location: '/dashboard',
    });
    expect(await sessionsOf(userId)).toEqual([expect.objectContaining({ store_id: second })]);
    expect((await browser.get('/coupons')).status).toBe(403);
  });

  const chatAt = (chatId: string) =>
    `/chats/${Buffer.from(JSON.stringify(['dev1', '6281234567890', '3', chatId])).toString('base64url')}`;
  /** Somebody who is in one store, and a member of another. */
  const inTwo = async (role: SystemRole = 'owner') => {
    const person = await signedIn(commerce, role);
    const { userId, email, user } = person;
    const second = await newStore(commerce, [], { user_id: userId, nama: 'Sari', email });
    user.stores.push(second);
    return { ...person, second, there: chatAt(`${second}.c1`) };
  };

  it.each(['owner', 'finance'] as const)(
    'is asked for where a push leads a member (%s) to a chat of it, and goes on to that chat',
    async (role) => {
      const { browser, userId, second, there } = await inTwo(role);
      const { status, text } = await browser.get(there);
      expect([status, text.includes(`name="next" value="${there}"`), text.includes('data-live')]).toEqual([
        role === 'owner' ? 404 : 403,
        true,
        false,
      ]);
      expect((await sessionsOf(userId))[0]).not.toMatchObject({ store_id: second });
      expect((await browser.post('/switch-store', { store_id: second, next: there })).location).toBe(there);
      await browser.get('/dashboard');
      const evil = { store_id: second, next: 'https://evil.example/' };
      expect((await browser.post('/switch-store', evil)).location).toBe('/dashboard');
      const foreign = await browser.get(chatAt(`${await newStore(commerce)}.c1`));
      expect([foreign.status, foreign.text.includes('/switch-store')]).toEqual([404, false]);
    },
  );

  it.each(['owner', 'finance'] as const)(
    'has an answer that a tab of it sends once its member (%s) has gone elsewhere: nothing is sent, and it awaits them in its chat',
    async (role) => {
      const { browser, storeId, second, there } = await inTwo(role);
      await browser.get('/profile');
      await browser.post('/switch-store', { store_id: second });
      await browser.get(there);
      const sent = browser.hidden(`${there}/messages`);
      await browser.post('/switch-store', { store_id: storeId });
      const answer = await browser.send(`${there}/messages`, { ...sent, text: 'Ada <b>kak</b>' });
      expect([answer.status, answer.text.includes('Ada &lt;b>kak&lt;/b></textarea>')]).toEqual([
        role === 'owner' ? 404 : 403,
        true,
      ]);
      await browser.post('/switch-store', { store_id: second, next: there });
      const { status, text } = await browser.get(there);
      expect([status, text.includes('Ada &lt;b>kak&lt;/b></textarea>')]).toEqual([200, true]);
      expect(text).toContain(`value="${String(sent.message_id)}"`);
    },
  );

  it('leaves forms of the store before without effect in the next one: they come back as they were typed', async () => {
    const { browser, storeId, userId, email, user } = await signedIn(commerce);
    const second = await newStore(commerce, [], { user_id: userId, nama: 'Sari', email });
    user.stores.push(second);
    await browser.get('/coupons');
    const [coupon, toFirst] = [browser.hidden('/coupons'), browser.hidden('/switch-store')];
    await browser.get('/dashboard');
    await browser.post('/switch-store', { store_id: second });
    const { status, text } = await browser.send('/coupons', {
      ...coupon,
      code: 'TABLAMA',
      kind: 'percent',
      value: '10',
    });
    const made = await commerce.database.query('SELECT 1 FROM coupon WHERE store_id = ANY ($1)', [[storeId, second]]);
    expect([status, text.includes('value="TABLAMA"'), made]).toEqual([403, true, []]);
    expect(await browser.send('/switch-store', { ...toFirst, store_id: storeId })).toMatchObject({ status: 303 });
  });
});

describe('a form whose session has ended', () => {
  const typed = { code: 'MALAM', kind: 'fixed', value: '5000' };
  const expire = (userId: string) =>
    commerce.database.query(`UPDATE web_session SET seen_at = seen_at - interval '25 hours' WHERE user_id = $1`, [
      userId,
    ]);

  it('is not sent, and comes back filled to the same person after the sign-in, once', async () => {
    const { browser, userId, email, storeId } = await signedIn(commerce);
    await browser.get('/coupons');
    await expire(userId);
    const refused = await browser.post('/coupons', typed, {
      'sec-fetch-site': 'same-origin',
      referer: `${commerce.url}/coupons`,
    });
    expect(refused).toMatchObject({ status: 303, location: '/login?next=%2Fcoupons' });
    await browser.get(String(refused.location));
    await browser.post('/login', { email, password: PASSWORD, next: '/coupons' });
    const { text } = await browser.get('/coupons');
    expect(text).toContain('Belum tersimpan: periksa, lalu simpan.');
    expect(text).toContain('value="MALAM"');
    expect((await browser.get('/coupons')).text).not.toContain('MALAM');
    const made = await commerce.database.query('SELECT code FROM coupon WHERE store_id = $1', [storeId]);
    expect(made).toEqual([]);
  });

  it('comes back on its own page, wherever it was sent from: a form that was wrong stands at the address that it was sent to', async () => {
    const { browser, userId, email } = await signedIn(commerce);
    await browser.get('/products/create');
    const fields = { name: 'Kaos', price: '', kind: 'physical' };
    expect((await browser.post('/products', fields)).status).toBe(422);
    await expire(userId);
    const own = { 'sec-fetch-site': 'same-origin', referer: `${commerce.url}/products` };
    const refused = await browser.post('/products', { ...fields, price: '85.000' }, own);
    expect(refused).toMatchObject({ status: 303, location: '/login?next=%2Fproducts%2Fcreate' });
    await browser.get(String(refused.location));
    await browser.post('/login', { email, password: PASSWORD, next: '/products/create' });
    const { text } = await browser.get('/products/create');
    expect([text.includes('value="Kaos"'), text.includes('value="85.000"')]).toEqual([true, true]);
  });

  it('waits for who sees it: who only asks what there is, or for a part of its page, uses up neither it nor what is said once', async () => {
    const { browser, userId, email } = await signedIn(commerce);
    const head = (path: string) =>
      fetch(commerce.url + path, { method: 'HEAD', redirect: 'manual', headers: { cookie: browser.cookies() } });
    await browser.get('/coupons');
    await expire(userId);
    expect((await head('/coupons')).headers.get('set-cookie')).toBeNull();
    await browser.post('/coupons', typed);
    await browser.get('/login?next=%2Fcoupons');
    await browser.post('/login', { email, password: PASSWORD, next: '/coupons' });
    const answer = await head('/coupons');
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null]);
    await browser.get('/coupons', { 'hx-request': 'true', 'hx-target': 'div#list' });
    expect((await browser.get('/coupons')).text).toContain('MALAM');
    const { location = '' } = await browser.post('/coupons', { ...typed, code: 'SIANG' });
    const flash = await head(location);
    expect([flash.status, flash.headers.get('set-cookie')]).toEqual([200, null]);
    expect((await browser.get(location)).text).toContain('role="status"');
  });

  it('is one of a few that are kept of a person, however many are sent', async () => {
    const { browser, userId } = await signedIn(commerce);
    await browser.get('/coupons');
    await expire(userId);
    for (let n = 0; n < 15; n += 1) await browser.post('/coupons', typed);
    const kept = await commerce.database.query('SELECT 1 FROM form_draft WHERE user_id = $1', [userId]);
    expect(kept).toHaveLength(10);
  });

  it('comes back to nobody else, and no row shows what was typed', async () => {
    const { browser, userId } = await signedIn(commerce);
    await browser.get('/coupons');
    await expire(userId);
    await browser.post('/coupons', typed, { 'sec-fetch-site': 'same-origin', referer: `${commerce.url}/coupons` });
    const drafts = await commerce.database.query('SELECT * FROM form_draft WHERE user_id = $1', [userId]);
    expect([drafts.length, JSON.stringify(drafts).includes('MALAM')]).toEqual([1, false]);
    const other = await signedIn(commerce);
    await browser.get('/login');
    await browser.post('/login', { email: other.email, password: PASSWORD, next: '/coupons' });
    expect((await browser.get('/coupons')).text).not.toContain('MALAM');
  });
});

it('a cookie that is none of ours is a stranger', async () => {
  for (const cookie of [
    'commerce_sid=x',
    `commerce_sid=${uuidv7()}`,
    `commerce_sid=${'b'.repeat(43)}`,
    'commerce_sid=',
  ])
    expect(await openBrowser(commerce).get('/dashboard', { cookie })).toMatchObject(toSignIn);
});
