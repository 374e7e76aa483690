// The page that the link of an invitation leads to.
import { uuidv7 } from '@platform/runtime';
import { until } from '@platform/testing';
import { useCommerce } from '../../../commerce.fixture';
import { newPerson, openBrowser, PASSWORD, signedIn } from '../../../web/browser.fixture';

const commerce = useCommerce();
const invited = async (email = `${uuidv7()}@toko-nusa.example`) => {
  const { storeId, userId } = await signedIn(commerce);
  const owner = commerce.storeAuth.userToken({ sub: userId, store_id: storeId });
  const { body } = await commerce.call('POST', '/api/team/invite', owner, { email, role_id: 'cs' });
  const { id } = (body as { readonly data: { readonly id: string } }).data;
  const mail = await until(async () => commerce.mails.find(({ to }) => to === email));
  return { storeId, owner, id, email, path: /(\/invitation\/\S+)/.exec(mail?.text ?? '')?.[1] ?? '' };
};

it('somebody new chooses a password, and works in the shop at once', async () => {
  const { path, email, storeId } = await invited();
  const browser = openBrowser(commerce);
  const { text, headers } = await browser.get(path);
  expect([headers['cache-control'], headers['referrer-policy']]).toEqual(['no-store', 'no-referrer']);
  expect(text).toContain('sebagai Layanan pelanggan');
  expect(text).toContain(email);
  const nameless = await browser.post(path, { password: PASSWORD, name: '' });
  expect([nameless.status, nameless.text.includes('Nama Anda harus diisi.')]).toEqual([422, true]);
  expect(await browser.post(path, { password: PASSWORD, name: 'Budi' })).toMatchObject({
    ...{ status: 303, location: '/dashboard' },
  });
  expect((await browser.get('/products')).text).toContain('Layanan pelanggan');
  const find = 'SELECT 1 FROM membership m JOIN person p USING (user_id) WHERE m.store_id = $1 AND p.email = $2';
  expect(await commerce.database.query(find, [storeId, email])).toHaveLength(1);
  expect(commerce.lines.join()).not.toContain(path.split('/')[2]);
});

it('who has an account proves it, and is asked for no name', async () => {
  const { email } = await newPerson(commerce);
  const { path } = await invited(email);
  const browser = openBrowser(commerce);
  expect((await browser.get(path)).text).not.toContain('name="name"');
  const wrong = await browser.post(path, { password: 'some other words' });
  expect([wrong.status, wrong.text.includes('Kata sandi tidak benar.')]).toEqual([422, true]);
  expect((await browser.post(path, { password: PASSWORD })).location).toBe('/dashboard');
});

it('a link that is used, withdrawn or made up opens nothing, and says whom to ask', async () => {
  const { path, id, owner } = await invited();
  await commerce.call('DELETE', `/api/team/invitation/${id}`, owner);
  for (const address of [path, '/invitation/x', `/invitation/${'y'.repeat(200)}`]) {
    const { status, text } = await openBrowser(commerce).get(address);
    expect([status, text.includes('Minta link baru kepada toko.')]).toEqual([410, true]);
    // A form that was open meanwhile, and is wrong
    const open = openBrowser(commerce);
    await open.get('/login');
    const late = await open.send(address, { ...open.hidden('/login'), password: '' });
    expect([late.status, late.text.includes('Minta link baru kepada toko.')]).toEqual([410, true]);
  }
});
