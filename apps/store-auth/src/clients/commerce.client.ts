import { Unavailable } from '@platform/errors';
import { httpClient, path, peer } from '@platform/http';
import type { Component } from '@platform/runtime';

const TIMEOUT_MS = 2_000;
const RETRY_SECONDS = 2;

/** One line to look up, by exactly one of the three ids. */
export interface StockLine {
  readonly variant_id?: string;
  readonly sku?: string;
  readonly product_id?: string;
  readonly qty: number;
}

export interface StockRow {
  readonly product_id: string | null;
  readonly variant_id: string | null;
  readonly sku: string | null;
  readonly qty: number;
  readonly stock: number;
  readonly available: boolean;
}

export interface Stock {
  readonly rows: readonly StockRow[];
  readonly allAvailable: boolean;
}

export interface StockQuestion {
  readonly storeId: string;
  readonly lines: readonly StockLine[];
  readonly warehouseId?: string;
}

/** Stock, answered by commerce-api. */
export interface StockPort extends Component {
  /** Rows in the order of the lines. Throws `Unavailable` without an answer in time, `UpstreamFailed` when we are refused. */
  ask(question: StockQuestion): Promise<Stock>;
}

interface StockAnswer {
  readonly data: readonly StockRow[];
  readonly meta?: { readonly all_available?: boolean };
}

/** Undefined: no stock question can be answered. */
const nowhere: StockPort = {
  name: 'commerce-api',
  ask: () =>
    Promise.reject(
      new Unavailable('COMMERCE_URL is not set: stock cannot be checked', { retryAfterSeconds: RETRY_SECONDS }),
    ),
};

/**
 * `POST /api/products/check-stock` of commerce-api (design section 5): 2 s in all, never from a cache, because stale stock
 * sells twice. `tokenFor` gives a service token for one store.
 */
export const commerceStock = (
  baseUrl: string | undefined,
  tokenFor: (storeId: string) => string | Promise<string>,
): StockPort => {
  if (!baseUrl) return nowhere;
  const client = httpClient('commerce-api', baseUrl);
  const commerce = peer('commerce-api', client, {
    timeoutMs: TIMEOUT_MS,
    token: (storeId = '') => tokenFor(storeId),
    absence: { retryAfterSeconds: RETRY_SECONDS },
    refusals: { 429: Unavailable },
  });
  return {
    ...client,
    ask: async ({ storeId, lines, warehouseId }) => {
      const { data, meta } = await commerce.ask<StockAnswer>({
        method: 'POST',
        path: path('/api/products/check-stock'),
        storeId,
        json: { items: lines, ...(warehouseId === undefined ? {} : { warehouse_id: warehouseId }) },
        fits: ({ data: rows }) => Array.isArray(rows),
      });
      return { rows: data, allAvailable: meta?.all_available ?? data.every(({ available }) => available) };
    },
  };
};
