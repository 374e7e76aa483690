// Warehouses, what is in them and what moves between them, as a browser without script meets them.
import { useCommerce } from '../../../commerce.fixture';
import { signedIn } from '../../../web/browser.fixture';
import { orderShop, type OrderShop } from '../../sales/orders/orders.fixture';

const commerce = useCommerce();

interface Place {
  readonly id: string;
  readonly name: string;
  readonly is_default: boolean;
  readonly status: string;
}

const openShop = async (...stock: number[]) => {
  const shop = await orderShop(commerce, ...stock);
  const { browser } = await signedIn(commerce, 'warehouse', shop.storeId);
  /** The main one first. */
  const places = async () =>
    (await shop.ask<Place[]>('GET', '/warehouse')).body.data.toSorted(
      (one, other) => Number(other.is_default) - Number(one.is_default),
    );
  return { shop, browser, places };
};
const NEW = { action: 'create', name: 'Gudang Bandung', phone: '0812-3456-7890', 'address[line]': 'Jl. Dago 1' };
const heldIn = async ({ storeId }: OrderShop, warehouseId: string): Promise<number[]> => {
  const held = `SELECT s.on_hand FROM stock_level s JOIN variant v ON v.store_id = s.store_id AND v.id = s.variant_id
    WHERE s.store_id = $1 AND s.warehouse_id = $2 ORDER BY v.sku`;
  return (await commerce.database.query<{ on_hand: number }>(held, [storeId, warehouseId])).map(
    ({ on_hand }) => on_hand,
  );
};

it('a warehouse is made, changed, made the main one and closed', async () => {
  const { browser, places } = await openShop(5);
  await browser.get('/warehouses');
  const { status, text } = await browser.post('/warehouses', { ...NEW, name: '' });
  expect([status, text.includes('<a href="#create-name">')]).toEqual([422, true]);
  await browser.get('/warehouses');
  await browser.post('/warehouses', NEW);
  const id = (await places()).find(({ name }) => name === NEW.name)?.id ?? '';
  const post = async (fields: Readonly<Record<string, string>>) => {
    await browser.get(`/warehouses?id=${id}`);
    return browser.post('/warehouses', fields);
  };
  await post({ ...NEW, action: 'save', name: 'Gudang Timur' });
  expect((await places()).find((each) => each.id === id)?.name).toBe('Gudang Timur');
  await post({ action: 'close' });
  expect((await places()).find((each) => each.id === id)?.status).toBe('closed');
});

it('the main one, and one with goods in it, is not closed, and says why', async () => {
  const { browser, places } = await openShop(5);
  const [main] = await places();
  await browser.get('/warehouses');
  await browser.post('/warehouses', NEW);
  await browser.get('/warehouses');
  const refused = await browser.post('/warehouses', { action: 'close', id: main?.id ?? '' });
  expect([refused.status, /Jadikan gudang lain yang utama dulu|Masih ada stok/.test(refused.text)]).toEqual([
    409,
    true,
  ]);
});

it('a count changes what was typed, once for a click, and nothing else', async () => {
  const { shop, browser, places } = await openShop(5, 7, 9);
  const [main] = await places();
  const path = `/warehouses/${main?.id}/stock`;
  const { text } = await browser.get(path);
  const order = [...text.matchAll(/name="lines\[\d+\]\[variant_id\]" value="([^"]*)"/g)].map(([, id = '']) => id);
  const at = order.indexOf(shop.variants[1] ?? '');
  const sheet = Object.fromEntries(order.map((id, row) => [`lines[${row}][variant_id]`, id]));
  const fields = { ...browser.hidden(path), ...sheet, [`lines[${at}][counted]`]: '4', note: 'Opname' };
  await Promise.all([1, 2, 3].map(() => browser.send(path, fields)));
  expect(await heldIn(shop, main?.id ?? '')).toEqual([5, 4, 9]);
  const moved = `SELECT 1 FROM stock_movement WHERE store_id = $1 AND note = 'Opname'`;
  expect(await commerce.database.query(moved, [shop.storeId])).toHaveLength(1);
  await browser.get(path);
  const wrong = await browser.post(path, { ...sheet, 'lines[2][counted]': 'banyak' });
  expect([
    wrong.status,
    /id="lines-0-counted"[^>]*value="banyak"|value="banyak"[^>]*id="lines-0-counted"/.test(wrong.text),
  ]).toEqual([...[422, true]]);
});

/** A shop with two warehouses, and what sends goods from the main one to the other. */
const twoPlaces = async () => {
  const { shop, browser, places } = await openShop(5);
  await browser.get('/warehouses');
  await browser.post('/warehouses', NEW);
  const [from_id = '', to_id = ''] = (await places()).map(({ id }) => id);
  const send = (qty: string) => ({
    ...{ action: 'create', from_id, to_id, 'lines[0][variant_id]': shop.variants[0] ?? '', 'lines[0][qty]': qty },
  });
  const held = async () => [await heldIn(shop, from_id), await heldIn(shop, to_id)];
  return { shop, browser, send, held };
};

it('goods are sent to another warehouse and taken in there, once for a click', async () => {
  const { shop, browser, send, held } = await twoPlaces();
  await browser.get('/transfers');
  const fields = { ...browser.hidden('/transfers'), ...send('2') };
  await Promise.all([1, 2, 3].map(() => browser.send('/transfers', fields)));
  expect((await held())[0]).toEqual([3]);
  const { text } = await browser.get('/transfers');
  const [, id = ''] = /href="\/transfers\?id=([^"]*)"/.exec(text) ?? [];
  await browser.get(`/transfers?id=${id}`);
  const came = { action: 'receive', 'lines[0][variant_id]': shop.variants[0] ?? '', 'lines[0][received]': '1' };
  await browser.post('/transfers', came);
  expect(await held()).toEqual([[3], [1]]);
});

it('more than there is is not sent, and says so', async () => {
  const { browser, send, held } = await twoPlaces();
  await browser.get('/transfers');
  const refused = await browser.post('/transfers', send('50'));
  expect([refused.status, refused.text.includes('Stok di gudang asal tidak cukup')]).toEqual([409, true]);
  expect((await held())[0]).toEqual([5]);
});

it('what is of another store is not there', async () => {
  const [mine, theirs] = [await openShop(5), await openShop(5)];
  const [place] = await theirs.places();
  await mine.browser.get('/warehouses');
  const answers = [
    await mine.browser.get(`/warehouses?id=${place?.id}`),
    await mine.browser.get(`/warehouses/${place?.id}/stock`),
  ];
  await mine.browser.get('/warehouses');
  answers.push(await mine.browser.post('/warehouses', { ...NEW, action: 'save', id: place?.id ?? '' }));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
});

it('a parcel is found with its way, and only by who sees its order', async () => {
  const { shop, browser } = await openShop(5);
  const order = await shop.place({ ...shop.cart(2), address: { line: 'Jl. Dago 1' } });
  await shop.pay(order.id);
  await shop.ask('POST', '/order/change_status', { order_id: order.id, status: 'processing' });
  await shop.ask('POST', `/order/${order.id}/waybill`, { courier: 'jne', waybill: 'JNE00012345' });
  const { text } = await browser.get('/shipments?status=in_transit');
  const [, path = ''] = /href="(\/shipments\/[^"]*)">JNE00012345/.exec(text) ?? [];
  const one = await browser.get(path);
  expect([one.status, one.text.includes('Hat 0'), one.text.includes(order.number)]).toEqual([200, true, true]);
  const stranger = await signedIn(commerce);
  expect((await stranger.browser.get(path)).status).toBe(404);
});
