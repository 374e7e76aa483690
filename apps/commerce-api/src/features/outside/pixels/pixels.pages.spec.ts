// Pixels and domains of a shop, as a browser without script meets them.
import { useRunning } from '@platform/testing';
import { startCommerce } from '../../../commerce.fixture';
import { signedIn } from '../../../web/browser.fixture';

const commerce = useRunning(() => startCommerce({ SHOP_DOMAIN: 'toko.example' }));
const toast = (html: string): string | undefined => /<p class="toast">(.*?)<\/p>/.exec(html)?.[1];
const rowsOf = (storeId: string, sql: string) => commerce.database.query<Record<string, unknown>>(sql, [storeId]);
const PIXELS = 'SELECT kind, pixel_ref, events, token_enc IS NOT NULL AS token FROM pixel WHERE store_id = $1';
const META = { kind: 'meta', pixel_ref: '123456789', token: 'geheim-token', events: 'purchase' };

const made = async (fields: Readonly<Record<string, string>> = {}) => {
  const { browser, storeId } = await signedIn(commerce);
  await browser.get('/pixels');
  const answer = await browser.post('/pixels', { action: 'create', ...META, ...fields });
  return { browser, storeId, answer, path: String(answer.location) };
};

describe('a pixel', () => {
  it('is kept with its token, which is never shown, and stays when its form is saved without one', async () => {
    const { browser, storeId, path } = await made();
    const { text } = await browser.get(path);
    expect([text.includes('geheim-token'), text.includes('Token tersimpan')]).toEqual([false, true]);
    await browser.post('/pixels', { action: 'save', ...META, token: '', events: 'checkout' });
    expect(await rowsOf(storeId, PIXELS)).toEqual([
      { kind: 'meta', pixel_ref: '123456789', events: ['checkout'], token: true },
    ]);
    await browser.get(path);
    await browser.post('/pixels', { action: 'remove' });
    expect(await rowsOf(storeId, PIXELS)).toEqual([]);
  });

  it.each([
    [{ pixel_ref: 'abc' }, 'ID piksel tidak benar.'],
    [{ pixel_ref: '' }, 'ID piksel harus diisi.'],
    [{ events: '' }, 'Kejadian yang dikirim'],
    [{ kind: 'x' }, 'Pilih Jaringan iklan dari daftar.'],
  ])('with %j comes back without its token, and says what is wrong', async (fields, said) => {
    const { storeId, answer } = await made(fields);
    expect([answer.status, answer.text.includes(said), answer.text.includes('geheim')]).toEqual([422, true, false]);
    expect(await rowsOf(storeId, PIXELS)).toEqual([]);
  });

  it('that somebody else has changed meanwhile stays as they left it, beside what was typed', async () => {
    const { browser, storeId, path } = await made();
    await browser.get(path);
    const shown = { ...browser.hidden('/pixels'), ...META, token: '', action: 'save' };
    const save = (ref: string, _idem: string) => browser.send('/pixels', { ...shown, _idem, pixel_ref: ref });
    expect((await save('1111111', 'one')).location).toBe(path);
    const stale = await save('2222222', 'two');
    expect([stale.status, stale.text.includes('value="2222222"'), stale.text.includes('Sekarang: 1111111')]).toEqual([
      ...[409, true, true],
    ]);
    expect(await rowsOf(storeId, PIXELS)).toMatchObject([{ pixel_ref: '1111111' }]);
  });

  it('of which the shop has one already says so', async () => {
    const { browser } = await made();
    await browser.get('/pixels');
    const { status, text } = await browser.post('/pixels', { action: 'create', ...META });
    expect([status, text.includes('Toko sudah punya piksel ini.')]).toEqual([409, true]);
  });

  it('without an answer of its network tells that the test was not taken', async () => {
    const { browser, path } = await made();
    await browser.get(path);
    const { location } = await browser.post('/pixels', { action: 'test', test_event_code: '' });
    expect([location, toast((await browser.get(path)).text)]).toEqual([
      ...[path, expect.stringContaining('Tidak diterima jaringan iklan')],
    ]);
  });

  it('of another store is not there', async () => {
    const [{ browser }, other] = [await made(), await made()];
    expect((await browser.get(other.path)).status).toBe(404);
    await browser.get('/pixels');
    const id = other.path.split('=')[1] ?? '';
    expect((await browser.post('/pixels', { action: 'remove', id })).status).toBe(404);
  });
});

describe('the addresses of a shop', () => {
  const opened = async () => {
    const { browser, storeId } = await signedIn(commerce);
    await browser.get('/domains');
    return { browser, storeId };
  };

  it('are its name under our domain, which it may change', async () => {
    const { browser, storeId } = await opened();
    const subdomain = `nusa-${storeId.slice(-12)}`;
    await browser.post('/domains', { action: 'rename', subdomain });
    const { text } = await browser.get('/domains');
    expect([toast(text), text.includes(`https://${subdomain}.toko.example`)]).toEqual([
      ...[`Toko sekarang bernama ${subdomain}.`, true],
    ]);
    const wrong = await browser.post('/domains', { action: 'rename', subdomain: 'Admin Toko' });
    expect([wrong.status, wrong.text.includes('value="Admin Toko"')]).toEqual([422, true]);
    const other = await opened();
    const taken = await other.browser.post('/domains', { action: 'rename', subdomain });
    expect([taken.status, taken.text.includes('Alamat ini sudah dipakai')]).toEqual([409, true]);
  });

  it('are domains of its own, with the records that are to be set, until they are deleted', async () => {
    const { browser, storeId } = await opened();
    const host = `toko-${storeId.slice(-12)}.com`;
    await browser.post('/domains', { action: 'add', host });
    const { text } = await browser.get('/domains');
    expect([text.includes(`<bdi>${host}</bdi>`), text.match(/data-copy="[^"]*verify-/g)?.length]).toEqual([true, 1]);
    const [, id = ''] = /value="remove\.([^"]+)"/.exec(text) ?? [];
    const foreign = await opened();
    expect((await foreign.browser.post('/domains', { action: `remove.${id}`, id })).status).toBe(404);
    await browser.get('/domains');
    await browser.post('/domains', { action: `remove.${id}`, id });
    expect((await browser.get('/domains')).text).not.toContain(host);
  });

  it.each(['', 'localhost', 'https://x.com/y', 'toko.example', `${'a'.repeat(5_000)}.com`, '127.0.0.1'])(
    'are never %j',
    async (host) => {
      const { browser } = await opened();
      const { status, text } = await browser.post('/domains', { action: 'add', host });
      expect([status, text.includes('id="add-host-error"')]).toEqual([422, true]);
    },
  );
});
