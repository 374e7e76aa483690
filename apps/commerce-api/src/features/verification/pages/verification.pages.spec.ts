// The identity check, and the number of who runs the shop, in a browser.
import { until } from '@platform/testing';
import { useCommerce } from '../../../commerce.fixture';
import { signedIn } from '../../../web/browser.fixture';

const commerce = useCommerce();
const PATH = '/verification';
const NIK = '3273011234567890';
const person = {
  ...{ action: 'begin.person', kind: 'person', 'data[full_name]': 'Sari <Dewi>', 'data[national_id]': NIK },
  ...{ 'data[birth_date]': '1990-02-01', 'data[address]': 'Jl. Braga 1' },
};
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const begun = async () => {
  const shop = await signedIn(commerce);
  await shop.browser.get(PATH);
  const answer = await shop.browser.post(PATH, person);
  const { text } = await shop.browser.get(PATH);
  return { ...shop, answer, text, id: /value="correct\.([^"]+)"/.exec(text)?.[1] ?? '' };
};

describe('an identity check', () => {
  it('is begun, has its documents, and is sent in when they are complete', async () => {
    const { browser, answer, text, id } = await begun();
    expect(answer).toMatchObject({ status: 303, location: PATH });
    expect([text.includes('Sari &lt;Dewi>'), text.includes('Belum lengkap')]).toEqual([true, true]);
    for (const kind of ['id_card', 'selfie']) {
      await browser.get(PATH);
      const sent = await browser.attach(PATH, { action: `document.${id}`, id, kind }, PNG, 'me.png');
      expect([kind, sent.status, sent.location]).toEqual([kind, 303, PATH]);
    }
    const after = (await browser.get(PATH)).text;
    expect([/Sedang diperiksa|Disetujui/.test(after), after.includes('value="correct.')]).toEqual([true, false]);
    expect(commerce.lines.join()).not.toContain(NIK);
  });

  it('says what is wrong at each input, and takes no other files than pictures and PDFs', async () => {
    const { browser, id } = await begun();
    await browser.get(PATH);
    const wrong = await browser.post(PATH, { ...person, action: `correct.${id}`, id, 'data[national_id]': '12' });
    expect(wrong.status).toBe(422);
    const { kind: _kind, ...correction } = person;
    await browser.get(PATH);
    const short = await browser.post(PATH, { ...correction, action: `correct.${id}`, id, 'data[national_id]': '12' });
    expect([
      short.status,
      short.text.includes('NIK (16 angka) tidak benar.'),
      short.text.includes('value="12"'),
    ]).toEqual([...[422, true, true]]);
    await browser.get(PATH);
    const file = await browser.attach(PATH, { action: `document.${id}`, id, kind: 'id_card' }, 'no picture', 'x.png');
    expect([file.status, file.text.includes('role="alert"')]).toEqual([415, true]);
    await browser.get(PATH);
    const document = { action: `document.${id}`, id, kind: 'id_card' };
    const large = await browser.attach(PATH, document, Buffer.alloc(5 * 1024 * 1024 + 1), 'x.png');
    expect([large.status, large.text.includes(`<a href="#document-${id}-file">Berkas ini terlalu besar.`)]).toEqual([
      ...[413, true],
    ]);
    await browser.get(PATH);
    const { _csrf = '' } = browser.hidden(PATH);
    const again = await browser.send(PATH, { _csrf, ...person });
    expect([again.status, again.text.includes('sudah ada')]).toEqual([409, true]);
  });

  it('of another store is 404, and its number is in no draft of a form', async () => {
    const { id } = await begun();
    const other = await begun();
    const { kind: _kind, ...correction } = person;
    const { _csrf = '', _idem = '' } = other.browser.hidden(PATH);
    const foreign = { _csrf, _idem, ...correction, action: `correct.${id}`, id };
    expect((await other.browser.send(PATH, foreign)).status).toBe(404);
  });
});

it('the number of who runs the shop is confirmed by a code', async () => {
  const { browser, email } = await signedIn(commerce);
  expect((await browser.get(PATH)).text).toContain('Profil Anda belum punya nomor.');
  await browser.get('/profile');
  await browser.post('/profile', { action: 'save', name: 'Sari', phone: '0812-3456-7890', locale: 'id' });
  await browser.get(PATH);
  expect((await browser.post(PATH, { action: 'send' })).location).toBe(PATH);
  const mail = await until(async () => commerce.mails.find(({ to }) => to === email));
  const code = /: (\d{6})/.exec(mail?.text ?? '')?.[1] ?? '';
  await browser.get(PATH);
  const wrong = await browser.post(PATH, { action: 'confirm', code: code === '111111' ? '222222' : '111111' });
  expect([wrong.status, wrong.text.includes('Kode enam angka tidak benar.')]).toEqual([422, true]);
  await browser.get(PATH);
  expect((await browser.post(PATH, { action: 'confirm', code })).location).toBe(PATH);
  expect((await browser.get(PATH)).text).toContain('Sudah dikonfirmasi');
});
