// Categories and files of products, as a browser without script meets them.
import { until } from '@platform/testing';
import { ownStore } from '../../../asked.fixture';
import { useCommerce } from '../../../commerce.fixture';
import { signedIn } from '../../../web/browser.fixture';
import type { Category } from './categories.dto';

const commerce = useCommerce();

const openShop = async (role: 'admin' | 'cs' = 'admin') => {
  const { ask, storeId } = await ownStore(commerce);
  const { browser } = await signedIn(commerce, role, storeId);
  const tree = async () => (await ask<Category[]>('GET', '/category_product')).body.data;
  return { browser, ask, tree };
};
const names = (tree: readonly Category[]): string =>
  tree.map(({ name, children }) => (children.length > 0 ? `${name}(${names(children)})` : name)).join(' ');

describe('the categories', () => {
  it('are made, renamed, moved below and before others, and deleted when they are empty', async () => {
    const { browser, tree } = await openShop();
    await browser.get('/categories');
    for (const name of ['Sepatu', 'Topi', 'Tas']) {
      await browser.get('/categories');
      await browser.post('/categories', { action: 'create', name, slug: '', parent_id: '' });
    }
    expect(names(await tree())).toBe('Sepatu Topi Tas');
    const [shoes, hats, bags] = await tree();
    const change = async (category: Category | undefined, fields: Readonly<Record<string, string>>) => {
      await browser.get(`/categories?id=${category?.id}`);
      return browser.post('/categories', { ...{ action: 'save', slug: category?.slug ?? '' }, ...fields });
    };
    await change(bags, { name: 'Tas', parent_id: '', position: '1' });
    expect(names(await tree())).toBe('Tas Sepatu Topi');
    await change(hats, { name: 'Topi pantai', parent_id: shoes?.id ?? '', position: '1' });
    expect(names(await tree())).toBe('Tas Sepatu(Topi pantai)');
    const circle = await change(shoes, { name: 'Sepatu', parent_id: hats?.id ?? '', position: '1' });
    expect([circle.status, circle.text.includes('Ubah Sepatu')]).toEqual([422, true]);
    await browser.get(`/categories?id=${shoes?.id}`);
    const full = await browser.post('/categories', { action: 'remove' });
    expect([full.status, full.text.includes('Masih ada produk atau kategori di dalamnya.')]).toEqual([409, true]);
    await browser.get(`/categories?id=${hats?.id}`);
    await browser.post('/categories', { action: 'remove' });
    expect(names(await tree())).toBe('Tas Sepatu');
  });

  it('of another store are not there, and who may only read has no form', async () => {
    const [mine, theirs] = [await openShop(), await openShop()];
    await theirs.browser.get('/categories');
    await theirs.browser.post('/categories', { action: 'create', name: 'Punya mereka' });
    const id = (await theirs.tree())[0]?.id ?? '';
    await mine.browser.get('/categories');
    const stolen = await mine.browser.post('/categories', { action: 'remove', id });
    expect([stolen.status, names(await theirs.tree())]).toEqual([404, 'Punya mereka']);
    expect((await mine.browser.get(`/categories?id=${id}`)).text).not.toContain('Punya mereka');
    const { browser } = await openShop('cs');
    expect((await browser.get('/categories')).text).not.toContain('action="/categories"');
  });
});

describe('a file of products', () => {
  const HEAD = 'sku,name,price,weight_g';

  it('is read into a preview that saves nothing, then saved once, and watched to its end', async () => {
    const { browser, ask } = await openShop();
    const count = async () => (await ask<object[]>('GET', '/products')).body.data.length;
    await browser.get('/products/import');
    const file = `${HEAD}\nHAT-1,Topi,10000,100\nHAT-2,<b>Topi</b>,sepuluh,100\n`;
    const { location = '', status } = await browser.attach(
      '/products/import',
      { action: 'read', mode: 'create' },
      file,
      'a.csv',
    );
    expect([status, location.startsWith('/products/import?job=')]).toEqual([303, true]);
    const { text } = await browser.get(location);
    expect([
      text.includes('1 baris siap disimpan.'),
      text.includes('Baris yang tidak dibaca (1)'),
      text.includes('price harus berupa angka bulat.'),
      await count(),
    ]).toEqual([true, true, true, 0]);
    const hidden = browser.hidden('/products/import');
    expect(hidden.action).toBe('commit');
    await Promise.all([1, 2, 3].map(() => browser.send('/products/import', hidden)));
    await until(async () => (await browser.get(location)).text.includes('Selesai'));
    expect(await count()).toBe(1);
  });

  it('that is none, or has none of our columns, is told at its input', async () => {
    const { browser } = await openShop();
    for (const [file, name, said] of [
      ['\u0000\u0001', 'a.bin', 'tidak dikenal'],
      ['name,<i>ini</i>\n1,2\n', 'b.csv', 'Kolom &quot;&lt;i>ini&lt;/i>&quot; tidak dikenal.'],
      ['name,name\n1,2\n', 'c.csv', 'Kolom &quot;name&quot; ada dua kali.'],
      [Buffer.from([0x6e, 0xff, 0xfe]), 'd.csv', 'simpan sebagai &quot;CSV UTF-8&quot;'],
      ['', 'e.csv', 'Berkas ini kosong.'],
    ] as const) {
      await browser.get('/products/import');
      const { status, text } = await browser.attach('/products/import', { action: 'read', mode: 'create' }, file, name);
      expect([status, text.includes('<a href="#read-file">'), text.includes(said)]).toEqual([422, true, true]);
    }
    await browser.get('/products/import');
    const large = await browser.attach(
      '/products/import',
      { action: 'read' },
      Buffer.alloc(10 * 1024 * 1024 + 1),
      'f.csv',
    );
    expect([large.status, large.text.includes('<a href="#read-file">Berkas ini terlalu besar.')]).toEqual([413, true]);
    await browser.get('/products/import');
    const missing = await browser.post('/products/import', { action: 'read', mode: 'create' });
    expect([missing.status, missing.text.includes('Berkas CSV harus diisi.')]).toEqual([422, true]);
  });

  it('of another store is not there', async () => {
    const [mine, theirs] = [await openShop(), await openShop()];
    await theirs.browser.get('/products/import');
    const { location = '' } = await theirs.browser.attach(
      '/products/import',
      { action: 'read', mode: 'create' },
      `${HEAD}\nHAT-1,Topi,10000,100\n`,
      'a.csv',
    );
    const seen = await mine.browser.get(location);
    await mine.browser.get('/products/import');
    const job_id = location.split('job=')[1] ?? '';
    const saved = await mine.browser.post('/products/import', { action: 'commit', job_id });
    expect([seen.status, saved.status]).toEqual([404, 404]);
  });
});

it('a file of customers is read as one of products is', async () => {
  const { browser, ask } = await openShop();
  await browser.get('/contacts/import');
  const { location = '' } = await browser.attach(
    '/contacts/import',
    { action: 'read', mode: 'create' },
    'name,phone\nBudi,0812-3456-7890\n',
    'a.csv',
  );
  await browser.get(location);
  await browser.post('/contacts/import', { action: 'commit' });
  await until(async () => (await browser.get(location)).text.includes('Selesai'));
  expect((await ask<{ phone: string }[]>('GET', '/contact')).body.data[0]?.phone).toBe('6281234567890');
});
