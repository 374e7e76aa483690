// The pictures of a product, on its page in the back office.
import { uuidv7 } from '@platform/runtime';
import { useCommerce } from '../../../commerce.fixture';
import { signedIn } from '../../../web/browser.fixture';

const commerce = useCommerce();
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

const NEW = { name: 'Topi', price: '5000', weight_g: '100', kind: 'physical', status: 'draft' };

const toast = (text: string): string => /class="toast"[^>]*>(?:<[^>]*>)*([^<]*)/.exec(text)?.[1]?.trim() ?? '';
const atFile = (text: string): string | undefined => /id="image_add-file-error">([^<]*)/.exec(text)?.[1]?.trim();

const opened = async () => {
  const { browser, storeId } = await signedIn(commerce);
  await browser.get('/products/create');
  const { location: path = '' } = await browser.post('/products', NEW);
  const id = path.split('/').at(-1) ?? '';
  const add = async (name = 'topi.png', file: string | Buffer = PNG) => {
    await browser.get(path);
    return browser.attach(path, { action: 'image_add' }, file, name);
  };
  const images = () =>
    commerce.database.query<{ id: string; url: string }>(
      'SELECT id, url FROM product_image WHERE store_id = $1 AND product_id = $2 ORDER BY position',
      [storeId, id],
    );
  const step = async (action: string, image_id = '') => {
    await browser.get(path);
    const { _csrf = '', _idem = '' } = browser.hidden(path);
    return browser.send(path, { _csrf, _idem, action: `${action}.${image_id}`, image_id });
  };
  return { browser, storeId, path, id, add, images, step };
};

it('a picture is added once however often its form is sent, is made the main one, and is removed', async () => {
  const { browser, path, add, images, step } = await opened();
  await browser.get(path);
  const hidden = { ...browser.hidden(path), action: 'image_add' };
  const sent = [await browser.attach(path, hidden, PNG, 'a.png'), await browser.attach(path, hidden, PNG, 'a.png')];
  expect([sent.map(({ location }) => location), (await images()).length]).toEqual([[path, path], 1]);
  await add('b.png');
  const [first, second] = await images();
  const { text } = await browser.get(path);
  expect([toast(text), text.includes(new URL(second?.url ?? '').pathname)]).toEqual(['Gambar ditambahkan.', true]);
  expect((await step('image_main', second?.id)).location).toBe(path);
  expect((await images()).map(({ id }) => id)).toEqual([second?.id, first?.id]);
  await step('image_remove', second?.id);
  expect((await images()).map(({ id }) => id)).toEqual([first?.id]);
});

it('what is no picture, and one too many, is said at the input', async () => {
  const { add, id, storeId, images } = await opened();
  const wrong = await add('x.svg', '<svg onload="alert(1)">');
  expect([wrong.status, atFile(wrong.text)]).toEqual([415, 'Berkas ini bukan gambar JPG, PNG, WebP, atau GIF.']);
  const large = await add('x.png', Buffer.alloc(10 * 1024 * 1024 + 1));
  expect([large.status, atFile(large.text)]).toEqual([413, 'Gambar ini lebih besar dari 10 MB.']);
  await commerce.database.query(
    `INSERT INTO product_image (store_id, id, product_id, position, url)
     SELECT $1, uuidv7(), $2, n, 'https://elsewhere.example/' || n || '.jpg' FROM generate_series(0, 19) n`,
    [storeId, id],
  );
  const more = await add();
  expect([more.status, atFile(more.text), (await images()).length]).toEqual([
    ...[409, 'Satu produk paling banyak 20 gambar. Hapus satu dulu.', 20],
  ]);
  // The policy of the back office lets nothing in from there
  expect(more.text).not.toContain('src="https://elsewhere');
});

it("another product's or store's picture is not there, and stays", async () => {
  const [mine, other] = [await opened(), await opened()];
  await other.add();
  const [theirs] = await other.images();
  for (const id of [theirs?.id, uuidv7()])
    for (const action of ['image_main', 'image_remove']) expect((await mine.step(action, id)).status).toBe(404);
  expect(await other.images()).toEqual([theirs]);
  const reader = await signedIn(commerce, 'cs', other.storeId);
  expect((await reader.browser.get(other.path)).text).not.toContain('image_add');
});
