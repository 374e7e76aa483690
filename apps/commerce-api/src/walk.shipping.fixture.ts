import { until } from '@platform/testing';
import { startRajaOngkirSandbox } from '@platform/testing/shipping';
import { jobQueue } from './jobs';
import { NOBODY, type Made, type Story } from './walk.fixture';

const KEY = 'a key of the provider';
const WAYBILL = { courier: 'jne', waybill: 'JP1234567890' };
const MANIFEST = [
  { code: '1', text: 'Paket diterima di counter', at: '2026-03-01T16:10' },
  { code: '2', text: 'Paket berangkat ke kota tujuan', at: '2026-03-01T17:25' },
];

/** A provider of courier prices that knows where the parcel of the story is. */
export const startCouriers = async () => {
  const sandbox = await startRajaOngkirSandbox({ port: 0, keys: [KEY] });
  sandbox.desk.waybills.set(WAYBILL.waybill, { ...WAYBILL, delivered: false, receiver: '', manifest: MANIFEST });
  return {
    desk: sandbox.desk,
    settings: { SHIP_A_BASE_URL: sandbox.url, SHIP_A_KEY: KEY },
    stop: () => sandbox.close(),
  };
};
type Couriers = Awaited<ReturnType<typeof startCouriers>>;

interface Named extends Made {
  readonly name: string;
}

const named = (rows: readonly Named[], wanted: string): string => rows.find(({ name }) => name === wanted)?.id ?? '';

/** Where parcels can go. Returns the id of a place by its names. */
const places = async ({ tell, ask }: Story): Promise<(q: string) => Promise<string>> => {
  const province_id = named(await tell<Named[]>('GET /api/ship_a/province'), 'Jawa Barat');
  const city_id = named(await tell<Named[]>('GET /api/ship_a/city', { province_id }), 'Bandung');
  await tell('GET /api/ship_a/district', { city_id });
  await tell('GET /api/ship_a/search', { q: 'coblong', limit: 3 });
  return async (q) => (await ask<Made[]>('GET /api/ship_a/search', { q }))[0]?.id ?? '';
};

interface Parcel extends Made {
  readonly order_id: string;
  readonly waybill: string | null;
}

interface Tracked {
  readonly events: readonly { readonly text: string }[];
}

/** What nobody knows, and a provider that is slow or broken. */
const withoutCouriers = async ({ refuse }: Story, { desk }: Couriers): Promise<void> => {
  const prices = { origin: '50001', destination: '50005', weight_g: 3_400, couriers: ['jne'] };
  await refuse(404, 'POST /api/ship_a/waybill', { courier: 'jne', waybill: 'JP0000000000' });
  await refuse(422, 'POST /api/ship_a/waybill', { waybill: 'JP0000000000' });
  await refuse(404, 'GET /api/order/{id}/tracking', undefined, NOBODY);
  await refuse(422, 'PUT /api/shipping/couriers', { couriers: [{ code: 'jne' }, { code: 'jne' }] });
  desk.fault = 'hang';
  await refuse(504, 'POST /api/ship_a/cost', prices);
  desk.fault = 'error';
  await refuse(502, 'POST /api/ship_a/cost', prices);
  await refuse(502, 'POST /api/ship_a/waybill', { courier: 'tiki', waybill: 'TK0000000000' });
  await refuse(502, 'GET /api/ship_a/city', { province_id: '2' });
  await refuse(502, 'GET /api/ship_a/district', { city_id: '102' });
  await refuse(502, 'GET /api/ship_a/search', { q: 'sukajadi' });
  desk.fault = 'none';
};

/** The shop sends by couriers, and sees where its parcel is. */
export const sendByCouriers = async (story: Story, couriers: Couriers): Promise<void> => {
  const { commerce, tell, ask } = story;
  const placeOf = await places(story);
  const [origin, destination] = [await placeOf('Coblong, Bandung'), await placeOf('Menteng, Jakarta')];
  await tell('PUT /api/shipping/couriers', {
    couriers: [{ code: 'jne', services: ['REG'], markup: { percent_bp: 500, fixed: 1_000 } }, { code: 'tiki' }],
    free_shipping: { min_subtotal: 500_000, max_cost: 40_000 },
  });
  await tell('GET /api/shipping/couriers');
  await tell('POST /api/ship_a/cost', { origin, destination, weight_g: 1_200, couriers: ['jne', 'tiki'] });
  await tell('POST /api/ship_a/waybill', WAYBILL);
  const parcels = await ask<Parcel[]>('GET /api/shipping/shipments');
  const { id = '', order_id = '' } = parcels.find(({ waybill }) => waybill === WAYBILL.waybill) ?? {};
  await commerce.database.tx((tx) => jobQueue().enqueue(tx, 'shipment.track', { storeId: 'S1', id }));
  const [told] = MANIFEST.map(({ text }) => text);
  const lines = async () =>
    (await ask<Tracked[]>('GET /api/order/{id}/tracking', undefined, order_id)).flatMap(({ events }) => events);
  await until(async () => (await lines()).some(({ text }) => text === told));
  await tell('GET /api/order/{id}/tracking', undefined, order_id);
  await withoutCouriers(story, couriers);
};
