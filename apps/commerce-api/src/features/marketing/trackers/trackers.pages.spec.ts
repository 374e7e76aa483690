// Short links, as a browser without script meets them.
import { useRunning } from '@platform/testing';
import { startCommerce } from '../../../commerce.fixture';
import { openBrowser, signedIn } from '../../../web/browser.fixture';
import { somebody } from '../../checkout/checkout.fixture';
import { PERSON } from '../biolinks/biolinks.fixture';

const commerce = useRunning(() => startCommerce({ TRUST_PROXY: '127.0.0.1' }));
const toast = (html: string): string | undefined => /<p class="toast">(.*?)<\/p>/.exec(html)?.[1];
const linksOf = (storeId: string) =>
  commerce.database.query<{ code: string; target: string; utm: object }>(
    'SELECT code, target, utm FROM tracker_link WHERE store_id = $1',
    [storeId],
  );
const TARGET = 'https://toko.example/katalog';

const made = async (fields: Readonly<Record<string, string>> = {}) => {
  const { browser, storeId } = await signedIn(commerce);
  await browser.get('/trackers');
  const answer = await browser.post('/trackers', { action: 'create', target: TARGET, code: '', ...fields });
  return { browser, storeId, answer };
};

describe('a short link', () => {
  it('gets a code unless it is given one, leads on, and its clicks are told by the day', async () => {
    const { browser, storeId, answer } = await made({ 'utm[source]': 'instagram' });
    const [link] = await linksOf(storeId);
    expect([answer.status, link]).toMatchObject([303, { target: TARGET, utm: { source: 'instagram' } }]);
    const visitor = openBrowser(commerce);
    await visitor.get(`/t/${link?.code}`, { ...somebody(), 'user-agent': PERSON });
    const { text } = await browser.get(String(answer.location));
    expect(text).toContain(`<code class="code">https://shop.example/t/${link?.code}</code>`);
    expect(text).toMatch(/<th scope="row">1 Mar<\/th><td>1<\/td>/);
  });

  it('is changed and keeps its code, and deleted', async () => {
    const { browser, storeId, answer } = await made({ code: 'promo2026', 'utm[campaign]': 'lebaran' });
    await browser.get(String(answer.location));
    await browser.post('/trackers', { action: 'save', target: `${TARGET}/baru`, 'utm[campaign]': '' });
    expect(toast((await browser.get('/trackers')).text)).toBe('/t/promo2026 disimpan.');
    expect(await linksOf(storeId)).toEqual([{ code: 'promo2026', target: `${TARGET}/baru`, utm: {} }]);
    await browser.get(String(answer.location));
    await browser.post('/trackers', { action: 'remove' });
    expect([await linksOf(storeId), (await browser.get(String(answer.location))).status]).toEqual([[], 404]);
  });

  it('that somebody else has changed meanwhile stays as they left it, beside what was typed', async () => {
    const { browser, storeId, answer } = await made();
    await browser.get(String(answer.location));
    const shown = { ...browser.hidden('/trackers'), action: 'save' };
    const save = (target: string, _idem: string) => browser.send('/trackers', { ...shown, _idem, target });
    expect((await save(`${TARGET}/mereka`, 'one')).location).toBe('/trackers');
    const stale = await save(`${TARGET}/saya`, 'two');
    const said = [`value="${TARGET}/saya"`, `Sekarang: ${TARGET}/mereka`].map((each) => stale.text.includes(each));
    expect([stale.status, said]).toEqual([409, [true, true]]);
    expect((await linksOf(storeId)).map(({ target }) => target)).toEqual([`${TARGET}/mereka`]);
  });

  it.each([
    [{ target: 'javascript:alert(1)' }, 422, 'Tujuan tidak benar.'],
    [{ target: '' }, 422, 'Tujuan harus diisi.'],
    [{ code: 'A B' }, 422, 'Kode tidak benar.'],
    [{ 'utm[source]': 'x'.repeat(5_000) }, 422, 'Sumber terlalu panjang'],
  ])('with %j comes back and says what is wrong', async (fields, status, said) => {
    const { storeId, answer } = await made(fields);
    expect([answer.status, answer.text.includes(said), await linksOf(storeId)]).toEqual([status, true, []]);
  });

  it('whose code another has says so, and keeps the rest', async () => {
    await made({ code: 'samecode' });
    const { answer } = await made({ code: 'samecode' });
    expect([answer.status, answer.text.includes('Kode ini sudah dipakai.'), answer.text.includes(TARGET)]).toEqual([
      ...[409, true, true],
    ]);
  });

  it('of another store is not there', async () => {
    const [{ browser }, other] = [await made(), await made({ code: 'foreign1' })];
    const { location } = other.answer;
    expect((await browser.get(String(location))).status).toBe(404);
    await browser.get('/trackers');
    const id = String(location).split('=')[1] ?? '';
    expect((await browser.post('/trackers', { action: 'remove', id })).status).toBe(404);
    expect(await linksOf(other.storeId)).toHaveLength(1);
  });
});
