import { distinctBy, placeAt, type Asked, type Desk, type Told } from './desk';
import { PLACES } from './places';
import { pricesOf } from './tariff';
import { trackingOf } from './waybills';

const told = (code: number, description: string, more: object = {}): Told => ({
  status: code,
  body: { rajaongkir: { status: { code, description }, ...more } },
});

const results = (rows: readonly unknown[]): Told => told(200, 'OK', { results: rows });

const provinces = (): Told =>
  results(
    distinctBy(PLACES.map(({ provinceId: id, province }) => ({ id, province }))).map(
      ({ id: province_id, province }) => ({
        ...{ province_id, province },
      }),
    ),
  );

const cities = (wanted: string | null): Told => {
  const rows = PLACES.filter(({ provinceId }) => wanted === null || provinceId === wanted);
  return results(
    distinctBy(rows.map((place) => ({ id: place.cityId, place }))).map(({ id, place }) => ({
      ...{ city_id: id, province_id: place.provinceId, province: place.province, type: 'Kota', city_name: place.city },
      postal_code: place.postcode,
    })),
  );
};

const subdistricts = (wanted: string | null): Told =>
  results(
    PLACES.filter(({ cityId }) => cityId === wanted).map((place) => ({
      ...{ subdistrict_id: place.districtId, province_id: place.provinceId, province: place.province },
      ...{ city_id: place.cityId, city: place.city, type: 'Kota', subdistrict_name: place.district },
    })),
  );

const cost = (form: URLSearchParams): Told => {
  const [from, to] = [placeAt('districtId', form.get('origin')), placeAt('districtId', form.get('destination'))];
  const weight = Number(form.get('weight'));
  const areSubdistricts = [form.get('originType'), form.get('destinationType')].every((type) => type === 'subdistrict');
  if (!from || !to || !areSubdistricts || !(weight > 0))
    return told(400, 'Bad request. Origin or destination is wrong.');
  const couriers = (form.get('courier') ?? '').split(':');
  return results(
    couriers.map((code) => {
      const prices = pricesOf(from, to, weight, [code]);
      const costs = prices.map(({ service, description, cost: value, days: etd }) => ({
        ...{ service, description },
        cost: [{ value, etd, note: '' }],
      }));
      return { code, name: prices[0]?.name ?? '', costs };
    }),
  );
};

const waybill = (desk: Desk, form: URLSearchParams): Told => {
  const known = desk.waybill(form.get('waybill'), form.get('courier'));
  if (!known) return told(400, 'Invalid waybill. Resi yang Anda masukkan salah atau belum terdaftar.');
  return told(200, 'OK', { result: trackingOf(known) });
};

/** How RajaOngkir was before; undefined for a path that is none of it. */
export const classic = (desk: Desk, { method, path, query, form, key }: Asked): Told | undefined => {
  const routes: Record<string, () => Told> = {
    'GET /province': provinces,
    'GET /city': () => cities(query.get('province')),
    'GET /subdistrict': () => subdistricts(query.get('city')),
    'POST /cost': () => cost(form),
    'POST /waybill': () => waybill(desk, form),
  };
  const route = routes[`${method} ${path}`];
  if (!route) return undefined;
  if (!desk.isKnown(key)) return told(400, 'Invalid key.');
  return desk.takes() ? route() : told(429, 'Daily limit exceeded.');
};
