// One's own account in a browser: what is shown once is shown once, and kept nowhere.
import { idOf } from '../../../clients/store-auth.accounts.fake';
import { newStore, useCommerce } from '../../../commerce.fixture';
import { openBrowser, PASSWORD, signedIn } from '../../../web/browser.fixture';

const commerce = useCommerce();
const RIGHT_CODE = '123456';
/** All that is kept of forms and pages, and all that was logged. */
const everythingKept = async (): Promise<string> => {
  const tables = ['idempotency_keys', 'form_draft', 'audit_log'];
  const rows = await Promise.all(
    tables.map((table) => commerce.database.query(`SELECT to_jsonb(t)::text AS row FROM ${table} t`)),
  );
  return JSON.stringify(rows) + commerce.lines.join();
};
/** Of browsers, the oldest first. */
const loginsOf = (email: string): string[] => {
  const { browsers, users } = commerce.storeAuth;
  const user = users.get(email);
  return [...browsers].filter(([, owner]) => user && owner === idOf(email, user)).map(([sid]) => sid);
};
const opened = async () => {
  const shop = await signedIn(commerce);
  const page = await shop.browser.get('/profile');
  return { ...shop, page };
};

it('is saved by its form, and speaks the language that was chosen from then on', async () => {
  const { browser, page, email } = await opened();
  expect(page.text).toContain(email);
  const fields = { action: 'save', name: 'Sari <Dewi>', phone: '0812-3456-7890', locale: 'en' };
  expect(await browser.post('/profile', fields)).toMatchObject({ status: 303, location: '/profile' });
  const { text } = await browser.get('/profile');
  expect(text).toContain('<h1>My profile</h1>');
  expect(text).toContain('value="Sari &lt;Dewi>"');
  expect(text).toContain('value="6281234567890"');
  await browser.post('/profile', { ...fields, phone: '' });
  expect((await browser.get('/profile')).text).not.toContain('6281234567890');
  const wrong = await browser.post('/profile', { ...fields, phone: 'abc' });
  expect([wrong.status, wrong.text.includes('value="abc"')]).toEqual([422, true]);
  await browser.get('/profile');
  await browser.post('/logout', {});
  expect((await browser.get('/login')).text).toContain('<h1>Sign in to your shop</h1>');
});

it('takes another password only with the one before', async () => {
  const { browser, email } = await opened();
  const change = { action: 'password', current_password: 'not it at all', password: 'another passphrase' };
  const wrong = await browser.post('/profile', change);
  expect([wrong.status, wrong.text.includes('Kata sandi sekarang tidak benar.')]).toEqual([422, true]);
  expect(wrong.text).not.toContain('another passphrase');
  expect((await browser.post('/profile', { ...change, current_password: PASSWORD })).status).toBe(303);
  const other = openBrowser(commerce);
  await other.get('/login');
  expect((await other.post('/login', { email, password: 'another passphrase' })).status).toBe(303);
  expect(await everythingKept()).not.toContain('another passphrase');
});

it('signs out of all other devices, and stays signed in here', async () => {
  const { browser, email } = await opened();
  const lost = openBrowser(commerce);
  await lost.get('/login');
  await lost.post('/login', { email, password: PASSWORD });
  expect((await lost.get('/dashboard')).status).toBe(200);
  const [mine, ...others] = loginsOf(email);
  expect(others).toHaveLength(1);
  expect(await browser.post('/profile', { action: 'elsewhere' })).toMatchObject({ status: 303, location: '/profile' });
  expect(loginsOf(email)).toEqual([mine]);
  expect((await browser.get('/profile')).text).toContain('Semua perangkat lain sudah keluar dari akun Anda.');
});

describe('a second step of the sign-in', () => {
  it('shows its key and its recovery codes once, in no address, and keeps them nowhere to read', async () => {
    const { browser, email } = await opened();
    const proof = browser.hidden('/profile');
    const begin = { ...proof, action: 'begin', password: PASSWORD, _idem: 'one' };
    const begun = await browser.send('/profile', begin);
    expect([begun.status, begun.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(begun.text).toContain('JBSWY3DPEHPK3PXP');
    expect(begun.text).toContain('data:image/svg+xml;base64,');
    const again = await browser.send('/profile', begin);
    expect([again.status, again.text.includes('JBSWY3DPEHPK3PXP')]).toEqual([200, true]);
    const elsewhere = openBrowser(commerce);
    await elsewhere.get('/login');
    await elsewhere.post('/login', { email, password: PASSWORD });
    await elsewhere.get('/profile');
    const stolen = await elsewhere.send('/profile', {
      ...begin,
      ...elsewhere.hidden('/profile'),
      action: 'begin',
      _idem: 'one',
    });
    expect([stolen.status, stolen.location]).toEqual([303, '/profile']);
    commerce.clock.advance(60_000);
    const later = await browser.send('/profile', begin);
    expect([later.status, later.location, later.headers['made-secret']]).toEqual([303, '/profile', undefined]);
    expect((await browser.get('/profile')).text).not.toContain('JBSWY3DPEHPK3PXP');

    const wrong = await browser.send('/profile', { ...proof, action: 'confirm', code: '000000', _idem: 'two' });
    expect([wrong.status, wrong.text.includes('Kode dari aplikasi tidak benar.')]).toEqual([422, true]);
    const confirm = { ...proof, action: 'confirm', code: RIGHT_CODE, _idem: 'three' };
    const on = await browser.send('/profile', confirm);
    expect([on.status, on.text.includes('code-0\ncode-1')]).toEqual([200, true]);
    expect((await browser.get('/profile')).text).not.toContain('code-0');
    const kept = await everythingKept();
    expect([kept.includes('JBSWY3DPEHPK3PXP'), kept.includes('code-0')]).toEqual([false, false]);

    await browser.get('/profile');
    const off = await browser.post('/profile', { action: 'end', password: PASSWORD, code: RIGHT_CODE });
    expect(off).toMatchObject({ status: 303, location: '/profile' });
  });
});

it.each([
  ['is suspended', `UPDATE store SET status = 'suspended' WHERE store_id = $1`],
  ['is unpaid', `UPDATE store SET plan_state = 'past_due' WHERE store_id = $1`],
  ['has disabled me', `UPDATE membership SET status = 'disabled' WHERE store_id = $1`],
])(
  'is mine also where my store %s: the password, the second step, and the way to another store',
  async (_, closing) => {
    const { browser, storeId, userId, email, user } = await opened();
    const second = await newStore(commerce, [], { user_id: userId, nama: 'Sari', email });
    user.stores.push(second);
    await commerce.database.query(closing, [storeId]);
    const home = await browser.get('/dashboard');
    expect(home.status === 200 || home.text.includes('href="/profile"')).toBe(true);
    await browser.get('/profile');
    const refused = await browser.post('/profile', { action: 'ways', ways: 'order.paid email' });
    expect([402, 403]).toContain(refused.status);
    await browser.get('/profile');
    const changed = await browser.post('/profile', {
      ...{ action: 'password', current_password: PASSWORD, password: 'another passphrase' },
    });
    await browser.get('/profile');
    const begun = await browser.post('/profile', { action: 'begin', password: 'another passphrase' });
    expect([changed.status, begun.status, begun.text.includes('JBSWY3DPEHPK3PXP')]).toEqual([303, 200, true]);
    expect((await browser.post('/switch-store', { store_id: second })).status).toBe(303);
    expect((await browser.get('/dashboard')).status).toBe(200);
  },
);

it('sent by a double click shows what the first click has done: both are one', async () => {
  const { browser, email } = await opened();
  const proof = browser.hidden('/profile');
  const twice = (fields: Record<string, string>) =>
    Promise.all(
      [fields, fields].map((each) => browser.send('/profile', { ...proof, ...each, _idem: fields.action ?? '' })),
    );
  await twice({ action: 'begin', password: PASSWORD });
  const confirmed = await twice({ action: 'confirm', code: RIGHT_CODE });
  expect(confirmed.map(({ status, text }) => [status, text.includes('code-0\ncode-1')])).toEqual([
    ...[
      [200, true],
      [200, true],
    ],
  ]);
  const changed = await twice({ action: 'password', current_password: PASSWORD, password: 'another passphrase' });
  expect(changed.map(({ status }) => status)).toEqual([303, 303]);
  expect(commerce.storeAuth.users.get(email)?.password).toBe('another passphrase');
});

it('a picture that is none is refused in words, and one is taken', async () => {
  const { browser } = await opened();
  const refused = await browser.attach('/profile', { action: 'picture' }, 'not a picture', 'me.png');
  expect([refused.status, refused.text.includes('role="alert"')]).toEqual([415, true]);
  await browser.get('/profile');
  const large = await browser.attach('/profile', { action: 'picture' }, Buffer.alloc(2 * 1024 * 1024 + 1), 'me.png');
  expect([large.status, large.text.includes('<a href="#picture-file">Berkas ini terlalu besar.')]).toEqual([413, true]);
  await browser.get('/profile');
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  expect((await browser.attach('/profile', { action: 'picture' }, png, 'me.png')).status).toBe(303);
  expect((await browser.get('/profile')).text).toContain('Anda sudah punya foto.');
});

it('ways by which somebody is told are those that are ticked', async () => {
  const { browser } = await opened();
  const saved = await browser.post('/profile', { action: 'ways', ways: 'order.paid email' });
  expect(saved).toMatchObject({ status: 303 });
  const { text } = await browser.get('/profile');
  const ticked = [...text.matchAll(/name="ways" value="([^"]+)" checked/g)].map(([, way]) => way);
  expect(ticked).toEqual(['order.paid email']);
});
