// Pages as a browser without script meets them, by the one that has a list, a form and actions.
import { useRunning } from '@platform/testing';
import { startCommerce } from '../commerce.fixture';
import { contentPolicy } from './policy';
import { openBrowser, signedIn } from './browser.fixture';
import { IDLE } from './sessions/session.sql';

const commerce = useRunning(() => startCommerce({ TRUST_PROXY: '127.0.0.1' }));
const COUPON = { code: 'HEMAT10', kind: 'percent', value: '10' };
const couponsOf = (storeId: string) =>
  commerce.database.query<{ code: string; status: string; value: string }>(
    'SELECT code, status, value FROM coupon WHERE store_id = $1 ORDER BY code',
    [storeId],
  );

describe('a page of the back office', () => {
  it('leads a stranger to the sign-in, and from there to where they wanted', async () => {
    const stranger = openBrowser(commerce);
    expect(await stranger.get('/coupons?status=paused')).toMatchObject({
      status: 303,
      location: '/login?next=%2Fcoupons%3Fstatus%3Dpaused',
      text: '',
    });
  });

  it('has one heading, the name of the shop, its policy and nothing that is kept by others', async () => {
    const { browser } = await signedIn(commerce);
    const { status, text, headers } = await browser.get('/coupons');
    expect([status, headers['content-type'], headers['cache-control'], headers['content-security-policy']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'private, no-cache',
      contentPolicy(),
    ]);
    expect(text.match(/<h1>.*?<\/h1>/g)).toEqual(['<h1>Kupon</h1>']);
    expect(text).toMatch(/<html lang="id">.*<title>Kupon · .+<\/title>/s);
    expect(text).not.toMatch(/undefined|NaN|\[object|style="|onclick|<script>/);
  });

  it('speaks the language of the browser at its sign-in', async () => {
    const browser = openBrowser(commerce);
    expect((await browser.get('/login', { 'accept-language': 'en-GB,en;q=0.9' })).text).toContain(
      '<h1>Sign in to your shop</h1>',
    );
    expect((await browser.get('/login', { 'accept-language': 'de' })).text).toContain('<h1>Masuk ke toko Anda</h1>');
  });

  it('names the right that is missing to who may not open it, under 403', async () => {
    const { browser } = await signedIn(commerce, 'warehouse');
    const { status, text } = await browser.get('/coupons');
    expect([status, text.includes('coupon.write'), text.includes('<h1>Anda belum boleh membuka ini</h1>')]).toEqual([
      403,
      true,
      true,
    ]);
    expect((await browser.get('/dashboard')).text).not.toContain('href="/coupons"');
  });

  it("is 404 for another store's row, for one that nobody has and for what is no id, all alike", async () => {
    const [mine, other] = [await signedIn(commerce), await signedIn(commerce)];
    await other.browser.get('/coupons');
    const { location } = await other.browser.post('/coupons', COUPON);
    const pages = [String(location), '/coupons/0199f7a0-0000-7000-8000-00000000beef', '/coupons/abc'];
    const answers: (readonly [number, string])[] = [];
    for (const path of pages) {
      const { status, text } = await mine.browser.get(path);
      answers.push([status, text]);
    }
    expect(answers).toEqual(answers.map(() => [404, answers[0]?.[1]]));
  });

  it('is an unknown page to people, and JSON to programs', async () => {
    const browser = openBrowser(commerce);
    expect(await browser.get('/nowhere')).toMatchObject({
      status: 404,
      text: expect.stringContaining('<h1>Halaman tidak ditemukan</h1>'),
    });
    expect((await commerce.get('/nowhere')).body).toEqual({ status: 'error', message: 'Not found', code: 'not_found' });
  });
});

describe('a form', () => {
  it('that is right makes one thing, leads to it and says so once', async () => {
    const { browser, storeId } = await signedIn(commerce);
    await browser.get('/coupons');
    const { status, location, headers } = await browser.post('/coupons', COUPON);
    expect([status, headers['set-cookie']?.length, await couponsOf(storeId)]).toEqual([
      303,
      1,
      [{ code: 'HEMAT10', status: 'active', value: '10' }],
    ]);
    const said = '<p class="toast">Kupon HEMAT10 dibuat.</p>';
    expect((await browser.get(String(location))).text).toContain(said);
    expect((await browser.get(String(location))).text).not.toContain(said);
  });

  it('that is wrong comes back under 422 with all that was typed, an error at each input and a way to it', async () => {
    const { browser, storeId } = await signedIn(commerce);
    await browser.get('/coupons');
    const { status, text } = await browser.post('/coupons', {
      code: 'x',
      kind: 'percent',
      value: 'sepuluh',
      usage_limit: '0',
    });
    expect([status, await couponsOf(storeId)]).toEqual([422, []]);
    expect(text).toContain('<b>Belum tersimpan. 3 isian perlu diperbaiki:</b>');
    for (const [name, typed] of [
      ['code', 'x'],
      ['value', 'sepuluh'],
      ['usage_limit', '0'],
    ] as const) {
      expect(text).toContain(`<a href="#${name}">`);
      expect(text).toMatch(new RegExp(`<input[^>]*id="${name}"[^>]*aria-invalid="true"[^>]*value="${typed}"`));
    }
  });

  it('whose name is taken says so at that input, under 409', async () => {
    const { browser, storeId } = await signedIn(commerce);
    for (let n = 0; n < 2; n++) {
      await browser.get('/coupons');
      const { status, text } = await browser.post('/coupons', COUPON);
      if (n === 0) continue;
      expect([status, text.includes('<a href="#code">Kode ini sudah dipakai.</a>')]).toEqual([409, true]);
    }
    expect(await couponsOf(storeId)).toHaveLength(1);
  });

  it('that is sent twice, at once or later, counts once', async () => {
    const { browser, storeId } = await signedIn(commerce);
    await browser.get('/coupons');
    const fields = { ...COUPON, ...browser.hidden('/coupons') };
    const answers = await Promise.all(Array.from({ length: 5 }, () => browser.send('/coupons', fields)));
    const later = await browser.send('/coupons', fields);
    const made = answers.filter(({ status }) => status === 303);
    expect(new Set([...made, later].map(({ location }) => location)).size).toBe(1);
    expect([later.status, await couponsOf(storeId)]).toEqual([303, [expect.objectContaining({ code: 'HEMAT10' })]]);
  });

  it('that is sent again from another network, as a phone does that leaves the house, counts once', async () => {
    const { browser, storeId } = await signedIn(commerce);
    await browser.get('/coupons');
    const fields = { ...COUPON, ...browser.hidden('/coupons') };
    const from = (address: string) => ({ 'sec-fetch-site': 'same-origin', 'x-forwarded-for': address });
    const first = await browser.send('/coupons', fields, from('203.0.113.7'));
    const again = await browser.send('/coupons', fields, from('198.51.100.7'));
    expect([first.status, again.status, again.location, (await couponsOf(storeId)).length]).toEqual([
      ...[303, 303, first.location, 1],
    ]);
  });

  it.each([
    [
      'without its token',
      (fields: Record<string, string>) => ({ ...fields, _csrf: '' }),
      { 'sec-fetch-site': 'same-origin' },
    ],
    ['of another site', (fields: Record<string, string>) => fields, { 'sec-fetch-site': 'cross-site' }],
    [
      'of another origin, by an old browser',
      (fields: Record<string, string>) => fields,
      { origin: 'https://evil.example' },
    ],
    ['of nobody knows where', (fields: Record<string, string>) => fields, {}],
  ])('%s is 403, and changes nothing', async (_, changed, headers) => {
    const { browser, storeId } = await signedIn(commerce);
    await browser.get('/coupons');
    const fields = { ...COUPON, ...browser.hidden('/coupons') };
    const { status } = await browser.send('/coupons', changed(fields), headers);
    expect([status, await couponsOf(storeId)]).toEqual([403, []]);
  });

  it("with another session's token is 403, and what was typed comes back", async () => {
    const [mine, other] = [await signedIn(commerce), await signedIn(commerce)];
    await other.browser.get('/coupons');
    const { status, text } = await mine.browser.send('/coupons', { ...COUPON, ...other.browser.hidden('/coupons') });
    expect([status, text.includes('value="HEMAT10"'), await couponsOf(mine.storeId)]).toEqual([403, true, []]);
  });

  it('shows its page to nobody who may send it and not open that', async () => {
    const { browser, storeId, userId } = await signedIn(commerce, 'cs');
    const write = `INSERT INTO role (store_id, id, name, abilities, created_at, updated_at) VALUES ($1, $2, 'Kasir', $3, now(), now())`;
    await commerce.database.query(write, [storeId, userId, ['chat.all', 'contact.write']]);
    const give = 'UPDATE membership SET system_role = NULL, role_id = $2 WHERE store_id = $1 AND user_id = $2';
    await commerce.database.query(give, [storeId, userId]);
    await browser.get('/dashboard');
    const { _csrf = '' } = browser.hidden('/logout');
    const { status, text } = await browser.send('/contacts', { _csrf, name: 'Budi', phone: 'x' });
    expect([(await browser.get('/contacts')).status, status, /<h1>(.*?)<\/h1>/.exec(text)?.[1]]).toEqual([
      ...[403, 422, 'Alamat ini tidak lengkap'],
    ]);
    expect(text).not.toContain('action="/contacts"');
  });

  it('has a token that looks different each time, and works each time', async () => {
    const { browser } = await signedIn(commerce);
    await browser.get('/coupons');
    const first = browser.hidden('/coupons');
    await browser.get('/coupons');
    expect(browser.hidden('/coupons')._csrf).not.toBe(first._csrf);
    expect((await browser.send('/coupons', { ...COUPON, ...first })).status).toBe(303);
  });

  it('shows texts with markup as texts', async () => {
    const { browser } = await signedIn(commerce);
    await browser.get('/coupons');
    const hostile = `"><script>alert(1)</script>\u202e`;
    const { text } = await browser.post('/coupons', { ...COUPON, code: hostile });
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;'.replaceAll('&gt;', '>'));
    expect(text).not.toContain('<script>alert');
  });
});

describe('the actions of a page', () => {
  it('change what they name, and no other form of the page shows their errors', async () => {
    const { browser, storeId } = await signedIn(commerce);
    await browser.get('/coupons');
    const { location } = await browser.post('/coupons', COUPON);
    const path = String(location);
    await browser.get(path);
    const wrong = await browser.post(path, { action: 'save', value: '200', status: 'active' });
    expect([wrong.status, wrong.text.match(/role="alert"/g)]).toEqual([422, ['role="alert"']]);
    await browser.get(path);
    expect(await browser.post(path, { action: 'save', value: '20', status: 'paused' })).toMatchObject({
      status: 303,
      location: path,
    });
    expect(await couponsOf(storeId)).toEqual([{ code: 'HEMAT10', status: 'paused', value: '20' }]);
    await browser.get(path);
    expect(await browser.post(path, { action: 'archive' })).toMatchObject({ status: 303, location: '/coupons' });
    expect(await couponsOf(storeId)).toEqual([{ code: 'HEMAT10', status: 'archived', value: '20' }]);
  });

  it('that nobody knows are refused, and change nothing', async () => {
    const { browser, storeId } = await signedIn(commerce);
    await browser.get('/coupons');
    const { location } = await browser.post('/coupons', COUPON);
    await browser.get(String(location));
    for (const action of ['explode', 'constructor', '__proto__', ''])
      expect((await browser.post(String(location), { action, value: '1' })).status).toBe(422);
    expect(await couponsOf(storeId)).toEqual([{ code: 'HEMAT10', status: 'active', value: '10' }]);
  });
});

it(`a session that nobody used for ${IDLE} is over`, () => expect(IDLE).toBe('24 hours'));
