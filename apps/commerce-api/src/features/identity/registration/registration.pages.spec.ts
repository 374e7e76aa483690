// Opening a shop in a browser, and coming back to it when the password is forgotten.
import { uuidv7 } from '@platform/runtime';
import { until } from '@platform/testing';
import { useCommerce } from '../../../commerce.fixture';
import { openBrowser, type Browser } from '../../../web/browser.fixture';

const commerce = useCommerce();
const PASSWORD = 'a good passphrase';
const newcomer = (email = `${uuidv7()}@toko-baru.example`) => ({
  ...{ store_name: 'Toko Baru', name: 'Budi', phone: '0812-3456-7890', email, password: PASSWORD },
});
const mailsTo = (email: string) => commerce.mails.filter(({ to }) => to === email);
const mailTo = (email: string, at = 1) => until(async () => mailsTo(email)[at - 1]);
const codeIn = (text = '') => /: (\S+)/.exec(text)?.[1] ?? '';
const storesOf = async (email: string) =>
  commerce.database.query(
    'SELECT s.name FROM person p JOIN membership m USING (user_id) JOIN store s USING (store_id) WHERE p.email = $1',
    [email],
  );
const registered = async (fields = newcomer()) => {
  const browser = openBrowser(commerce);
  await browser.get('/register');
  return { browser, fields, answer: await browser.post('/register', fields) };
};
const verified = async () => {
  const { browser, fields } = await registered();
  const code = codeIn((await mailTo(fields.email))?.text);
  await browser.get('/verify');
  return {
    browser,
    fields,
    code,
    answer: await browser.post('/verify', { email: fields.email, code, password: PASSWORD }),
  };
};
const signsIn = async (email: string, password: string, browser: Browser = openBrowser(commerce)) => {
  const { text } = await browser.get('/login?next=/onboarding');
  return { text, answer: await browser.post('/login', { email, password }) };
};

describe('a new shop', () => {
  it('is opened, its address confirmed by the code of the message, and its owner signed in where setting up begins', async () => {
    const { browser, fields, code, answer } = await verified();
    expect(answer).toMatchObject({ status: 303, location: '/onboarding' });
    expect((await browser.get('/onboarding')).status).toBe(200);
    expect(await storesOf(fields.email)).toEqual([{ name: 'Toko Baru' }]);
    expect(commerce.lines.join()).not.toContain(code);
  });

  it('keeps what was typed, but no password, and says what is wrong at each input', async () => {
    const { answer } = await registered({ ...newcomer(), phone: 'abc', store_name: 'T', name: `<b>&"'` });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('Nomor WhatsApp bukan nomor telepon.');
    expect(answer.text).toContain('value="&lt;b>&amp;&quot;\'"');
    expect(answer.text).not.toContain(PASSWORD);
    const { answer: weak } = await registered({ ...newcomer(), password: 'password1' });
    expect(weak.text).toContain('Kata sandi terlalu pendek atau terlalu sering dipakai orang');
  });

  it('tells nobody whether an address has an account: both end at the same page, and nothing changes', async () => {
    const { fields, answer } = await registered();
    const again = await registered({ ...newcomer(fields.email), store_name: 'Toko Penyusup' });
    const told = ({ status, location, headers }: typeof answer) => [status, location, Object.keys(headers).sort()];
    expect(told(again.answer)).toEqual(told(answer));
    const [one, other] = [await again.browser.get('/verify'), await (await registered()).browser.get('/verify')];
    const bare = (text: string) => text.replace(/value="[^"]*"/g, '');
    expect(bare(one.text)).toBe(bare(other.text));
    expect(await storesOf(fields.email)).toEqual([{ name: 'Toko Baru' }]);
  });

  it('is asked to confirm before the first sign-in, and gets another code a minute later', async () => {
    const { browser, fields } = await registered();
    await mailTo(fields.email);
    const { answer } = await signsIn(fields.email, PASSWORD, browser);
    expect([answer.status, answer.text.includes('href="/verify"')]).toEqual([403, true]);
    commerce.clock.advance(61_000);
    await browser.get('/verify');
    const sent = await browser.post('/verify', { action: 'resend', email: fields.email, code: '' });
    expect(sent).toMatchObject({ status: 303, location: '/verify' });
    const code = codeIn((await mailTo(fields.email, 2))?.text);
    expect((await browser.get('/verify')).text).toContain('kode baru sedang dikirim');
    const wrong = await browser.post('/verify', { email: fields.email, code: 'ABCDE23456', password: PASSWORD });
    expect([wrong.status, wrong.text.includes('Kode salah')]).toEqual([422, true]);
    expect((await browser.post('/verify', { email: fields.email, code, password: PASSWORD })).status).toBe(303);
  });
});

describe('a form that uses up a code, sent by a double click', () => {
  it('is answered twice what came of the first: the address is confirmed, its owner signed in, and nothing of it kept to read', async () => {
    const { browser, fields } = await registered();
    const code = codeIn((await mailTo(fields.email))?.text);
    await browser.get('/verify');
    const proof = { ...browser.hidden('/verify'), email: fields.email, code, password: PASSWORD };
    const answers = await Promise.all([1, 2].map(() => browser.send('/verify', proof)));
    const secrets = answers.map(({ headers }) => /commerce_sid=([^;]+)/.exec(String(headers['set-cookie']))?.[1]);
    expect(answers.map(({ status, location }) => [status, location])).toEqual(answers.map(() => [303, '/onboarding']));
    expect([secrets[0] === secrets[1], (await browser.get('/onboarding')).status]).toEqual([true, 200]);
    const kept = JSON.stringify(await commerce.database.query('SELECT * FROM idempotency_keys'));
    for (const secret of [secrets[0] ?? 'none', code, PASSWORD]) expect(kept).not.toContain(secret);
    commerce.clock.advance(60_000);
    const later = await browser.send('/verify', proof);
    expect([later.status, later.location, later.headers['set-cookie']]).toEqual([303, '/onboarding', undefined]);
  });

  it('replaces a forgotten password, and says so twice', async () => {
    const { fields } = await verified();
    const browser = openBrowser(commerce);
    await browser.get('/forgot-password');
    await browser.post('/forgot-password', { email: fields.email });
    const mail = await until(async () => mailsTo(fields.email).find(({ text }) => text.includes('/reset-')));
    const path = /(\/reset-password\/\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
    await browser.get(path);
    const form = { ...browser.hidden(path), password: 'another passphrase' };
    const answers = await Promise.all([1, 2].map(() => browser.send(path, form)));
    expect(answers.map(({ location }) => location)).toEqual(['/login', '/login']);
  });
});

describe('an address that somebody else has registered with a password of theirs', () => {
  it('is not confirmed for them by its owner, who registers, types the code, and is led to a password of their own', async () => {
    const thief = await registered({ ...newcomer(), password: 'the thief knows this one' });
    const { email } = thief.fields;
    const code = codeIn((await mailTo(email))?.text);
    const owner = await registered(newcomer(email));
    await owner.browser.get('/verify');
    const answer = await owner.browser.post('/verify', { email, code, password: PASSWORD });
    expect([answer.status, answer.text.includes('Lupa kata sandi'), answer.text.includes(PASSWORD)]).toEqual([
      ...[401, true, false],
    ]);
    expect((await signsIn(email, 'the thief knows this one')).answer.status).toBe(403);
  });
});

describe('a forgotten password', () => {
  const linkTo = async (email: string) => {
    const browser = openBrowser(commerce);
    await browser.get('/forgot-password');
    const answer = await browser.post('/forgot-password', { email });
    const { text = '' } = (await until(async () => mailsTo(email).find((mail) => mail.text.includes('/reset-')))) ?? {};
    return { browser, answer, path: /(\/reset-password\/\S+)/.exec(text)?.[1] ?? '' };
  };

  it('is replaced by the link of the message, once', async () => {
    const { fields } = await verified();
    const { browser, path } = await linkTo(fields.email);
    const { headers } = await browser.get(path);
    expect([headers['cache-control'], headers['referrer-policy']]).toEqual(['no-store', 'no-referrer']);
    const weak = await browser.post(path, { password: 'password1' });
    expect([weak.status, weak.text.includes('Kata sandi terlalu pendek')]).toEqual([422, true]);
    expect(await browser.post(path, { password: 'another passphrase' })).toMatchObject({
      ...{ status: 303, location: '/login' },
    });
    expect((await browser.get('/login')).text).toContain('Kata sandi diganti');
    expect((await signsIn(fields.email, 'another passphrase')).answer.status).toBe(303);
    const used = await openBrowser(commerce);
    await used.get(path);
    const again = await used.post(path, { password: 'a third passphrase' });
    expect([again.status, again.text.includes('Minta link baru')]).toEqual([422, true]);
    expect(commerce.lines.join()).not.toContain(path.split('.')[1]);
  });

  it('is asked for alike whether or not there is an account', async () => {
    const browser = openBrowser(commerce);
    await browser.get('/forgot-password');
    const nobody = await browser.post('/forgot-password', { email: 'nobody@toko-baru.example' });
    expect(nobody).toMatchObject({ status: 303, location: '/forgot-password' });
    const { text } = await browser.get('/forgot-password');
    expect(text).toContain('Bila alamat ini terdaftar');
    expect((await browser.get('/forgot-password')).text).not.toContain('Bila alamat ini terdaftar');
  });

  it('is not asked for by another site, nor without the token of the form', async () => {
    const browser = openBrowser(commerce);
    await browser.get('/forgot-password');
    const email = 'nobody@toko-baru.example';
    expect((await browser.send('/forgot-password', { email })).status).toBe(403);
    const foreign = { 'sec-fetch-site': 'cross-site', accept: 'text/html' };
    expect((await browser.post('/forgot-password', { email }, foreign)).status).toBe(403);
  });

  it.each(['%00', '%ED%A0%80', 'x'.repeat(5_000), '%3Cscript%3E', '..%2f'])(
    'a link that is none (%.8s) opens nothing',
    async (token) => {
      const { status, text } = await openBrowser(commerce).get(`/reset-password/${token}`);
      expect([status < 500, text.includes('<script>')]).toEqual([true, false]);
    },
  );
});
