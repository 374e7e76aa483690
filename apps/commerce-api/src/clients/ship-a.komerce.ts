import { path as pathOf, type PeerPath } from '@platform/http';
import type {
  FoundArea,
  ListedArea,
  CourierPrice,
  PriceAsked,
  ShippingProvider,
  Tracked,
  WaybillAsked,
} from '../features/shipping/port';
import type { ProviderAnswer } from './provider.call';
import { isRow, type Row } from './provider.values';
import { demandRows, foundOf, listedOf, priceOf, trackedOf, wordAt } from './ship-a.values';
import { form, type ShipAccount, type ShipCall } from './ship-a.account';

const LISTED = { id: 'id', name: 'name', postcode: 'zip_code' };
const FOUND = {
  ...{ id: 'id', district: 'district_name', city: 'city_name', province: 'province_name', postcode: 'zip_code' },
};

const dataOf = ({ body }: ProviderAnswer): unknown => (isRow(body) ? body.data : undefined);

/** The provider as Komerce runs it now. It says 404 where it has found nothing. */
class Komerce implements ShippingProvider {
  readonly name = 'komerce';
  readonly isThere = true;
  readonly mark = null;

  constructor(private readonly account: ShipAccount) {}

  provinces(): Promise<readonly ListedArea[]> {
    return this.list(pathOf('/destination/province'));
  }

  cities(provinceId: string): Promise<readonly ListedArea[]> {
    return this.list(pathOf('/destination/city/{id}', { id: provinceId }));
  }

  districts(cityId: string): Promise<readonly ListedArea[]> {
    return this.list(pathOf('/destination/district/{id}', { id: cityId }));
  }

  async search(text: string, limit: number): Promise<readonly FoundArea[]> {
    const template = '/destination/domestic-destination';
    const query = new URLSearchParams({ search: text, limit: String(limit), offset: '0' });
    const rows = await this.rows({ method: 'GET', template, path: `${template}?${query.toString()}` });
    return rows.flatMap((row) => foundOf(row, FOUND, 'subdistrict_name')).slice(0, limit);
  }

  async prices({ space, origin, destination, weightG, couriers }: PriceAsked): Promise<readonly CourierPrice[]> {
    const path = `/calculate/${space === 'district' ? 'district/' : ''}domestic-cost`;
    const body = form({ origin, destination, weight: String(weightG), courier: couriers.join(':'), price: 'lowest' });
    const rows = await this.rows({ method: 'POST', path, template: path, body });
    return rows.flatMap((row) =>
      priceOf(row, { courier: wordAt(row, 'code', 20), cost: row.cost, etd: wordAt(row, 'etd', 40) }),
    );
  }

  async track({ courier, waybill, phoneLast }: WaybillAsked): Promise<Tracked | undefined> {
    const template = '/track/waybill';
    const query = new URLSearchParams({ awb: waybill, courier, ...(phoneLast && { last_phone_number: phoneLast }) });
    const path = `${template}?${query.toString()}`;
    const call = { method: 'POST', template, path, isTracking: true } as const;
    const answer = await this.ask(call);
    if (answer.status === 404) return undefined;
    const data = dataOf(answer);
    const tracked = isRow(data) ? trackedOf(data) : undefined;
    if (tracked) return tracked;
    throw this.account.line.nonsense(call);
  }

  private async list({ address: path, template }: PeerPath): Promise<readonly ListedArea[]> {
    return (await this.rows({ method: 'GET', path, template })).flatMap((row) => listedOf(row, LISTED));
  }

  private async rows(call: ShipCall): Promise<readonly Row[]> {
    const answer = await this.ask(call);
    return answer.status === 404 ? [] : demandRows(this.account.line, call, dataOf(answer));
  }

  private async ask(call: ShipCall): Promise<ProviderAnswer> {
    const answer = await this.account.ask({ ...call, also: [404] });
    // What has no `meta` does not come from the provider
    const isTheirs = isRow(answer.body) && isRow(answer.body.meta);
    if (isTheirs) return answer;
    throw this.account.line.nonsense(call);
  }
}

/** The provider as Komerce runs it now, for one account. */
export const komerceShipping = (account: ShipAccount): ShippingProvider => new Komerce(account);
