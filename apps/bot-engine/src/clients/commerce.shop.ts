import { Unavailable } from '@platform/errors';
import { path } from '@platform/http';
import type {
  CatalogueRow,
  CommerceClient,
  CommerceStore,
  Destination,
  ShippingRate,
  StockRow,
  Tracking,
} from './commerce.client';
import { NotAvailable } from './commerce.client';
import type { CommerceLine } from './commerce.line';
import {
  catalogueRow,
  rateOf,
  storeOf,
  trackingOf,
  type WireRate,
  type WireRow,
  type WireStore,
  type WireTracking,
} from './commerce.wire';

const PER_PAGE = 100;
const MOST_PLACES = 5;
/** Milliseconds; a tool that has less says so by its signal. */
const TIME = { store: 3_000, catalogue: 10_000, read: 3_000, shipping: 5_000, waybill: 5_000 } as const;

interface Listed<Row> {
  readonly data: readonly Row[];
  readonly meta?: { readonly current_page: number; readonly last_page: number };
}
interface WireStock extends Pick<StockRow, 'stock' | 'available'> {
  readonly sku: string | null;
  readonly qty: number;
}

const isList = ({ data }: { readonly data?: unknown }): boolean => Array.isArray(data);
const isOne = ({ data }: { readonly data?: unknown }): boolean => typeof data === 'object' && data !== null;
const lines = (items: readonly { readonly sku: string; readonly quantity: number }[]) =>
  items.map(({ sku, quantity }) => ({ sku, qty: quantity }));

type ShopCalls = Omit<CommerceClient, 'dryRun' | 'createCheckout' | 'orderStatus'>;

const catalogueCalls = (line: CommerceLine): Pick<ShopCalls, 'products' | 'productsOf'> => ({
  products: async (storeId, page) => {
    const query = { sort: '-updated_at', page, per_page: PER_PAGE };
    const { data, meta } = await line.ask<Listed<WireRow>>({
      ...{ tenant: storeId, storeId, path: path('/api/products'), query, fits: isList },
      ...{ timeoutMs: TIME.catalogue, routeOnly: true },
    });
    return { rows: data.map(catalogueRow), more: meta !== undefined && meta.current_page < meta.last_page };
  },
  productsOf: async (storeId, skus, signal) => {
    if (skus.length === 0) return [];
    const query = { skus: skus.join(','), per_page: skus.length };
    const { data } = await line.ask<Listed<WireRow>>({
      ...{ tenant: storeId, storeId, path: path('/api/products'), query, fits: isList, signal },
      ...{ timeoutMs: TIME.read, routeOnly: true },
    });
    return data.map(catalogueRow) satisfies CatalogueRow[];
  },
});

const shippingCalls = (line: CommerceLine): Pick<ShopCalls, 'destinations' | 'rates' | 'waybill'> => ({
  destinations: async (storeId, text, signal) => {
    try {
      const { data } = await line.ask<Listed<Destination>>({
        ...{ tenant: storeId, storeId, path: path('/api/ship_a/search'), query: { q: text, limit: MOST_PLACES } },
        ...{ timeoutMs: TIME.read, routeOnly: true, fits: isList, signal },
      });
      return data.map(({ id, label }) => ({ id, label }));
    } catch (failure) {
      // Without the search, or while nobody can tell it, the shop's own ways go by names
      if (!(failure instanceof NotAvailable || failure instanceof Unavailable)) throw failure;
      return [{ id: null, label: text }];
    }
  },
  rates: async (storeId, items, { id, label }, signal) => {
    const place = id === null ? { destination: label } : { area_id: id };
    const { data } = await line.ask<Listed<WireRate>>({
      ...{ method: 'POST', tenant: storeId, storeId, path: path('/api/shipping/rates'), signal, fits: isList },
      ...{ json: { items: lines(items), ...place }, timeoutMs: TIME.shipping, routeOnly: true },
    });
    return data.flatMap(rateOf) satisfies ShippingRate[];
  },
  waybill: async (storeId, waybill, courier, signal) => {
    const { data } = await line.ask<{ data: WireTracking }>({
      ...{ method: 'POST', tenant: storeId, storeId, path: path('/api/ship_a/waybill'), signal, fits: isOne },
      ...{ json: { waybill, ...(courier !== undefined && { courier }) }, timeoutMs: TIME.waybill },
    });
    return trackingOf(data, waybill) satisfies Tracking;
  },
});

/** What is asked for a store with our service token. */
export const shopCalls = (line: CommerceLine): ShopCalls => ({
  store: async (storeId) => {
    const { data } = await line.ask<{ data: WireStore }>({
      ...{ tenant: storeId, storeId, path: path('/api/store'), timeoutMs: TIME.store },
      fits: ({ data: store }) => typeof store?.id === 'string' && typeof store.name === 'string',
    });
    return storeOf(data) satisfies CommerceStore;
  },
  stock: async (storeId, items, signal) => {
    const { data } = await line.ask<Listed<WireStock>>({
      ...{ method: 'POST', tenant: storeId, storeId, path: path('/api/products/check-stock'), signal },
      ...{ json: { items: lines(items) }, timeoutMs: TIME.read, routeOnly: true },
      fits: ({ data: rows }) => Array.isArray(rows) && rows.length === items.length,
    });
    return data.map(({ qty, stock, available }, index) => {
      return { sku: items[index]?.sku ?? '', quantity: qty, stock, available };
    });
  },
  ...catalogueCalls(line),
  ...shippingCalls(line),
});
