import { uuidv7 } from '@platform/runtime';
import { until } from '@platform/testing';
import { auditedIn, invalid, notHere, ownStore, refused, succeeded, type Ask } from '../../../asked.fixture';
import { NOW, useCommerce } from '../../../commerce.fixture';
import type { Category } from './categories.dto';
import { tellProducts } from './category.renamed';

const commerce = useCommerce();

const add = async (ask: Ask, name: string, more: object = {}): Promise<Category> =>
  (await ask<Category>('POST', '/category_product', { name, ...more })).body.data;
/** `Sepatu 2(Lari 0)`: names, numbers of products, and children. */
const drawn = (tree: readonly Category[]): string =>
  tree
    .map(({ name, products, children }) => `${name} ${products}${children.length > 0 ? `(${drawn(children)})` : ''}`)
    .join(', ');
const tree = async (ask: Ask) => drawn((await ask<Category[]>('GET', '/category_product')).body.data);

describe('the categories of a store', () => {
  it('are created, changed, moved and deleted when they are empty', async () => {
    const { ask, storeId } = await ownStore(commerce, [{ category: 'Sepatu' }, { category: 'Sepatu', name: 'Sandal' }]);
    const created = await ask<Category>('POST', '/category_product', { name: 'Topi' });
    const view = { parent_id: null, name: 'Topi', slug: 'topi', position: 1, products: 0, children: [] };
    expect(created).toEqual(succeeded(201, 'Category created', { id: expect.any(String), ...view }));
    const hats = created.body.data;
    const sun = await add(ask, 'Topi pantai', { parent_id: hats.id });
    expect(await tree(ask)).toBe('Sepatu 2, Topi 0(Topi pantai 0)');
    expect(await ask('PUT', `/category_product/${sun.id}`, { name: 'Pantai', slug: 'pantai' })).toMatchObject(
      succeeded(200, 'Category updated', { name: 'Pantai', slug: 'pantai', parent_id: hats.id }),
    );
    expect(await ask('DELETE', `/category_product/${hats.id}`)).toEqual(
      refused(409, 'not_empty', 'There are products or categories in it'),
    );
    const moved = await ask<Category[]>('PUT', '/category_product/order', {
      items: [
        { id: sun.id, position: 0 },
        { id: hats.id, position: 0, parent_id: sun.id },
      ],
    });
    expect([moved.status, drawn(moved.body.data)]).toEqual([200, 'Pantai 0(Topi 0), Sepatu 2']);
    expect(await ask('DELETE', `/category_product/${hats.id}`)).toEqual(succeeded(200, 'Category deleted', null));
    expect(await tree(ask)).toBe('Pantai 0, Sepatu 2');
    const row = 'children, id, name, parent_id, position, products, slug';
    expect(await auditedIn(commerce, storeId)).toEqual(
      [row, row, 'name, slug', row].map((members) => `category.write category: ${members}`),
    );
  });

  it('with products, archived ones too, cannot be deleted', async () => {
    const { ask, storeId } = await ownStore(commerce, [{ category: 'Sepatu' }]);
    await commerce.database.query(`UPDATE product SET status = 'archived' WHERE store_id = $1`, [storeId]);
    const { body } = await ask<Category[]>('GET', '/category_product');
    expect(drawn(body.data)).toBe('Sepatu 0');
    expect((await ask('DELETE', `/category_product/${body.data[0]?.id}`)).body.code).toBe('not_empty');
  });

  it('get a slug from their name, another one when it is taken; one that was asked for is refused', async () => {
    const { ask } = await ownStore(commerce);
    const slugs = [(await add(ask, 'Ünique!')).slug, (await add(ask, 'unique')).slug, (await add(ask, '帽子')).slug];
    expect(slugs).toEqual(['u-nique', 'unique', 'item']);
    expect((await add(ask, 'Unique')).slug).toMatch(/^unique-[0-9a-f]{6}$/);
    const taken = refused(409, 'slug_taken', 'The slug is taken');
    expect(await ask('POST', '/category_product', { name: 'x', slug: 'unique' })).toEqual(taken);
    const other = await add(ask, 'Other');
    expect(await ask('PUT', `/category_product/${other.id}`, { slug: 'unique' })).toEqual(taken);
  });

  it('of a new name are what their products are found by', async () => {
    const { ask } = await ownStore(commerce, [{ name: 'Runner', category: 'Sepatu' }]);
    const { body } = await ask<Category[]>('GET', '/category_product');
    await ask('PUT', `/category_product/${body.data[0]?.id}`, { name: 'Alas kaki' });
    const found = async (q: string) => (await ask<{ id: string }[]>('GET', `/products?q=${q}&view=variants`)).body.data;
    await until(async () => (await found('alas')).length === 1);
    expect(await found('runner')).toHaveLength(1);
  });

  it('of a new name tell all of their products, in portions, however many they are', async () => {
    const { storeId } = await ownStore(commerce, [{ category: 'Sepatu' }]);
    const [{ id } = { id: '' }] = await commerce.database.query<{ id: string }>(
      'SELECT id FROM category WHERE store_id = $1',
      [storeId],
    );
    await commerce.database.query(
      `INSERT INTO product (store_id, id, kind, name, slug, status, category_id, created_at, updated_at)
       SELECT $1, uuidv7(), 'physical', 'Barang', 'barang-' || n, 'active', $2, $3, $3 FROM generate_series(1, 1100) n`,
      [storeId, id, NOW],
    );
    await commerce.database.query(`UPDATE category SET name = 'Alas kaki' WHERE store_id = $1`, [storeId]);
    const sizes: number[] = [];
    const { database } = commerce.app;
    const counted = {
      ...database,
      tx: ((work) =>
        database.tx((tx) => {
          const query = async (text: string, values?: readonly unknown[]) => {
            sizes.push((values?.[1] as unknown[]).length);
            return tx.query(text, values);
          };
          return work({ ...tx, query } as typeof tx);
        })) as typeof database.tx,
    };
    await tellProducts(counted, commerce.clock)({ storeId, id }, new AbortController().signal);
    expect(sizes).toEqual([500, 500, 101]);
    const told = `SELECT 1 FROM product WHERE store_id = $1 AND search_text LIKE '%alas kaki%'`;
    expect(await commerce.database.query(told, [storeId])).toHaveLength(1_101);
  });

  it('form no circle and no tree deeper than three', async () => {
    const { ask } = await ownStore(commerce);
    const one = await add(ask, 'One');
    const two = await add(ask, 'Two', { parent_id: one.id });
    const three = await add(ask, 'Three', { parent_id: two.id });
    const deep = (field: string) =>
      invalid(field, `${field.replace(/\.(\d)/, '[$1]')} must not make a tree deeper than 3, or a circle`);
    expect(await ask('POST', '/category_product', { name: 'Four', parent_id: three.id })).toEqual(deep('parent_id'));
    const order = (...items: object[]) => ask('PUT', '/category_product/order', { items });
    expect(await order({ id: one.id, parent_id: three.id, position: 0 })).toEqual(deep('items.0.parent_id'));
    expect(await order({ id: one.id, parent_id: one.id, position: 0 })).toEqual(deep('items.0.parent_id'));
    // Two at once that are a circle only together
    const [left, right] = [await add(ask, 'Left'), await add(ask, 'Right')];
    const both = await Promise.all([
      order({ id: left.id, parent_id: right.id, position: 0 }),
      order({ id: right.id, parent_id: left.id, position: 0 }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(await tree(ask)).toMatch(/One 0\(Two 0\(Three 0\)\)/);
  });

  it('of another store are unknown here, also as a parent', async () => {
    const [mine, other] = [await ownStore(commerce), await ownStore(commerce)];
    const { id } = await add(other.ask, 'Theirs');
    const answers = await Promise.all([
      mine.ask('PUT', `/category_product/${id}`, { name: 'x' }),
      mine.ask('DELETE', `/category_product/${id}`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    const foreign = (name: string) => notHere(name, 'is not a category of this store');
    expect(await mine.ask('POST', '/category_product', { name: 'x', parent_id: id })).toEqual(foreign('parent_id'));
    expect((await mine.ask('PUT', '/category_product/order', { items: [{ id, position: 0 }] })).status).toBe(404);
    expect([await tree(mine.ask), await tree(other.ask)]).toEqual(['', 'Theirs 0']);
    expect((await mine.ask('DELETE', `/category_product/${uuidv7()}`)).status).toBe(404);
  });
});
