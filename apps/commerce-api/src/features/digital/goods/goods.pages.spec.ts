// Digital products and what their buyers open, as a browser without script meets them.
import { useRunning } from '@platform/testing';
import { startCommerce } from '../../../commerce.fixture';
import { openBrowser, signedIn } from '../../../web/browser.fixture';
import { buyersOf } from '../deliveries/bought.fixture';
import { pageOf, PDF } from '../digital.fixture';

const commerce = useRunning(() => startCommerce({ PAY_LINK_SECRET: 'a secret of links', TRUST_PROXY: '127.0.0.1' }));
const { bought, fetched } = buyersOf(commerce);
const toast = (html: string): string | undefined => /<p class="toast">(.*?)<\/p>/.exec(html)?.[1];

const rowsOf = (storeId: string, sql: string) => commerce.database.query<Record<string, unknown>>(sql, [storeId]);
const KEYS = 'SELECT last4, state FROM license_key WHERE store_id = $1 ORDER BY last4';
const FILES = `SELECT m.name, a.removed_at IS NULL AS sold FROM digital_asset a JOIN media m ON m.store_id = a.store_id AND m.id = a.media_id
  WHERE a.store_id = $1`;
const TERMS = 'SELECT max_downloads, valid_days, needs_key FROM digital_product WHERE store_id = $1';

/** The page of a new product. */
const made = async (more: Readonly<Record<string, string>> = {}) => {
  const { browser, storeId } = await signedIn(commerce);
  await browser.get('/digital-products');
  const fields = { name: 'Buku Nusa', price: '25.000', status: 'active', ...more };
  const { location: path = '' } = await browser.post('/digital-products', fields);
  const { text } = await browser.get(path);
  return { browser, storeId, path, text };
};

describe('a digital product', () => {
  it('needs a name and a price, and has the usual terms', async () => {
    const { storeId, text } = await made();
    expect([toast(text), await rowsOf(storeId, TERMS)]).toEqual([
      'Buku Nusa ditambahkan.',
      [{ max_downloads: 5, valid_days: 30, needs_key: false }],
    ]);
  });

  it('has the terms that are typed; a box that is not ticked any more says no, and a second tab is told', async () => {
    const { browser, storeId, path } = await made({ 'delivery[needs_key]': 'true', 'delivery[valid_days]': '7' });
    const first = { action: 'save', name: 'Buku Dua', status: 'draft', 'delivery[max_downloads]': '9' };
    const late = { ...browser.hidden(path), ...first, name: 'Buku Tiga', _idem: 'another' };
    await browser.post(path, first);
    expect(await rowsOf(storeId, TERMS)).toEqual([{ max_downloads: 9, valid_days: 7, needs_key: false }]);
    const { status, text } = await browser.send(path, late);
    expect([status, text.includes('value="Buku Tiga"'), text.includes('Sekarang: Buku Dua')]).toEqual([
      409,
      true,
      true,
    ]);
  });

  it('has files, each once however often its form is sent; what is no file of goods is refused with what is', async () => {
    const { browser, storeId, path } = await made();
    const hidden = { ...browser.hidden(path), action: 'file' };
    const once = await browser.attach(path, hidden, PDF, 'buku.pdf');
    const again = await browser.attach(path, hidden, PDF, 'buku.pdf');
    expect([once.status, again.location, await rowsOf(storeId, FILES)]).toEqual([
      ...[303, once.location, [{ name: 'buku.pdf', sold: true }]],
    ]);
    await browser.get(path);
    const refused = await browser.attach(path, { action: 'file' }, '<html><script>1</script></html>', 'x.html');
    expect([refused.status, refused.text.match(/id="file-file-error">[^<]*/)?.[0]]).toEqual([
      ...[415, expect.stringContaining('PDF, ZIP')],
    ]);
    const { text } = await browser.get(path);
    const action = /value="(remove\.[^"]+)"/.exec(text)?.[1] ?? '';
    await browser.post(path, { action });
    expect(await rowsOf(storeId, FILES)).toEqual([]);
  });

  it('has keys as they are pasted or sent as a file, each once; a line that nobody can type is told by its number', async () => {
    const { browser, storeId, path } = await made({ 'delivery[needs_key]': 'true' });
    const keys = `${path}/keys`;
    await browser.post(keys, { action: 'keys', keys: 'AAAA-1111\r\n\r\nBBBB-2222\r\n' });
    expect(toast((await browser.get(path)).text)).toBe('2 kunci ditambahkan, 0 sudah ada sebelumnya.');
    await browser.attach(keys, { action: 'keys', keys: '' }, 'BBBB-2222\nCCCC-3333', 'k.txt');
    expect(toast((await browser.get(path)).text)).toBe('1 kunci ditambahkan, 1 sudah ada sebelumnya.');
    const { status, text } = await browser.post(keys, { action: 'keys', keys: 'DDDD-4444\r\nEE\u202eEE-5555' });
    expect([status, /<li><a href="(#[^"]+)">([^<]+)/.exec(text)?.slice(1), text.includes('DDDD-4444')]).toEqual([
      422,
      ['#keys-keys', 'Kunci 2 tidak benar.'],
      true,
    ]);
    expect(text.match(/id="keys-keys-error">[^<]*/)?.[0]).toContain('Kunci 2 tidak benar.');
    expect(await rowsOf(storeId, KEYS)).toEqual(['1111', '2222', '3333'].map((last4) => ({ last4, state: 'free' })));
    expect((await browser.get(`${path}?state=assigned`)).text).toContain('Belum ada kunci seperti ini.');
  });

  it('shows who may not write its files, and neither its keys nor a form', async () => {
    const { storeId, path } = await made({ 'delivery[needs_key]': 'true' });
    const { browser } = await signedIn(commerce, 'cs', storeId);
    const { status, text } = await browser.get(path);
    expect([status, text.includes('Kunci lisensi'), text.includes(`action="${path}"`)]).toEqual([200, false, false]);
  });
});

describe('the page of a download', () => {
  it('says what it is and how often it can be taken, and counts nothing', async () => {
    const { shop, order, links, text: letter } = await bought({ delivery: { max_downloads: 2 } });
    const [link = ''] = links;
    const path = pageOf(link);
    expect(letter).toContain(`https://shop.example${path}`);
    const buyer = openBrowser(commerce);
    const { status, text, headers } = await buyer.get(path);
    expect([status, headers['cache-control'], headers['referrer-policy']]).toEqual([200, 'no-store', 'no-referrer']);
    expect([text.includes('buku 0.pdf'), text.includes('Masih bisa diunduh 2 kali'), text.includes(link)]).toEqual([
      ...[true, true, true],
    ]);
    expect((await shop.deliveries(order)).map(({ downloads }) => downloads)).toEqual([0]);
    await fetched(link);
    await fetched(link);
    const last = await buyer.get(path);
    expect([last.status, last.text.includes('Minta link baru'), last.text.includes(link)]).toEqual([200, true, false]);
  });

  it('by another link is not there, and after its time is over', async () => {
    const { links } = await bought({ delivery: { valid_days: 1 } });
    const path = pageOf(links[0]);
    const buyer = openBrowser(commerce);
    for (const wrong of [
      `${path.slice(0, -1)}~`,
      `${path}x`,
      '/download/x',
      `/download/${'a'.repeat(5_000)}`,
      '/download/%00',
    ])
      expect([wrong.slice(0, 60), (await buyer.get(wrong)).status]).toEqual([wrong.slice(0, 60), 404]);
    commerce.clock.advance(2 * 86_400_000);
    const late = await buyer.get(path);
    expect([late.status, late.text.includes('sudah tidak berlaku')]).toEqual([410, true]);
  });
});
