// The files of a store, as a browser without script meets them.
import { useRunning } from '@platform/testing';
import { startCommerce } from '../../../commerce.fixture';
import { signedIn } from '../../../web/browser.fixture';

const commerce = useRunning(() => startCommerce());
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const toast = (html: string): string | undefined => /<p class="toast">(.*?)<\/p>/.exec(html)?.[1];
const namesOf = async (storeId: string) =>
  (await commerce.database.query<{ name: string }>('SELECT name FROM media WHERE store_id = $1', [storeId])).map(
    ({ name }) => name,
  );

const opened = async () => {
  const { browser, storeId } = await signedIn(commerce);
  const upload = async (bytes: Buffer | string, name: string, purpose = 'product') => {
    await browser.get('/media');
    return browser.attach('/media', { action: 'upload', purpose }, bytes, name);
  };
  return { browser, storeId, upload };
};

describe('a file', () => {
  it('is uploaded once however often its form is sent, shown by its own address, and deleted', async () => {
    const { browser, storeId } = await opened();
    await browser.get('/media');
    const hidden = { ...browser.hidden('/media'), action: 'upload', purpose: 'product' };
    const first = await browser.attach('/media', hidden, PNG, 'kaos.png');
    const again = await browser.attach('/media', hidden, PNG, 'kaos.png');
    expect([first.location, again.location, await namesOf(storeId)]).toEqual(['/media', '/media', ['kaos.png']]);
    const { text } = await browser.get('/media');
    const path = /<img [^>]*src="(\/blob\/[^"]+)"/.exec(text)?.[1] ?? '';
    expect([toast(text), (await browser.get(path)).headers['content-type']]).toEqual([
      ...['kaos.png diunggah.', 'image/png'],
    ]);
    const action = /value="(remove\.[^"]+)"/.exec(text)?.[1] ?? '';
    await browser.get('/media');
    await browser.post('/media', { action, id: action.slice('remove.'.length) });
    expect([await namesOf(storeId), (await browser.get(path)).status]).toEqual([[], 404]);
  });

  it('that is none, of another type, or too large says so at its input', async () => {
    const { browser, storeId, upload } = await opened();
    const wrong = await upload('<svg onload="alert(1)">', 'x.svg');
    const large = await upload(Buffer.alloc(10 * 1024 * 1024 + 1), 'x.png');
    await browser.get('/media');
    const none = await browser.post('/media', { action: 'upload', purpose: 'logo' });
    const said = [wrong, large, none].map(({ status, text }) => [
      status,
      /id="upload-file-error">([^<]*)/.exec(text)?.[1]?.trim(),
    ]);
    expect([said, await namesOf(storeId)]).toEqual([
      [
        [415, 'Jenis berkas ini tidak diterima untuk kegunaan itu.'],
        [413, 'Berkas ini lebih besar dari 10 MB.'],
        [422, 'Berkas harus diisi.'],
      ],
      [],
    ]);
    expect(none.text).toContain('<option value="logo" selected>');
  });

  it('that something shows stays, and says why', async () => {
    const { browser, storeId, upload } = await opened();
    await upload(PNG, 'kaos.png');
    const find = 'UPDATE media SET refs = 1 WHERE store_id = $1 RETURNING id';
    await browser.get('/media');
    const [{ id } = { id: '' }] = await commerce.database.query<{ id: string }>(find, [storeId]);
    const { status, text } = await browser.post('/media', { action: `remove.${id}`, id });
    expect([status, text.includes('Berkas ini masih dipakai.'), text.includes(`remove.${id}`)]).toEqual([
      ...[409, true, false],
    ]);
  });

  it('of another store is not there', async () => {
    const [{ browser }, other] = [await opened(), await opened()];
    await other.upload(PNG, 'kaos.png');
    const find = 'SELECT id FROM media WHERE store_id = $1';
    const [{ id } = { id: '' }] = await commerce.database.query<{ id: string }>(find, [other.storeId]);
    await browser.get('/media');
    expect((await browser.post('/media', { action: `remove.${id}`, id })).status).toBe(404);
    expect(await namesOf(other.storeId)).toEqual(['kaos.png']);
  });
});
