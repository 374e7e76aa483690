import { Unavailable, Unexpected } from '@platform/errors';
import { httpClient, type CallAnswer } from '@platform/http';
import type { Component } from '@platform/runtime';

const TIMEOUT_MS = 2_000;
const RETRY_SECONDS = 2;

/** One line to look up; exactly one of the three ids. */
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

/** What is on the shelves; answered by commerce-api. */
export interface StockPort extends Component {
  /** Rows in the order asked. Throws `Unavailable` when it cannot be known in time, `Unexpected` when we are refused. */
  ask(question: StockQuestion): Promise<Stock>;
}

interface StockAnswer {
  readonly data?: readonly StockRow[];
  readonly meta?: { readonly all_available?: boolean };
}

const unavailable = (message: string, cause?: unknown): Unavailable =>
  new Unavailable(message, { retryAfterSeconds: RETRY_SECONDS, cause });

const readAnswer = (answer: CallAnswer): Stock => {
  const { status } = answer;
  if (status >= 500 || status === 429) throw unavailable(`commerce-api answered ${status} to a stock question`);
  if (status === 401 || status === 403)
    throw new Unexpected('commerce-api refuses our service token: compare its JWT settings with ours', {
      code: 'upstream_refused',
    });
  const { data, meta } = answer.json<StockAnswer>() ?? {};
  if (status !== 200 || !data) throw new Unexpected(`commerce-api answered ${status} to a stock question`);
  return { rows: data, allAvailable: meta?.all_available ?? data.every(({ available }) => available) };
};

/**
 * `POST /api/products/check-stock` of commerce-api (design section 5): 2 s in all, never from a cache, because stale stock
 * sells twice. `tokenFor` gives a service token for one store.
 */
export const commerceStock = (baseUrl: string | undefined, tokenFor: (storeId: string) => string): StockPort => {
  if (!baseUrl)
    return {
      name: 'commerce-api',
      ask: () => Promise.reject(unavailable('COMMERCE_URL is not set: stock cannot be checked')),
    };
  const client = httpClient('commerce-api', baseUrl, { timeoutMs: TIMEOUT_MS });
  return {
    name: client.name,
    stop: () => client.stop?.() ?? Promise.resolve(),
    ask: async ({ storeId, lines, warehouseId }) => {
      const answer = await client
        .call({
          method: 'POST',
          path: '/api/products/check-stock',
          headers: { authorization: `Bearer ${tokenFor(storeId)}`, 'x-store-id': storeId },
          json: { items: lines, ...(warehouseId === undefined ? {} : { warehouse_id: warehouseId }) },
        })
        .catch((cause: unknown) => {
          throw unavailable('commerce-api did not answer a stock question in time', cause);
        });
      return readAnswer(answer);
    },
  };
};
