// How a shop is paid, in a browser.
import { useCommerce } from '../../../commerce.fixture';
import { openBrowser, signedIn } from '../../../web/browser.fixture';

const commerce = useCommerce();
const PATH = '/settings/payments';
const opened = async () => {
  const shop = await signedIn(commerce);
  return { ...shop, page: await shop.browser.get(PATH) };
};
const methodOf = async (storeId: string, code: string) =>
  (
    await commerce.database.query<Record<string, unknown>>(
      'SELECT enabled, fee_bearer, fee_fixed, fee_percent_bp AS percent, min_total, max_total, credentials_enc FROM payment_method WHERE store_id = $1 AND code = $2',
      [storeId, code],
    )
  )[0];

it('a way to pay is switched off, costs what is typed, and is emptied again', async () => {
  const { browser, storeId } = await opened();
  const fields = { action: 'method.cod', code: 'cod', fee_bearer: 'buyer', 'fee[fixed]': '5.000', min: '10.000' };
  const saved = await browser.post(PATH, { ...fields, 'fee[percent_bp]': '0', max: '' });
  expect(saved).toMatchObject({ status: 303, location: PATH });
  expect(await methodOf(storeId, 'cod')).toMatchObject({
    ...{ enabled: false, fee_bearer: 'buyer', fee_fixed: '5000', min_total: '10000', max_total: null },
  });
  await browser.get(PATH);
  const wrong = await browser.post(PATH, { ...fields, 'fee[percent_bp]': '0', min: '20.000', max: '10.000' });
  expect([wrong.status, wrong.text.includes('value="20.000"')]).toEqual([422, true]);
  await browser.get(PATH);
  await browser.post(PATH, { ...fields, enabled: 'true', 'fee[percent_bp]': '0', min: '', max: '' });
  expect(await methodOf(storeId, 'cod')).toMatchObject({ enabled: true, min_total: null });
});

it('a share is typed as percent, comes back as it was typed, and is told what it may be', async () => {
  const { browser, storeId } = await opened();
  const fields = { action: 'method.cod', code: 'cod', fee_bearer: 'buyer', 'fee[fixed]': '0', min: '', max: '' };
  expect((await browser.post(PATH, { ...fields, 'fee[percent_bp]': '0,7' })).status).toBe(303);
  expect(await methodOf(storeId, 'cod')).toMatchObject({ percent: 70 });
  for (const typed of ['1.000', '100,01', '0,705']) {
    await browser.get(PATH);
    const { status, text } = await browser.post(PATH, { ...fields, 'fee[percent_bp]': typed });
    const told = text.includes('Biaya (%) harus dari 0 sampai 100, paling banyak dua angka di belakang koma.');
    expect([typed, status, told, text.includes(`value="${typed}"`)]).toEqual([typed, 422, true, true]);
  }
  expect((await browser.get(PATH)).text).toMatch(/name="fee\[percent_bp\]"[^>]*value="0,7"/);
});

it('accounts are added, changed and removed; the last that buyers see stays', async () => {
  const { browser, storeId } = await opened();
  const account = { bank_code: 'BCA', number: '5210001234', holder: 'Sari <Dewi>' };
  expect((await browser.post(PATH, { action: 'add', ...account, active: 'true' })).status).toBe(303);
  const { text } = await browser.get(PATH);
  expect(text).toContain('Sari &lt;Dewi>');
  const id = /value="save\.([^"]+)"/.exec(text)?.[1] ?? '';
  const hidden = await browser.post(PATH, { action: `save.${id}`, id, ...account });
  expect([hidden.status, hidden.text.includes('Ini rekening terakhir yang tampil.')]).toEqual([409, true]);
  await browser.get(PATH);
  const bad = await browser.post(PATH, { action: 'add', ...account, number: 'abc' });
  expect([bad.status, bad.text.includes('value="abc"')]).toEqual([422, true]);

  const other = await opened();
  const { _csrf = '', _idem = '' } = other.browser.hidden(PATH);
  const foreign = { _csrf, _idem, action: `remove.${id}`, id };
  expect((await other.browser.send(PATH, foreign)).status).toBe(404);
  const find = 'SELECT count(*)::int AS accounts FROM transfer_account WHERE store_id = $1';
  expect(await commerce.database.query(find, [storeId])).toEqual([{ accounts: 1 }]);
});

it('credentials are sealed, shown nowhere again, and stay when others are changed', async () => {
  const { browser, storeId } = await opened();
  const fields = { action: 'method.a', code: 'a', fee_bearer: 'merchant' };
  const typed = { ...fields, 'credentials[client_id]': 'BRN-1', 'credentials[secret]': 'canary-of-doku' };
  const saved = await browser.post(PATH, typed);
  expect([saved.status, saved.text.includes('canary-of-doku')]).toEqual([303, false]);
  const sealed = (await methodOf(storeId, 'a'))?.credentials_enc;
  expect(String(sealed)).not.toContain('canary');
  await browser.get(PATH);
  await browser.post(PATH, { ...fields, 'credentials[client_id]': '', 'credentials[secret]': '' });
  expect((await methodOf(storeId, 'a'))?.credentials_enc).toBe(sealed);
  await browser.get(PATH);
  const half = await browser.post(PATH, {
    ...fields,
    'credentials[client_id]': '',
    'credentials[secret]': 'canary-of-doku',
  });
  expect([half.status, half.text.includes('canary-of-doku')]).toEqual([422, false]);
  await browser.get(PATH);
  await browser.post(PATH, { ...fields, forget: 'true', 'credentials[client_id]': '', 'credentials[secret]': '' });
  expect((await methodOf(storeId, 'a'))?.credentials_enc).toBeNull();
});

it('what was typed as a session ended comes back without its credentials', async () => {
  const { browser, email, user } = await opened();
  const typed = { action: 'method.a', code: 'a', fee_bearer: 'buyer', 'credentials[secret]': 'canary-of-doku' };
  await commerce.database.query('UPDATE web_session SET ended_at = now() WHERE user_id = $1', [user.id]);
  const sent = await browser.post(PATH, typed);
  expect(sent).toMatchObject({ status: 303, location: `/login?next=${encodeURIComponent(PATH)}` });
  await browser.get('/login');
  await browser.post('/login', { email, password: user.password, next: PATH });
  const { text } = await browser.get(PATH);
  expect(text).not.toContain('canary-of-doku');
  expect((await openBrowser(commerce).get(PATH)).status).toBe(303);
});
