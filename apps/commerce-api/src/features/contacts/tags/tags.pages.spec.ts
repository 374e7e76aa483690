// Tags as a browser without script meets them.
import { useCommerce } from '../../../commerce.fixture';
import { signedIn } from '../../../web/browser.fixture';

const commerce = useCommerce();
const tagsOf = async (storeId: string) =>
  (
    await commerce.database.query<{ name: string }>(
      'SELECT name FROM tag WHERE store_id = $1 AND deleted_at IS NULL ORDER BY name',
      [storeId],
    )
  ).map(({ name }) => name);
const idIn = (html: string): string => /name="action" value="save\.([0-9a-f-]{36})"/.exec(html)?.[1] ?? '';

it('a tag is made, renamed and deleted, each on the same page', async () => {
  const { browser, storeId } = await signedIn(commerce);
  await browser.get('/tags');
  expect(await browser.post('/tags', { action: 'create', name: 'Reseller' })).toMatchObject({
    ...{ status: 303, location: '/tags' },
  });
  const id = idIn((await browser.get('/tags')).text);
  await browser.post('/tags', { action: `save.${id}`, name: 'Grosir' });
  expect(await tagsOf(storeId)).toEqual(['Grosir']);
  const { text } = await browser.get('/tags');
  expect(text).toContain('<p class="toast">Label Grosir disimpan.</p>');
  await browser.post('/tags', { action: `remove.${id}` });
  expect(await tagsOf(storeId)).toEqual([]);
});

it('a name that is taken is told in the form of that tag, and in no other', async () => {
  const { browser, storeId } = await signedIn(commerce);
  for (const name of ['Reseller', 'Grosir']) {
    await browser.get('/tags');
    await browser.post('/tags', { action: 'create', name });
  }
  const id = idIn((await browser.get('/tags')).text);
  const { status, text } = await browser.post('/tags', { action: `save.${id}`, name: 'Reseller' });
  expect([status, await tagsOf(storeId), text.match(/role="alert"/g)]).toEqual([
    ...[409, ['Grosir', 'Reseller'], ['role="alert"']],
  ]);
  expect(text).toContain(`<a href="#save-${id}-name">Nama label ini sudah dipakai.</a>`);
});

it("another store's tag is not there", async () => {
  const [mine, other] = [await signedIn(commerce), await signedIn(commerce)];
  await other.browser.get('/tags');
  await other.browser.post('/tags', { action: 'create', name: 'Rahasia' });
  const id = idIn((await other.browser.get('/tags')).text);
  await mine.browser.get('/tags');
  const { status } = await mine.browser.post('/tags', { action: `remove.${id}`, id });
  expect([status, await tagsOf(other.storeId)]).toEqual([404, ['Rahasia']]);
});
