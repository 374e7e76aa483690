import { ownStore, type Ask } from '../../../asked.fixture';
import { useCommerce } from '../../../commerce.fixture';

const commerce = useCommerce();

const low = async (ask: Ask): Promise<unknown[]> => {
  const [warehouse] = (await ask<{ id: string }[]>('GET', '/warehouse')).body.data;
  const inWarehouse = await ask<{ sku: string }[]>('GET', `/warehouse/${warehouse?.id}/stock?low=true`);
  const listed = await ask<{ sku: string }[]>('GET', '/products?view=variants&low_stock=true&sort=name');
  return [inWarehouse, listed].map(({ body }) => body.data.map(({ sku }) => sku));
};

it('a variant is running out at or below the threshold that its store has set, and at 5 by default', async () => {
  const products = [
    { sku: 'A', name: 'A', stock: 2 },
    { sku: 'B', name: 'B', stock: 5 },
    { sku: 'C', name: 'C', stock: 9 },
  ];
  const [one, other] = [await ownStore(commerce, products), await ownStore(commerce, products)];
  const usual = [
    ['A', 'B'],
    ['A', 'B'],
  ];
  expect(await low(one.ask)).toEqual(usual);
  expect((await one.ask('PUT', '/settings/stock', { version: 0, low_threshold: 2 })).status).toBe(200);
  expect([await low(one.ask), await low(other.ask)]).toEqual([[['A'], ['A']], usual]);
  expect((await one.ask('PUT', '/settings/stock', { version: 1, low_threshold: 9 })).status).toBe(200);
  expect(await low(one.ask)).toEqual([
    ['A', 'B', 'C'],
    ['A', 'B', 'C'],
  ]);
});
