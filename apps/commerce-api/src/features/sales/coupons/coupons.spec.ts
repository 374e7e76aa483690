import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain } from '@platform/testing';
import { invalid, notHere, ownStore, refused, succeeded, type OwnStore } from '../../../asked.fixture';
import { NOW, useCommerce } from '../../../commerce.fixture';
import { COUPONS_OF_CART } from './coupon-check';
import { couponListing, usageListing } from './coupons.sql';
import type { Coupon } from './coupons.dto';
import { COUNT_OF_PHONE, giveBack, hold } from './redemptions';

const commerce = useCommerce();
const code = { code: 'sale', kind: 'percent', value: 10 };
const view = (more: object = {}) => ({
  ...{
    id: expect.any(String) as string,
    code: 'SALE',
    auto: false,
    kind: 'percent',
    value: 10,
    buy_qty: 0,
    get_qty: 0,
  },
  ...{ max_discount: null, min_subtotal: 0, starts_at: null, ends_at: null, usage_limit: null, used_count: 0 },
  ...{ per_contact_limit: null, scope: { product_ids: [], category_ids: [] }, status: 'active' },
  ...more,
});
const NO_LIMITS = { max_discount: null, starts_at: null, ends_at: null, usage_limit: null, per_contact_limit: null };
const create = async ({ ask }: OwnStore, more: object = {}): Promise<string> =>
  (await ask<Coupon>('POST', '/coupon', { ...code, ...more })).body.data.id;

describe('a coupon', () => {
  it('loses a limit that is changed to null, and keeps one that is left out', async () => {
    const store = await ownStore(commerce);
    const [starts_at, ends_at] = ['2026-03-01T08:00:00.000Z', '2026-03-02T08:00:00.000Z'];
    const limits = { max_discount: 500, starts_at, ends_at, usage_limit: 3, per_contact_limit: 1 };
    const id = await create(store, limits);
    const kept = await store.ask('PUT', `/coupon/${id}`, { value: 20 });
    expect(kept).toEqual(succeeded(200, 'Coupon updated', view({ id, value: 20, ...limits })));
    const freed = await store.ask('PUT', `/coupon/${id}`, NO_LIMITS);
    expect(freed).toEqual(succeeded(200, 'Coupon updated', view({ id, value: 20 })));
    const made = await store.ask('POST', '/coupon', { ...code, code: 'bebas', ...NO_LIMITS });
    expect(made).toEqual(succeeded(201, 'Coupon created', view({ code: 'BEBAS' })));
  });

  it('is created in upper case, shown, changed, listed and archived, and every write is in the audit log', async () => {
    const { ask, storeId } = await ownStore(commerce, [{ sku: 'HAT' }]);
    const [hat] = (await ask<{ id: string }[]>('GET', '/products')).body.data;
    const created = await ask<Coupon>('POST', '/coupon', code);
    const { id } = created.body.data;
    expect(created).toEqual(succeeded(201, 'Coupon created', view()));
    expect(await ask('GET', `/coupon/${id}`)).toEqual(succeeded(200, 'OK', view({ id })));
    const scope = { product_ids: [hat?.id ?? ''], category_ids: [] };
    expect(await ask('PUT', `/coupon/${id}`, { value: 20, scope })).toEqual(
      succeeded(200, 'Coupon updated', view({ id, value: 20, scope })),
    );
    expect((await ask('GET', '/coupon?q=al')).body.data).toEqual([view({ id, value: 20, scope })]);
    expect(await ask('DELETE', `/coupon/${id}`)).toEqual(succeeded(200, 'Coupon archived', null));
    expect(await ask('DELETE', `/coupon/${id}`)).toEqual(succeeded(200, 'Coupon archived', null));
    expect((await ask('GET', '/coupon')).body.data).toEqual([]);
    expect((await ask('GET', '/coupon?status=archived')).body.data).toHaveLength(1);
    expect(await ask('PUT', `/coupon/${id}`, { value: 5 })).toEqual(refused(404, 'not_found', 'Coupon not found'));
    const entries = await commerce.database.query<{ action: string; diff: Record<string, object> }>(
      'SELECT action, diff FROM audit_log WHERE tenant_id = $1 ORDER BY id',
      [storeId],
    );
    expect(entries.map(({ action, diff }) => [action, diff.status ?? diff.value])).toEqual([
      ['coupon.write', { to: 'active' }],
      ['coupon.write', { from: 10, to: 20 }],
      ['coupon.write', { from: 'active', to: 'archived' }],
    ]);
  });

  it('of another store is not found, and the same code may be theirs too', async () => {
    const [mine, theirs] = [await ownStore(commerce), await ownStore(commerce)];
    const id = await create(mine);
    await create(theirs);
    for (const [method, path, body] of [
      ['GET', `/coupon/${id}`],
      ['PUT', `/coupon/${id}`, { value: 1 }],
      ['DELETE', `/coupon/${id}`],
      ['GET', `/coupon/${id}/usages`],
    ] as const)
      expect(await theirs.ask(method, path, body)).toEqual(refused(404, 'not_found', 'Coupon not found'));
  });

  it('with a taken code is refused, also when ten come at once', async () => {
    const { ask } = await ownStore(commerce);
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask('POST', '/coupon', code)));
    const others = answers.filter(({ status }) => status !== 201);
    expect(others).toEqual(Array(9).fill(refused(409, 'code_taken', 'The code is taken')));
  });

  it.each([
    [{ value: 0 }, 'value', 'value must be from 1 to 100'],
    [{ value: 101 }, 'value', 'value must be from 1 to 100'],
    [{ kind: 'fixed', value: undefined }, 'value', 'value is required'],
    [{ kind: 'buy_get', get_qty: 1 }, 'buy_qty', 'buy_qty is a required field'],
    [{ starts_at: '2026-03-02', ends_at: '2026-03-01' }, 'ends_at', 'ends_at must be after starts_at'],
    [{ scope: { product_ids: ['x'] } }, 'scope.product_ids.0', 'scope.product_ids[0] must be a valid UUID'],
    [{ code: 'a b' }, 'code', 'code must be 3 to 32 letters, digits, hyphens or underscores'],
  ])('with %j is refused', async (more, field, message) => {
    const { ask } = await ownStore(commerce);
    expect(await ask('POST', '/coupon', { ...code, ...more })).toEqual(invalid(field, message));
  });

  it("begins and ends on the store's clocks, its last day included, unless an offset says otherwise", async () => {
    const { ask } = await ownStore(commerce);
    const windows = async (path: string, method: string, body: object) => {
      const { starts_at, ends_at } = (await ask<Coupon>(method, path, body)).body.data;
      return [starts_at, ends_at];
    };
    const days = { ...code, starts_at: '2026-03-01', ends_at: '2026-03-31' };
    expect(await windows('/coupon', 'POST', days)).toEqual(['2026-02-28T17:00:00.000Z', '2026-03-31T17:00:00.000Z']);
    const times = { ...code, code: 'TIMES', starts_at: '2026-03-01T08:30', ends_at: '2026-03-01T08:30:00Z' };
    expect(await windows('/coupon', 'POST', times)).toEqual(['2026-03-01T01:30:00.000Z', '2026-03-01T08:30:00.000Z']);
  });
});

describe('a test of a coupon', () => {
  const shop = async (more: object = {}) => {
    const store = await ownStore(commerce, [{ sku: 'HAT', price: 10_000, stock: 5 }]);
    const [row] = await commerce.database.query<{ id: string }>('SELECT id FROM variant WHERE store_id = $1', [
      store.storeId,
    ]);
    const id = await create(store, more);
    const items = [{ variant_id: row?.id.toUpperCase(), qty: 3 }];
    const test = async (asked = 'Sale', phone?: string) =>
      (await store.ask('POST', '/coupon/validate', { code: asked, items, contact_phone: phone })).body.data;
    return { ...store, id, items, test };
  };
  const no = (reason: string) => ({ valid: false, discount: 0, reason });

  it('tells what it takes off, whatever the case of its letters', async () =>
    expect(await (await shop()).test()).toEqual({ valid: true, discount: 3_000, reason: null }));

  it.each([
    ['paused', { status: 'paused' }],
    ['not_started', { starts_at: '2026-03-01T08:00:01Z' }],
    ['ended', { ends_at: NOW }],
    ['min_subtotal', { min_subtotal: 30_001 }],
  ])('tells when it is %s', async (reason, more) => expect(await (await shop(more)).test()).toEqual(no(reason)));

  it('tells when it counts for other goods', async () => {
    const { ask, id, test } = await shop();
    const other = await ask<{ id: string }>('POST', '/products', { name: 'Kaos', price: 1, weight_g: 1 });
    await ask('PUT', `/coupon/${id}`, { scope: { product_ids: [other.body.data.id] } });
    expect(await test()).toEqual(no('scope'));
  });

  it('does not know one that is archived, of another store or misspelt', async () => {
    const { ask, id, test } = await shop();
    const other = await shop({ code: 'THEIRS' });
    expect([await test('SALES'), await test('THEIRS')]).toEqual([no('unknown'), no('unknown')]);
    await ask('DELETE', `/coupon/${id}`);
    expect(await test()).toEqual(no('unknown'));
    expect(await other.test('theirs')).toMatchObject({ valid: true });
  });

  it('tells when it is used up, and when this phone has used it', async () => {
    const { id, storeId, test } = await shop({ usage_limit: 2, per_contact_limit: 1 });
    await use(storeId, id, '62811110000');
    expect([await test('SALE', '+62 811-1100-00'), await test('SALE', '0812220000')]).toEqual([
      no('contact_limit'),
      { valid: true, discount: 3_000, reason: null },
    ]);
    await use(storeId, id, '62812220000');
    expect(await test()).toEqual(no('usage_limit'));
  });

  it('refuses what is not on sale here, and more than money can be', async () => {
    const [{ ask, items }, theirs] = [await shop(), await shop()];
    const asked = (items: readonly object[]) => ask('POST', '/coupon/validate', { code: 'SALE', items });
    expect(await asked([...items, ...theirs.items])).toEqual(
      notHere('items[1].variant_id', 'is not on sale in this store'),
    );
    await commerce.database.query('UPDATE variant SET price = 1000000000000 WHERE id = $1', [items[0]?.variant_id]);
    expect(await asked(items)).toEqual(invalid('items', 'items must cost 1000000000000 or less together'));
  });
});

const by = (storeId: string) => ({ storeId, actor: 'u1', at: new Date(NOW) });
const use = (storeId: string, couponId: string, phone: string, orderId = uuidv7()) =>
  commerce.database.tx((tx) => hold(tx, by(storeId), { orderId, couponId, phone, amount: 5 }));
const outcomes = async (uses: readonly Promise<void>[]) => {
  const settled = await Promise.allSettled(uses);
  return settled.map((one) =>
    one.status === 'fulfilled' ? 'held' : (one.reason as { details: { reason: string } }).details.reason,
  );
};
const usedCount = async ({ ask }: OwnStore, id: string) =>
  (await ask<Coupon>('GET', `/coupon/${id}`)).body.data.used_count;

describe('a use of a coupon', () => {
  it('that is the last is held by one of twenty orders at once', async () => {
    const store = await ownStore(commerce);
    const id = await create(store, { usage_limit: 1 });
    const uses = Array.from({ length: 20 }, (_, at) => use(store.storeId, id, `6281${at}`));
    expect((await outcomes(uses)).sort()).toEqual(['held', ...Array<string>(19).fill('usage_limit')]);
    expect(await usedCount(store, id)).toBe(1);
  });

  it('counts by phone: of ten orders of one phone at once as many hold it as its limit says', async () => {
    const store = await ownStore(commerce);
    const id = await create(store, { per_contact_limit: 2 });
    const uses = Array.from({ length: 10 }, () => use(store.storeId, id, '62811110000'));
    const others = ['62812220000', '62813330000'].map((phone) => use(store.storeId, id, phone));
    expect((await outcomes([...uses, ...others])).sort()).toEqual([
      ...Array<string>(8).fill('contact_limit'),
      ...Array<string>(4).fill('held'),
    ]);
    expect(await usedCount(store, id)).toBe(4);
  });

  it('that is given back is free again, once, however often that is said', async () => {
    const store = await ownStore(commerce);
    const id = await create(store, { usage_limit: 1, per_contact_limit: 1 });
    const orderId = uuidv7();
    await use(store.storeId, id, '62811110000', orderId);
    const back = () => commerce.database.tx((tx) => giveBack(tx, by(store.storeId), orderId));
    await Promise.all([back(), back(), back()]);
    expect(await usedCount(store, id)).toBe(0);
    await use(store.storeId, id, '62811110000');
    expect(await usedCount(store, id)).toBe(1);
  });

  it.each([
    ['paused', { status: 'paused' }],
    ['not_started', { starts_at: '2026-03-02' }],
    ['ended', { ends_at: NOW }],
  ])('of a coupon that is %s is refused at the lock', async (reason, more) => {
    const store = await ownStore(commerce);
    expect(await outcomes([use(store.storeId, await create(store, more), '62811110000')])).toEqual([reason]);
  });

  it('keeps the limit from being set below it', async () => {
    const store = await ownStore(commerce);
    const id = await create(store, { usage_limit: 5 });
    await use(store.storeId, id, '62811110000');
    await use(store.storeId, id, '62812220000');
    expect(await store.ask('PUT', `/coupon/${id}`, { usage_limit: 1 })).toEqual(
      invalid('usage_limit', 'usage_limit must be 2 or greater: so often it was used'),
    );
  });
});

it('lists of coupons, and what a cart asks of them, are served by indexes', async () => {
  const store = uuidv7();
  for (const { text, values } of [
    ...Object.values(couponListing.statements(store, {})),
    ...Object.values(usageListing.statements(store, { coupon_id: uuidv7(), seen: undefined })),
    { text: COUPONS_OF_CART, values: [store, 'SALE'] },
    { text: COUNT_OF_PHONE, values: [store, uuidv7(), '62811110000', uuidv7()] },
  ])
    expectNoSeqScan(await explain(commerce.database, text, values), 'coupon', 'coupon_redemption', 'sales_order');
});
