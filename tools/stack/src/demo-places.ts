import type { DemoShop } from './demo-shop';
import { ShopClient } from './shop-client';
import { NO_PLACES, type DemoPlaces } from './stack-file';

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
