/*
 * commerce-api as the bot engine calls it (design 2.8): the only place that knows its paths. Amounts are whole units of the
 * store's currency. Every call throws `Unavailable` when commerce cannot be asked now, and `NotFound` where it knows no such
 * thing; a route that it does not serve yet is `NotAvailable`.
 */

/** The route is not there yet: the model offers a person. */
export class NotAvailable extends Error {}

/** What commerce may say beside the code of a refusal. */
export type RefusalDetails = {
  /** What is wrong with each field of the call, by its name there: `items.0.sku`, `customer.destination`. */
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  /** Places that the store sends to, when it does not send to the one that was asked for. */
  readonly places?: readonly string[];
};

/** A refusal that the model may tell: the code of commerce, with the fields it names. `store_suspended` may come of every call. */
export class CommerceRefusal extends Error {
  constructor(
    readonly code: string,
    readonly details: RefusalDetails = {},
  ) {
    super(`commerce refuses: ${code}`);
    this.name = 'CommerceRefusal';
  }
}

export interface CommerceStore {
  readonly id: string;
  readonly name: string;
  readonly currency: string;
  readonly timezone: string;
  readonly status: 'open' | 'closed';
  readonly description: string;
  readonly phone: string | null;
  /** One line each. */
  readonly address: string | null;
  readonly hours: string | null;
  /** AI replies of the plan; a null limit is none. */
  readonly ai: { readonly replyLimit: number | null; readonly periodStart: string; readonly periodEnd: string } | null;
}

export interface CatalogueRow {
  readonly sku: string;
  readonly productId: string;
  readonly variantId: string;
  readonly name: string;
  readonly category: string;
  readonly description: string;
  readonly price: number;
  /** null: not counted, there is as much as is asked for. */
  readonly stock: number | null;
  readonly image: string | null;
  readonly url: string | null;
  readonly status: string;
  readonly updatedAt: string;
}

export interface Wanted {
  readonly sku: string;
  readonly quantity: number;
}

export interface StockRow {
  readonly sku: string;
  readonly quantity: number;
  readonly stock: number;
  readonly available: boolean;
}

/** A place to send to. Where commerce has no search for areas, it is whatever the buyer calls it: `Coblong, Bandung`. */
export interface Destination {
  /** Of the area search; null: `label` alone names it. */
  readonly id: string | null;
  readonly label: string;
}

export interface ShippingRate {
  /** As `create_checkout` may name it. */
  readonly courier: string;
  readonly service: string | null;
  readonly price: number;
  /** Days. */
  readonly estimate: string | null;
}

export interface Tracking {
  readonly waybill: string;
  readonly courier: string;
  readonly status: string;
  readonly history: readonly { readonly at: string; readonly text: string }[];
}

export interface CheckoutRequest {
  readonly idStore: string;
  readonly idUser: string;
  readonly instanceID?: string;
  readonly items: readonly Wanted[];
  readonly customer: { readonly name: string; readonly address: string; readonly destination: string };
  readonly courier?: string;
  readonly coupon?: string;
  /** What the buyer has agreed to: another total is the refusal `total_changed`. */
  readonly expectedTotal?: number;
  readonly idempotencyKey: string;
}

export interface CheckoutTotals {
  readonly subtotal: number;
  readonly discount: number;
  readonly shipping: number;
  readonly fee: number;
  readonly total: number;
  readonly currency: string;
}

export interface CheckoutOrder extends CheckoutTotals {
  readonly orderNumber: string;
  readonly paymentUrl: string | null;
  readonly expiresAt: string | null;
  readonly status: OrderState;
}

export const orderStates = ['pending', 'paid', 'expired', 'cancelled'] as const;
export type OrderState = (typeof orderStates)[number];

export interface OrderStatus {
  readonly orderNumber: string;
  /** Any value we do not know counts as `pending`. */
  readonly status: OrderState;
  readonly total: number;
  readonly currency: string;
  readonly paidAt: string | null;
  readonly waybill: string | null;
}

export interface CommerceClient {
  store(storeId: string): Promise<CommerceStore>;
  /** A page of the catalogue, the last changed first. */
  products(storeId: string, page: number): Promise<{ readonly rows: readonly CatalogueRow[]; readonly more: boolean }>;
  /** Live rows of at most 20 SKUs. */
  productsOf(storeId: string, skus: readonly string[], signal?: AbortSignal): Promise<readonly CatalogueRow[]>;
  /** In the order of the request. */
  stock(storeId: string, items: readonly Wanted[], signal?: AbortSignal): Promise<readonly StockRow[]>;
  destinations(storeId: string, text: string, signal?: AbortSignal): Promise<readonly Destination[]>;
  rates(
    storeId: string,
    items: readonly Wanted[],
    destination: Destination,
    signal?: AbortSignal,
  ): Promise<readonly ShippingRate[]>;
  waybill(storeId: string, waybill: string, courier?: string, signal?: AbortSignal): Promise<Tracking>;
  /** Signed. What it would cost; nothing is written. */
  dryRun(
    request: Omit<CheckoutRequest, 'idempotencyKey' | 'expectedTotal'>,
    signal?: AbortSignal,
  ): Promise<CheckoutTotals>;
  /** Signed. The same key is the same order, for ever. */
  createCheckout(request: CheckoutRequest, signal?: AbortSignal): Promise<CheckoutOrder>;
  /** Signed. Commerce is told no store, and answers for any: the caller knows whose orders it may ask for. */
  orderStatus(storeId: string, orderNumber: string, signal?: AbortSignal): Promise<OrderStatus>;
}
