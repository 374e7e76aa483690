import { distinctBy, placeAt, type Asked, type Desk, type Told } from './desk';
import { found, labelOf, PLACES } from './places';
import { pricesOf } from './tariff';
import { trackingOf } from './waybills';

const ROOT = '/api/v1';

const told = (status: number, message: string, data: unknown = null): Told => ({
  status,
  body: { meta: { message, code: status, status: status === 200 ? 'success' : 'error' }, data },
});

const good = (data: unknown): Told => told(200, 'Success', data);

const areas = (level: string, parent: string): Told | undefined => {
  const under = (id: 'provinceId' | 'cityId') => PLACES.filter((place) => place[id] === parent);
  const numbered = (rows: { id: string; name: string; zip_code?: string }[]) =>
    good(distinctBy(rows).map(({ id, ...row }) => ({ id: Number(id), ...row })));
  if (level === 'province') return numbered(PLACES.map(({ provinceId: id, province: name }) => ({ id, name })));
  if (level === 'city') return numbered(under('provinceId').map(({ cityId: id, city: name }) => ({ id, name })));
  if (level !== 'district') return undefined;
  return numbered(
    under('cityId').map(({ districtId: id, district: name, postcode: zip_code }) => ({ id, name, zip_code })),
  );
};

const search = (query: URLSearchParams): Told => {
  const places = found(query.get('search') ?? '').slice(0, Number(query.get('limit') ?? 10));
  if (places.length === 0) return told(404, 'Domestic Destinations Data not found');
  return good(
    places.map((place) => ({
      ...{ id: Number(place.searchId), label: labelOf(place), province_name: place.province, city_name: place.city },
      ...{ district_name: place.district, subdistrict_name: place.subdistrict, zip_code: place.postcode },
    })),
  );
};

const cost = (space: 'districtId' | 'searchId', form: URLSearchParams): Told => {
  const [from, to] = [placeAt(space, form.get('origin')), placeAt(space, form.get('destination'))];
  const weight = Number(form.get('weight'));
  if (!from || !to || !(weight > 0)) return told(400, 'Invalid origin, destination or weight');
  const prices = pricesOf(from, to, weight, (form.get('courier') ?? '').split(':'));
  if (prices.length === 0) return told(404, 'Calculate Domestic Shipping Cost not found');
  return good(prices.map(({ courier: code, days, ...price }) => ({ ...price, code, etd: `${days} day` })));
};

/** How Komerce runs it now; undefined for a path that is none of it. */
export const komerce = (desk: Desk, { method, path, query, form, key }: Asked): Told | undefined => {
  if (!path.startsWith(`${ROOT}/`)) return undefined;
  if (!desk.isKnown(key)) return told(401, 'Invalid Api key, key not found');
  if (!desk.takes()) return told(429, 'Daily limit exceeded');
  const [area = '', level = '', parent = ''] = path.slice(ROOT.length + 1).split('/');
  const isGet = method === 'GET';
  if (isGet && area === 'destination') return level === 'domestic-destination' ? search(query) : areas(level, parent);
  if (isGet) return undefined;
  if (path === `${ROOT}/calculate/domestic-cost`) return cost('searchId', form);
  if (path === `${ROOT}/calculate/district/domestic-cost`) return cost('districtId', form);
  if (path !== `${ROOT}/track/waybill`) return undefined;
  const waybill = desk.waybill(query.get('awb'), query.get('courier'));
  return waybill ? good(trackingOf(waybill)) : told(404, 'Waybill not found');
};
