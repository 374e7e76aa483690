import { NotFound } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { CommerceRefusal, type CommerceClient } from './commerce.client';

/** A store in Coblong, Bandung, that sends by couriers alone, at the prices of the sandbox. */
export interface CourierSubject {
  readonly client: CommerceClient;
  readonly storeId: string;
  /** One piece of it counts as a kg. */
  readonly product: { readonly sku: string; readonly price: number };
  /** The courier JNE takes over a parcel. */
  script(waybill: string): Promise<void>;
}

const text = expect.any(String) as string;
const OFFERED = [
  { courier: 'pos', service: 'Pos Reguler', price: 24_000, estimate: '4-5' },
  { courier: 'jne', service: 'REG', price: 27_000, estimate: '3-4' },
  { courier: 'jne', service: 'YES', price: 51_000, estimate: '2-3' },
];
const refusalOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'it answered',
    (thrown: unknown) => (thrown instanceof CommerceRefusal ? [thrown.code, thrown.details] : thrown),
  );

/** What couriers take and where parcels are: what this service relies on at commerce-api. */
export const courierContract = (subjectOf: () => CourierSubject): void => {
  it('commerce-api finds places by their names, and tells what couriers take to one that it found or that is named', async () => {
    const { client, storeId, product } = subjectOf();
    const [place, ...others] = await client.destinations(storeId, 'Menteng, Jakarta');
    expect([place, others]).toEqual([
      { id: text, label: expect.stringContaining('Menteng, Jakarta Pusat, DKI Jakarta') as string },
      [],
    ]);
    const items = [{ sku: product.sku, quantity: 1 }];
    const named = { id: null, label: 'Menteng, Jakarta Pusat' };
    for (const to of [place ?? named, named]) expect(await client.rates(storeId, items, to)).toEqual(OFFERED);
    expect((await client.destinations(storeId, 'Jakarta')).map(({ label }) => label)).toEqual([
      expect.stringContaining('Menteng'),
      expect.stringContaining('Tebet'),
    ]);
    expect(await client.destinations(storeId, 'Atlantis')).toEqual([]);
  });

  it('commerce-api tells where a parcel is, knows no other, and asks for the courier of one that is not of the store', async () => {
    const { client, storeId, script } = subjectOf();
    const waybill = `BOT-${uuidv7().slice(-12).toUpperCase()}`;
    await script(waybill);
    expect(await client.waybill(storeId, waybill, 'jne')).toEqual({
      ...{ waybill, courier: 'jne', status: 'ON PROCESS' },
      history: [{ at: '2026-03-01T01:00:00.000Z', text: 'Manifested' }],
    });
    await expect(client.waybill(storeId, 'BOT-NOBODY', 'jne')).rejects.toBeInstanceOf(NotFound);
    const message = 'courier is needed for a waybill that is none of the store';
    expect(await refusalOf(client.waybill(storeId, 'BOT-NOBODY'))).toEqual([
      ...['validation', { errors: { courier: [message] } }],
    ]);
  });
};

/** The same for what is ordered. */
export const courierOrderContract = (subjectOf: () => CourierSubject): void => {
  it('commerce-api sends an order by the courier that the rates have named, and says which places may be meant', async () => {
    const { client, storeId, product } = subjectOf();
    const ordered = (destination: string, courier?: string) =>
      client.dryRun({
        ...{ idStore: storeId, idUser: '6281234567890', items: [{ sku: product.sku, quantity: 1 }] },
        customer: { name: 'Budi', address: 'Jl. Cikini 1', destination },
        ...(courier !== undefined && { courier }),
      });
    const [place] = await client.destinations(storeId, 'Menteng, Jakarta');
    for (const [courier, price] of [
      [undefined, 24_000],
      ['jne', 27_000],
      ['jne YES', 51_000],
    ] as const)
      expect(await ordered(place?.label ?? '', courier)).toMatchObject({
        ...{ shipping: price, total: product.price + price },
      });
    const errors = { 'customer.destination': ['customer.destination is no place that this store sends to'] };
    const places = [expect.stringContaining('Menteng'), expect.stringContaining('Tebet')];
    expect(await refusalOf(ordered('Jakarta'))).toEqual(['validation', { errors, places }]);
  });
};
