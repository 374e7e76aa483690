import { expectNoSeqScan, explain } from '@platform/testing';
import { uuidv7 } from '@platform/runtime';
import { auditedIn, invalid, ownStore, refused, succeeded, type OwnStore } from '../../../asked.fixture';
import { useCommerce } from '../../../commerce.fixture';
import type { ShippingMethod } from './methods.dto';
import { ACTIVE_METHODS, methodListing } from './methods.sql';

const commerce = useCommerce();
const body = { kind: 'flat', name: 'Kurir toko', cost: 15_000, free_over: 300_000, areas: ['Bandung'] };
const view = { id: expect.any(String) as string, ...body, max_weight_g: null, active: true };
const create = async ({ ask }: OwnStore, more: object = {}): Promise<ShippingMethod> =>
  (await ask<ShippingMethod>('POST', '/shipping/methods', { ...body, ...more })).body.data;

describe('a shipping method', () => {
  it('is created, listed, changed and deleted, and the audit log tells', async () => {
    const store = await ownStore(commerce);
    const { ask, storeId } = store;
    const created = await ask<ShippingMethod>('POST', '/shipping/methods', body);
    expect(created).toEqual(succeeded(201, 'Shipping method created', view));
    const { id } = created.body.data;
    const pickup = { kind: 'pickup', name: 'Ambil di toko', active: false };
    const bare = { ...pickup, id, cost: 0, free_over: null, areas: [], max_weight_g: null };
    await create(store, { name: 'Antar' });
    expect(await ask('PUT', `/shipping/methods/${id}`, pickup)).toEqual(
      succeeded(200, 'Shipping method updated', bare),
    );
    const listed = async (query: string) =>
      (await ask<ShippingMethod[]>('GET', `/shipping/methods${query}`)).body.data.map(({ name }) => name);
    expect([await listed(''), await listed('?sort=-name'), await listed('?active=true')]).toEqual([
      ['Ambil di toko', 'Antar'],
      ['Antar', 'Ambil di toko'],
      ['Antar'],
    ]);
    expect(await ask('DELETE', `/shipping/methods/${id}`)).toEqual(succeeded(200, 'Shipping method deleted', null));
    expect(await listed('')).toEqual(['Antar']);
    const all = 'active, areas, cost, free_over, id, kind, max_weight_g, name';
    expect(await auditedIn(commerce, storeId)).toEqual([
      `shipping.write shipping_method: ${all}`,
      `shipping.write shipping_method: ${all}`,
      'shipping.write shipping_method: active, areas, cost, free_over, kind, name',
      `shipping.write shipping_method: ${all}`,
    ]);
  });

  it.each([
    ['that is fetched, with areas', { ...body, kind: 'pickup' }, 'areas', 'areas do not go with pickup: buyers come'],
    ['of another kind', { ...body, kind: 'drone' }, 'kind', 'kind must be one of [flat pickup cod]'],
    ['at less than nothing', { ...body, cost: -1 }, 'cost', 'cost must be 0 or greater'],
    ['with U+0000 in its name', { ...body, name: 'a\0b' }, 'name', "name cannot contain the following 'U+0000'"],
    ['for nothing at all', { ...body, max_weight_g: 0 }, 'max_weight_g', 'max_weight_g must be 1 or greater'],
  ])('%s is refused', async (_, wrong, field, message) => {
    const { ask } = await ownStore(commerce);
    expect(await ask('POST', '/shipping/methods', wrong)).toEqual(invalid(field, message));
  });

  it('of another store is not found', async () => {
    const [mine, theirs] = [await ownStore(commerce), await ownStore(commerce)];
    const { id } = await create(theirs);
    for (const [method, sent] of [['PUT', body], ['DELETE']] as const)
      expect(await mine.ask(method, `/shipping/methods/${id}`, sent)).toEqual(
        refused(404, 'not_found', 'Shipping method not found'),
      );
    expect((await mine.ask('GET', '/shipping/methods')).body.data).toEqual([]);
  });

  it('is one of fifty at most, however many are created at once', async () => {
    const store = await ownStore(commerce);
    await commerce.database.query(
      `INSERT INTO shipping_method (store_id, id, kind, name, cost, active, created_at, updated_at)
       SELECT $1, uuidv7(), 'flat', n::text, 0, true, now(), now() FROM generate_series(1, 48) AS n`,
      [store.storeId],
    );
    const answers = await Promise.all(Array.from({ length: 5 }, () => store.ask('POST', '/shipping/methods', body)));
    const refusals = answers.filter(({ status }) => status !== 201);
    expect(refusals).toEqual(
      Array(3).fill(refused(409, 'too_many_methods', 'A store has at most 50 shipping methods')),
    );
  });
});

it('shipping methods are listed by their index', async () => {
  const store = uuidv7();
  for (const { text, values } of [
    ...Object.values(methodListing.statements(store, {})),
    { text: ACTIVE_METHODS, values: [store] },
  ])
    expectNoSeqScan(await explain(commerce.database, text, values), 'shipping_method');
});
