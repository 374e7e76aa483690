import type { DemoShop } from './demo-shop';
import { ShopClient } from './shop-client';

/** Rows of the demo shop that a script begins with; null: whoever tries the shop has taken it away. */
export interface DemoPlaces {
  readonly warehouse_id: string | null;
  /** Where that stands, as couriers call it. */
  readonly area_id: string | null;
  /** To which money of the wallet goes. */
  readonly bank_account_id: string | null;
}

export const NO_PLACES: DemoPlaces = { warehouse_id: null, area_id: null, bank_account_id: null };

interface Row {
  readonly id: string;
}
interface Warehouse extends Row {
  readonly is_default: boolean;
  readonly address: { readonly district?: string } | null;
}
interface Account extends Row {
  readonly is_primary: boolean;
}

const inShop = async (shop: ShopClient): Promise<DemoPlaces> => {
  const [warehouses, accounts] = await Promise.all([
    shop.call<Warehouse[]>('GET', '/warehouse'),
    shop.call<Account[]>('GET', '/wallet/bank-account'),
  ]);
  const main = warehouses.find(({ is_default }) => is_default);
  const district = main?.address?.district;
  const areas = district
    ? await shop.call<Row[]>('GET', `/ship_a/search?q=${encodeURIComponent(district)}`).catch(() => [])
    : [];
  return {
    warehouse_id: main?.id ?? null,
    area_id: areas[0]?.id ?? null,
    bank_account_id: accounts.find(({ is_primary }) => is_primary)?.id ?? null,
  };
};

/** As the owner finds them in the running shop. Never rejects: a shop that was changed beyond that is as good a shop. */
export const placesOf = async (url: string, { owner }: DemoShop): Promise<DemoPlaces> => {
  try {
    return await inShop(await new ShopClient(url).login(owner.email, owner.password));
  } catch {
    return NO_PLACES;
  }
};
