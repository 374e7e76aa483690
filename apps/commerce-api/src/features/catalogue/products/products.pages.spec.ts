// Products as a browser without script meets them.
import { newStore, useCommerce } from '../../../commerce.fixture';
import { signedIn, type Browser } from '../../../web/browser.fixture';

const commerce = useCommerce();
const KAOS = { name: 'Kaos Nusa', price: '85.000', weight_g: '200', kind: 'physical' };

const productsOf = (storeId: string) =>
  commerce.database.query<{ name: string; status: string }>(
    'SELECT name, status FROM product WHERE store_id = $1 ORDER BY created_at, id',
    [storeId],
  );
const variantOf = async (storeId: string) =>
  (
    await commerce.database.query<{ id: string; price: string; sku: string; on_hand: number | null }>(
      `SELECT v.id, v.price, v.sku, s.on_hand FROM variant v
       LEFT JOIN stock_level s ON s.store_id = v.store_id AND s.variant_id = v.id WHERE v.store_id = $1`,
      [storeId],
    )
  )[0];

const made = async (browser: Browser, more: Readonly<Record<string, string>> = {}): Promise<string> => {
  await browser.get('/products/create');
  return String((await browser.post('/products', { ...KAOS, status: 'active', ...more })).location);
};
/** Names in the order of the list. */
const listed = (html: string): string[] =>
  [...html.matchAll(/<td [^>]*class="cell-main"[^>]*><a[^>]*>([^<]*)</g)].map(([, name = '']) => name);
const toast = (html: string): string | undefined => /<p class="toast">(.*?)<\/p>/.exec(html)?.[1];

describe('a new product', () => {
  it('with a name, a price as people write it and a weight is on sale, and its page says so', async () => {
    const { browser, storeId } = await signedIn(commerce);
    const path = await made(browser);
    const { text } = await browser.get(path);
    expect([await productsOf(storeId), (await variantOf(storeId))?.price, toast(text)]).toEqual([
      ...[[{ name: 'Kaos Nusa', status: 'active' }], '85000', 'Kaos Nusa ditambahkan.'],
    ]);
    expect(text).toContain('<h1>Kaos Nusa</h1>');
  });

  const variantsOf = (storeId: string) =>
    commerce.database.query(
      `SELECT v.option_values AS options, v.price::int, s.on_hand FROM variant v
       LEFT JOIN stock_level s ON s.store_id = v.store_id AND s.variant_id = v.id WHERE v.store_id = $1 ORDER BY v.option_values::text`,
      [storeId],
    );

  it('has a variant for each choice, and the stock that was typed, in the main warehouse', async () => {
    const { browser, storeId } = await signedIn(commerce);
    await made(browser, { option: 'Ukuran', choices: 'M, L ,, L', on_hand: '7' });
    expect(await variantsOf(storeId)).toEqual([
      { options: { Ukuran: 'L' }, price: 85_000, on_hand: 7 },
      { options: { Ukuran: 'M' }, price: 85_000, on_hand: 7 },
    ]);
  });

  it('has choices with commas in them where semicolons stand between them', async () => {
    const { browser, storeId } = await signedIn(commerce);
    await made(browser, { option: 'Berat', choices: '0,5 kg; 1 kg', on_hand: '1' });
    expect((await variantsOf(storeId)).map(({ options }) => options)).toEqual([{ Berat: '0,5 kg' }, { Berat: '1 kg' }]);
  });

  it.each(['service', 'digital'] as const)(
    'that is a %s is for sale without stock, and with it as often as was typed',
    async (kind) => {
      const { browser, storeId } = await signedIn(commerce);
      await made(browser, { kind });
      await made(browser, { kind, on_hand: '2' });
      const tracked = 'SELECT track_stock FROM variant WHERE store_id = $1 ORDER BY id';
      expect(await commerce.database.query(tracked, [storeId])).toEqual([
        { track_stock: false },
        { track_stock: true },
      ]);
    },
  );

  it('of one kind has the stock that was typed', async () => {
    const { browser, storeId } = await signedIn(commerce);
    await made(browser, { on_hand: '12' });
    expect(await variantsOf(storeId)).toEqual([{ options: {}, price: 85_000, on_hand: 12 }]);
  });

  it('that is a service is not counted unless a number was typed, and is called sold out nowhere', async () => {
    const { browser, storeId } = await signedIn(commerce);
    const service = { kind: 'service', weight_g: '' };
    const path = await made(browser, { ...service, option: 'Kamar', choices: 'AC, Kipas' });
    const counted = await made(browser, { ...service, name: 'Kursus', on_hand: '3' });
    const rows = await commerce.database.query(
      'SELECT DISTINCT product_id::text AS id, track_stock FROM variant WHERE store_id = $1 ORDER BY 2',
      [storeId],
    );
    expect(rows).toEqual([
      { id: path.split('/').at(-1), track_stock: false },
      { id: counted.split('/').at(-1), track_stock: true },
    ]);
    const [slug] = await commerce.database.query<{ slug: string }>('SELECT slug FROM product WHERE id = $1', [
      path.split('/').at(-1),
    ]);
    for (const page of [path, '/products', `/s/${storeId}/products/${slug?.slug}`])
      expect([page, (await browser.get(page)).text.includes('>Habis<')]).toEqual([page, false]);
    const choices = { action: 'choices', option: 'Kamar', choices: 'AC, Kipas, Suite' };
    await browser.get(path);
    await browser.post(path, choices);
    const { text } = await browser.get(path);
    expect([text.includes('1 pilihan ditambahkan.'), text.includes('Koreksi stok.')]).toEqual([true, false]);
    await commerce.database.query('UPDATE stock_level SET on_hand = 0 WHERE store_id = $1', [storeId]);
    expect((await browser.get('/products')).text).toContain('>Habis<');
  });

  it('with choices of nothing, or a choice without any, is told so at the form', async () => {
    const { browser, storeId } = await signedIn(commerce);
    const tried = async (more: object) => {
      await browser.get('/products/create');
      const { status, text } = await browser.post('/products', { ...KAOS, status: 'active', ...more });
      return [status, ...[...text.matchAll(/<li><a href="#(\w+)">/g)].map(([, name]) => name)];
    };
    expect(await tried({ choices: 'M, L' })).toEqual([422, 'option']);
    expect(await tried({ option: 'Ukuran', choices: ' , ' })).toEqual([422, 'choices']);
    expect(await tried({ option: 'Ukuran', choices: 'x'.repeat(61) })).toEqual([422, 'choices']);
    expect(await productsOf(storeId)).toEqual([]);
  });

  it('may be a draft', async () => {
    const { browser, storeId } = await signedIn(commerce);
    await made(browser, { status: 'draft' });
    expect(await productsOf(storeId)).toEqual([{ name: 'Kaos Nusa', status: 'draft' }]);
  });

  it('without a price and a weight comes back with all that was typed, and says what is missing', async () => {
    const { browser, storeId } = await signedIn(commerce);
    await browser.get('/products/create');
    const typed = { ...KAOS, price: '', weight_g: '', description: 'Katun', status: 'active' };
    const { status, text } = await browser.post('/products', typed);
    const said = [...text.matchAll(/<li><a href="#(\w+)">(.*?)<\/a><\/li>/g)].map(([, name, error]) => [name, error]);
    expect([status, said, await productsOf(storeId)]).toEqual([
      422,
      [
        ['price', 'Harga harus diisi.'],
        ['weight_g', 'Berat harus diisi.'],
      ],
      [],
    ]);
    expect(text).toContain('value="Kaos Nusa"');
    expect(text).toContain('>Katun</textarea>');
  });
});

describe('the page of a product', () => {
  it('of one kind takes more kinds later: the first keeps its stock, and more follow', async () => {
    const { browser, storeId } = await signedIn(commerce);
    const path = await made(browser, { on_hand: '12' });
    const before = await variantOf(storeId);
    const add = async (choices: string, option = 'Warna') => {
      await browser.get(path);
      return browser.post(path, { action: 'choices', option, choices });
    };
    expect((await add(' , ')).text).toContain('<a href="#choices-choices">');
    await add('Merah, Biru');
    await add('Hijau, Biru');
    const rows = await commerce.database.query(
      `SELECT v.id, v.option_values AS of, v.price::int, s.on_hand FROM variant v
       LEFT JOIN stock_level s ON s.store_id = v.store_id AND s.variant_id = v.id WHERE v.store_id = $1 ORDER BY v.id`,
      [storeId],
    );
    expect(rows).toEqual([
      { id: before?.id, of: { Warna: 'Merah' }, price: 85_000, on_hand: 12 },
      { id: expect.any(String), of: { Warna: 'Biru' }, price: 85_000, on_hand: null },
      { id: expect.any(String), of: { Warna: 'Hijau' }, price: 85_000, on_hand: null },
    ]);
  });

  it('saves what is changed, and tells a second tab what the first has saved', async () => {
    const { browser, storeId } = await signedIn(commerce);
    const path = await made(browser);
    await browser.get(path);
    const hidden = browser.hidden(path);
    const fields = { ...KAOS, slug: 'kaos-nusa', status: 'active', action: 'save' };
    const change = (name: string) => {
      const { price: _, kind: __, ...rest } = fields;
      return {
        ...rest,
        name,
        seen: hidden.seen ?? '',
        _csrf: hidden._csrf ?? '',
        _idem: `tab ${name}`.replace(/ /g, '-'),
      };
    };
    expect((await browser.send(path, change('Kaos Satu'))).status).toBe(303);
    const { status, text } = await browser.send(path, change('Kaos Dua'));
    expect([status, await productsOf(storeId)]).toEqual([409, [{ name: 'Kaos Satu', status: 'active' }]]);
    expect(text).toContain('value="Kaos Dua"');
    expect(text).toContain('Sekarang: Kaos Satu');
  });

  it('changes the price of a variant; what is wrong with it is said in its own form', async () => {
    const { browser, storeId } = await signedIn(commerce);
    const path = await made(browser);
    const { id = '' } = (await variantOf(storeId)) ?? {};
    const sent = { action: `variant.${id}`, variant_id: id, sku: 'KAOS-1', price: '90.000', compare_at: '80.000' };
    await browser.get(path);
    const wrong = await browser.post(path, sent);
    expect([wrong.status, (await variantOf(storeId))?.price]).toEqual([422, '85000']);
    expect(wrong.text).toContain(`<a href="#variant-${id}-compare_at">`);
    expect(wrong.text).toContain(`id="variant-${id}-compare_at"`);
    await browser.get(path);
    expect((await browser.post(path, { ...sent, compare_at: '' })).status).toBe(303);
    expect(await variantOf(storeId)).toMatchObject({ price: '90000', sku: 'KAOS-1' });
  });

  it('changes no variant of another product', async () => {
    const { browser, storeId } = await signedIn(commerce);
    await made(browser);
    const { id = '', sku = '' } = (await variantOf(storeId)) ?? {};
    const other = await made(browser, { name: 'Lain' });
    await browser.get(other);
    const { _csrf = '', _idem = '' } = browser.hidden(other);
    const sent = { _csrf, _idem, action: `variant.${id}`, variant_id: id, sku, price: '1', seen: 'x' };
    const { status } = await browser.send(other, sent);
    expect([status, (await variantOf(storeId))?.price]).toEqual([404, '85000']);
  });

  it('corrects the stock once, and shows what has happened to it', async () => {
    const { browser, storeId } = await signedIn(commerce);
    const path = await made(browser);
    const [{ id: warehouse_id = '' } = {}] = await commerce.database.query<{ id: string }>(
      'SELECT id FROM warehouse WHERE store_id = $1',
      [storeId],
    );
    const { id: variant_id = '' } = (await variantOf(storeId)) ?? {};
    await browser.get(path);
    const counted = { action: 'stock', variant_id, warehouse_id, on_hand: '12', reason: 'found', note: 'Rak atas' };
    expect(await browser.post(`${path}/stock`, counted)).toMatchObject({ status: 303, location: path });
    const { text } = await browser.get(path);
    expect([(await variantOf(storeId))?.on_hand, toast(text)]).toEqual([12, 'Stok dikoreksi.']);
    expect(text).toMatch(/Ditemukan.*\+12.*Rak atas/s);
  });

  it('is copied as a draft, and archived', async () => {
    const { browser, storeId } = await signedIn(commerce);
    const path = await made(browser);
    await browser.get(path);
    const copied = await browser.post(`${path}/duplicate`, { action: 'duplicate' });
    await browser.get(path);
    const archived = await browser.post(path, { action: 'archive' });
    expect([copied.status, archived.location, await productsOf(storeId)]).toEqual([
      303,
      '/products',
      [
        { name: 'Kaos Nusa', status: 'archived' },
        { name: 'Kaos Nusa', status: 'draft' },
      ],
    ]);
  });

  it('shows its forms only to who may use them', async () => {
    const { browser, storeId } = await signedIn(commerce);
    const path = await made(browser);
    const actionsFor = async (role: 'cs' | 'warehouse') => {
      const { text } = await (await signedIn(commerce, role, storeId)).browser.get(path);
      return [...text.matchAll(/action="(\/products[^"]*)"/g)].map(([, action]) => action);
    };
    expect([await actionsFor('cs'), await actionsFor('warehouse')]).toEqual([[], [`${path}/stock`]]);
  });
});

describe('the list of products', () => {
  it('shows what its filters, its search and its order say, and keeps them together', async () => {
    const { browser } = await signedIn(commerce);
    for (const name of ['Topi', 'Kaos Merah', 'Kaos Biru'])
      await made(browser, { name, status: name === 'Topi' ? 'draft' : 'active' });
    const names = async (query: string) => listed((await browser.get(`/products${query}`)).text);
    expect(await names('')).toEqual(['Kaos Biru', 'Kaos Merah', 'Topi']);
    expect(await names('?sort=name&q=kaos')).toEqual(['Kaos Biru', 'Kaos Merah']);
    expect(await names('?status=draft')).toEqual(['Topi']);
    expect(await names('?sort=-name&per_page=1&page=2')).toEqual(['Kaos Merah']);
    const { text } = await browser.get('/products?status=active&q=kaos');
    expect(text).toContain('<a href="/products?q=kaos&amp;status=draft"');
    expect(text).toContain('<input type="hidden" name="status" value="active"/>');
    expect(text).toMatch(/<a href="\/products\?q=kaos&amp;status=active" aria-current="true"[^>]*>Tayang/);
  });

  it('shows what is nearest when nothing has the words, and says so', async () => {
    const { browser } = await signedIn(commerce);
    await made(browser, { name: 'Sepatu Futsal' });
    const { text } = await browser.get('/products?q=sepatuu');
    expect([listed(text), text.includes('Tidak ada yang persis. Ini yang paling mirip:')]).toEqual([
      ...[['Sepatu Futsal'], true],
    ]);
  });

  it('changes those that were picked, and says how many could not be', async () => {
    const { browser, storeId } = await signedIn(commerce);
    const paths = [await made(browser, { status: 'draft' }), await made(browser, { name: 'Ringan', status: 'draft' })];
    await browser.get('/products/create');
    paths.push(
      String(
        (await browser.post('/products', { name: 'Jasa', price: '1', kind: 'service', status: 'draft' })).location,
      ),
    );
    await commerce.database.query(`UPDATE product SET weight_g = 0 WHERE store_id = $1 AND name = 'Ringan'`, [storeId]);
    await browser.get('/products');
    const ids = paths.map((path) => path.split('/').at(-1) ?? '');
    const fields = { ...browser.hidden('/products/bulk'), 'set[status]': 'active' };
    const { status } = await browser.send('/products/bulk', { ...fields, ids } as never);
    expect([status, toast((await browser.get('/products')).text), await productsOf(storeId)]).toEqual([
      303,
      '2 produk diubah, 1 tidak bisa: periksa harga dan beratnya.',
      [
        { name: 'Kaos Nusa', status: 'active' },
        { name: 'Ringan', status: 'draft' },
        { name: 'Jasa', status: 'active' },
      ],
    ]);
  });

  it('with nothing picked is shown again under 422', async () => {
    const { browser } = await signedIn(commerce);
    await made(browser);
    await browser.get('/products');
    const { status, text } = await browser.post('/products/bulk', { 'set[status]': 'active' });
    expect([status, /role="alert"[^>]*>(.*?)</.exec(text)?.[1]]).toEqual([422, 'Pilihan harus diisi.']);
  });

  it('leads to a file of the catalogue, where a cell cannot be run', async () => {
    const { browser } = await signedIn(commerce);
    await made(browser, { name: '=1+1' });
    const { headers, text } = await browser.get('/products/export');
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(text).toMatch(/^"?'=1\+1/m);
  });

  it('is empty with the one way on, and shows nothing of another store', async () => {
    await newStore(commerce, [{ name: 'Milik orang lain' }]);
    const { text } = await (await signedIn(commerce)).browser.get('/products');
    expect([listed(text), text.includes('Belum ada produk.'), text.includes('href="/products/create"')]).toEqual([
      ...[[], true, true],
    ]);
  });
});
