import { bearer, useCommerce } from '../../../commerce.fixture';
import { refused } from '../../../asked.fixture';
import { byPoppler, textOf } from '@platform/testing/pdf';
import type { Shipment } from '../parcels/public';
import { shippingShop, type ShippingShop } from '../shipments/shipments.fixture';
import { labelOf } from './label.sql';

const commerce = useCommerce();
const address = { line: 'Jl. Dago 1', district: 'Coblong', city: 'Bandung', province: 'Jawa Barat', postcode: '40135' };

const printed = async (shop: ShippingShop, id: string) => {
  const headers = bearer(commerce.storeAuth.userToken({ store_id: shop.storeId }));
  const answer = await fetch(`${commerce.url}/api/shipping/shipments/${id}/label`, { headers });
  return { answer, pdf: Buffer.from(await answer.arrayBuffer()) };
};
const packed = async (shop: ShippingShop, quantities: readonly number[], more: object = {}): Promise<Shipment> =>
  (await shop.ship(await shop.order(quantities, more), quantities)).body.data;

describe('the label of a shipment', () => {
  it('is a PDF that opens, with buyer, sender, waybill, goods and what the bearer collects', async () => {
    const shop = await shippingShop(commerce, 9, 9);
    const order = await shop.order([2, 1], { address, payment_method: 'cod', shipping: { kind: 'pickup' } });
    const body = { courier: 'JNE', service: 'REG', waybill: 'JP/12345678' };
    const { id } = (await shop.ask<Shipment>('POST', `/order/${order.id}/waybill`, body)).body.data;
    const { answer, pdf } = await printed(shop, id);
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
      ...[200, 'application/pdf', 'inline; filename="JP-12345678.pdf"'],
    ]);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    for (const text of [(await textOf(pdf)).join('\f'), ...byPoppler(pdf)]) {
      for (const told of [
        'JNE REG',
        'JP/12345678',
        'Budi',
        '+6281234567890',
        'Jl. Dago 1',
        'Coblong, Bandung',
        '40135',
      ])
        expect(text).toContain(told);
      for (const told of [order.number, 'Rp 30.000', '3000 g', '2 x Hat 0 (HAT-0)', '1 x Hat 1 (HAT-1)', 'Toko Nusa'])
        expect(text).toContain(told);
    }
    expect(await textOf(pdf)).toHaveLength(1);
  });

  it('has the number of the order for a barcode while there is no waybill, in the language of the store', async () => {
    const shop = await shippingShop(commerce, 9);
    await shop.ask('PUT', '/settings/general', { version: 0, locale: 'en' });
    const shipment = await packed(shop, [1]);
    const { number } = (await shop.ask<{ number: string }>('GET', `/order/${shipment.order_id}`)).body.data;
    const { answer, pdf } = await printed(shop, shipment.id);
    expect(answer.headers.get('content-disposition')).toBe(`inline; filename="${number}.pdf"`);
    const [text = ''] = await textOf(pdf);
    expect([text.includes(`Order ${number}`), text.includes('COD')]).toEqual([true, false]);
  });

  it('is to whoever gets it, where the address names somebody else than who buys', async () => {
    const shop = await shippingShop(commerce, 9);
    const shipment = await packed(shop, [1], { address: { ...address, name: 'Ani', phone: '6289876543210' } });
    const [text = ''] = await textOf((await printed(shop, shipment.id)).pdf);
    expect(text).toContain('Ani  +6289876543210');
    expect(text).not.toContain('Budi');
  });

  it('of each parcel of a COD order collects its own part: all of them together what the order costs', async () => {
    const shop = await shippingShop(commerce, 9, 9);
    await shop.ask('PUT', '/settings/invoice', { version: 0, tax: { mode: 'added' } });
    await shop.ask('POST', '/coupon', { code: 'ODD', kind: 'fixed', value: 1_001 });
    const method = { kind: 'cod', name: 'Kurir toko', cost: 5_000 };
    const { id: method_id } = (await shop.ask<{ id: string }>('POST', '/shipping/methods', method)).body.data;
    const asked = { address, payment_method: 'cod', shipping: { method_id }, coupon: 'ODD' };
    const order = await shop.order([3, 1], asked);
    const collected = async ({ id }: Shipment): Promise<number> => {
      const [page = ''] = await textOf((await printed(shop, id)).pdf);
      return Number(/Bayar di tempat \(COD\): Rp ([\d.]+)/.exec(page)?.[1]?.replaceAll('.', '') ?? 0);
    };
    const parts = [[1], [1, 1], [1]];
    const parcels: Shipment[] = [];
    for (const part of parts) parcels.push((await shop.ship(order, part)).body.data);
    const amounts = await Promise.all(parcels.map(collected));
    expect([order.total, amounts]).toEqual([48_289, [15_822, 21_645, 10_822]]);
    await shop.pay(order.id, { amount: 16_000, method: 'cod' });
    expect(await Promise.all(parcels.map(collected))).toEqual([0, 21_467, 10_822]);
    await shop.ask('POST', `/shipping/shipments/${parcels[1]?.id}/cancel`);
    const again = (await shop.ship(order, [1, 1])).body.data;
    const left = await Promise.all([parcels[0], parcels[2], again].map((parcel) => collected(parcel as Shipment)));
    expect(left.reduce((sum, amount) => sum + amount)).toBe(order.total - 16_000);
  });

  it('of what is packed anew collects what parcels that have left do not: their labels stay as they were', async () => {
    const shop = await shippingShop(commerce, 9, 9, 9);
    const method = { kind: 'cod', name: 'Kurir toko', cost: 5_000 };
    const { id: method_id } = (await shop.ask<{ id: string }>('POST', '/shipping/methods', method)).body.data;
    const order = await shop.order([1, 1, 1], { address, payment_method: 'cod', shipping: { method_id } });
    const parcel = async (quantities: readonly number[], more: object = {}) =>
      (await shop.ship(order, quantities, more)).body.data;
    const collected = async ({ id }: Shipment) => (await labelOf(commerce.database, shop.storeId, id)).collect;
    const first = await parcel([1, 0, 0]);
    const away = await parcel([0, 1, 0], { courier: 'jne', waybill: 'JNE0000101' });
    expect([await collected(first), await collected(away)]).toEqual([15_000, 10_000]);
    await shop.ask('POST', `/shipping/shipments/${first.id}/cancel`);
    const next = await parcel([0, 0, 1]);
    expect([await collected(away), await collected(next)]).toEqual([10_000, 15_000]);
    await shop.ask('POST', `/order/${order.id}/waybill`, { courier: 'jne', waybill: 'JNE0000102' });
    const again = await parcel([1, 0, 0]);
    const amounts = await Promise.all([away, next, again].map(collected));
    expect([amounts, order.total]).toEqual([[10_000, 15_000, 10_000], 35_000]);
  });

  it('stays one page with what is collected, whatever its texts are', async () => {
    const shop = await shippingShop(commerce, 9);
    const long = (most: number): string => 'WMQ '.repeat(100).slice(0, most - 1);
    const wide = { line: long(300), district: long(100), city: long(100), province: long(100), note: long(200) };
    await commerce.database.query('UPDATE store SET name = $2, phone = $3, address = $4 WHERE store_id = $1', [
      ...[shop.storeId, long(80), '6281111111111', JSON.stringify(wide)],
    ]);
    const method = { kind: 'cod', name: long(80), cost: 5_000 };
    const { id: method_id } = (await shop.ask<{ id: string }>('POST', '/shipping/methods', method)).body.data;
    const contact = { name: long(200), phone: '6281234567890' };
    const shipment = await packed(shop, [1], {
      ...{ contact, address: wide, payment_method: 'cod', shipping: { method_id } },
    });
    const body = { courier: long(20), service: long(60), waybill: 'JP12345678'.repeat(4) };
    await shop.ask('POST', `/order/${shipment.order_id}/waybill`, body);
    const pages = await textOf((await printed(shop, shipment.id)).pdf);
    expect(pages).toHaveLength(1);
    for (const told of ['Rp 15.000', '+6281234567890', body.waybill]) expect(pages[0]).toContain(told);
  });

  it('stays one page with hostile names, long addresses and a hundred kinds of goods', async () => {
    const shop = await shippingShop(commerce, ...Array.from({ length: 60 }, () => 9));
    const long = 'صنعاء 🎉 '.repeat(30).slice(0, 190);
    const contact = { name: long, phone: '6281234567890' };
    const far = { ...address, line: long, note: long, city: 'x'.repeat(100) };
    const shipment = await packed(
      shop,
      Array.from({ length: 60 }, () => 1),
      { contact, address: far },
    );
    const { answer, pdf } = await printed(shop, shipment.id);
    expect(answer.status).toBe(200);
    const pages = await textOf(pdf);
    expect(pages).toHaveLength(1);
    expect(pages[0]).toMatch(/\+ \d+ lainnya/);
  });

  it('is of goods that are sent only, and of no other store', async () => {
    const [shop, theirs] = [await shippingShop(commerce, 9), await shippingShop(commerce, 9)];
    const { id } = await packed(shop, [1]);
    await shop.ask('POST', `/shipping/shipments/${id}/cancel`);
    expect(await shop.ask('GET', `/shipping/shipments/${id}/label`)).toEqual(
      refused(409, 'no_label', 'Nothing is sent with this shipment'),
    );
    expect(await theirs.ask('GET', `/shipping/shipments/${id}/label`)).toEqual(
      refused(404, 'not_found', 'Shipment not found'),
    );
  });
});
