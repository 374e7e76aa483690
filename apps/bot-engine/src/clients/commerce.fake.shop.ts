import { createHash } from 'node:crypto';
import type { CatalogueRow, OrderState } from './commerce.client';

/** One store of the fake: what its owner would have typed in. */
export interface FakeShop {
  readonly storeId: string;
  readonly name: string;
  status: 'open' | 'closed' | 'suspended';
  ai: { reply_limit: number | null; period_start: string; period_end: string };
  readonly products: CatalogueRow[];
  /** Ways to send, and the places they go to; none named: everywhere. */
  readonly methods: { name: string; cost: number; areas: readonly string[] }[];
  /** Services of couriers, which go everywhere that the search knows. */
  readonly couriers: { courier: string; service: string; cost: number; etd: string }[];
  /** Amounts that codes take off. */
  readonly coupons: Record<string, number>;
}

export interface FakeOrder {
  readonly orderNumber: string;
  readonly key: string;
  /** Of what was asked for. */
  readonly hash: string;
  readonly storeId: string;
  readonly phone: string;
  readonly totals: Totals;
  status: OrderState | string;
  paidAt: string | null;
  waybill: string | null;
}

export interface Totals {
  readonly subtotal: number;
  readonly discount: number;
  readonly shipping: number;
  readonly fee: number;
  readonly total: number;
  readonly currency: string;
}

export const fakeProduct = (change: Partial<CatalogueRow> & { readonly sku: string }): CatalogueRow => ({
  ...{ productId: `p-${change.sku}`, variantId: `v-${change.sku}`, name: change.sku, category: 'Sepatu' },
  ...{ description: '', price: 250_000, stock: 7, image: null, url: `https://shop.example/${change.sku}` },
  ...{ status: 'active', updatedAt: '2026-03-01T08:00:00.000Z', ...change },
});

export const fakeShop = (storeId: string, change: Partial<FakeShop> = {}): FakeShop => ({
  ...{ storeId, name: 'Toko Nusa', status: 'open', couriers: [], coupons: {} },
  ai: { reply_limit: null, period_start: '2026-03-01T00:00:00.000Z', period_end: '2026-04-01T00:00:00.000Z' },
  products: [fakeProduct({ sku: 'SEPATU-HITAM-42', name: 'Sepatu Lari Nusa Hitam 42' })],
  methods: [{ name: 'Kurir toko', cost: 15_000, areas: ['Bandung', 'Cimahi'] }],
  ...change,
});

/** A refusal, as commerce-api answers it. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly more: object = {},
  ) {
    super(code);
  }
}

interface Asked {
  readonly idStore: string;
  readonly idUser: string;
  readonly items: readonly { readonly sku: string; readonly quantity: number }[];
  readonly customer: { readonly name: string; readonly address: string; readonly destination: string };
  readonly courier?: string;
  readonly coupon?: string;
  readonly dryRun?: boolean;
  readonly idempotencyKey?: string;
  readonly expectedTotal?: number;
}

export const invalid = (field: string, message: string, more: object = {}): Refusal =>
  new Refusal(422, 'validation', { errors: { [field]: [`${field} ${message}`] }, ...more });
const same = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase();
export const goesTo = (destination: string, areas: readonly string[]): boolean =>
  areas.length === 0 || destination.split(',').some((name) => areas.some((area) => same(area, name)));

const sumOf = (shop: FakeShop, items: Asked['items']): number =>
  items.reduce((sum, { sku, quantity }, at) => {
    const product = shop.products.find((each) => each.sku === sku);
    if (!product) throw invalid(`items.${at}.sku`, 'is not on sale in this store');
    if (product.stock !== null && product.stock < quantity) throw new Refusal(409, 'out_of_stock');
    return sum + product.price * quantity;
  }, 0);

export interface FakeArea {
  readonly id: string;
  readonly label: string;
}
/** Those that a text may mean. */
export const areasFor = (areas: readonly FakeArea[] | undefined, text: string): FakeArea[] =>
  (areas ?? []).filter(({ id, label }) => id === text || label.toLowerCase().includes(text.toLowerCase()));

/** What couriers take, where it is clear where to. */
export const broughtBy = ({ couriers }: FakeShop, found: readonly FakeArea[]) =>
  found.length === 1
    ? couriers.map((each) => ({ ...each, name: `${each.courier.toUpperCase()} ${each.service}` }))
    : [];

const sentBy = (shop: FakeShop, { customer, courier }: Asked, areas: readonly FakeArea[] | undefined) => {
  const { methods } = shop;
  const found = areasFor(areas, customer.destination);
  const own = methods.filter((method) => goesTo(customer.destination, method.areas));
  const brought = broughtBy(shop, found);
  const fitting = [...own, ...brought].toSorted((one, other) => one.cost - other.cost);
  if (fitting.length === 0) {
    const named = methods.flatMap((method) => method.areas).map((area) => ({ id: area, label: area }));
    const data = shop.couriers.length > 0 && found.length > 0 ? found : named;
    throw invalid('customer.destination', 'is no place that this store sends to', { data });
  }
  const isCalled = (each: (typeof fitting)[number], text: string) =>
    same(each.name, text) || ('courier' in each && same(each.courier, text));
  const chosen = courier === undefined ? fitting[0] : fitting.find((each) => isCalled(each, courier));
  if (chosen) return chosen;
  throw invalid('courier', `must be one of ${fitting.map(({ name }) => name).join(', ')}`);
};

const totalsOf = (shop: FakeShop, asked: Asked, areas: readonly FakeArea[] | undefined): Totals => {
  if (!/^\d{8,15}$/.test(asked.idUser.replace(/^\+|[-\s]/g, '')))
    throw invalid('idUser', 'must be a valid E.164 formatted phone number');
  const subtotal = sumOf(shop, asked.items);
  const { cost: shipping } = sentBy(shop, asked, areas);
  const discount = asked.coupon === undefined ? 0 : shop.coupons[asked.coupon.toUpperCase()];
  if (discount === undefined) throw new Refusal(409, 'coupon_unavailable');
  return { subtotal, discount, shipping, fee: 0, total: subtotal - discount + shipping, currency: 'IDR' };
};

/** The orders that a fake took, each once for its key. */
export class FakeOrders {
  readonly all: FakeOrder[] = [];

  constructor(
    private readonly shops: ReadonlyMap<string, FakeShop>,
    private readonly areas: () => readonly FakeArea[] | undefined,
  ) {}

  checkout(asked: Asked): [number, object] {
    if (asked.dryRun) return [200, this.shown(this.totals(asked), null)];
    const { idempotencyKey: key } = asked;
    if (key === undefined) throw invalid('idempotencyKey', 'is a required field');
    const { idempotencyKey: _key, dryRun: _dry, expectedTotal: _told, ...rest } = asked;
    const hash = createHash('sha256').update(JSON.stringify(rest)).digest('hex');
    const known = this.all.find((order) => order.key === key && order.storeId === asked.idStore);
    if (known && known.hash !== hash) throw new Refusal(409, 'idempotency_mismatch');
    const order = known ?? this.place(asked, { key, hash });
    return [201, this.shown(order.totals, order)];
  }

  state(orderNumber: string): object {
    const order = this.all.find((each) => each.orderNumber === orderNumber);
    if (!order) throw new Refusal(404, 'not_found', { message: 'Order not found' });
    const { status, totals, paidAt, waybill } = order;
    return { orderNumber, status, total: totals.total, currency: totals.currency, paidAt, waybill };
  }

  private totals(asked: Asked): Totals {
    const shop = this.shops.get(asked.idStore);
    if (!shop) throw new Refusal(404, 'not_found', { message: 'Store not found' });
    if (shop.status === 'suspended') throw new Refusal(403, 'store_suspended');
    if (shop.status === 'closed') throw new Refusal(409, 'store_closed');
    return totalsOf(shop, asked, this.areas());
  }

  private place(asked: Asked, { key, hash }: { key: string; hash: string }): FakeOrder {
    const totals = this.totals(asked);
    if (totals.total !== (asked.expectedTotal ?? totals.total)) throw new Refusal(409, 'total_changed');
    const orderNumber = `INV-261120-${String(this.all.length + 1).padStart(6, '0')}`;
    const made = { orderNumber, key, hash, storeId: asked.idStore, phone: asked.idUser, totals };
    const order: FakeOrder = { ...made, status: 'pending', paidAt: null, waybill: null };
    this.all.push(order);
    return order;
  }

  private shown(totals: Totals, order: FakeOrder | null): object {
    const { orderNumber = null, status = 'pending' } = order ?? {};
    const isOpen = orderNumber !== null && status === 'pending';
    const paymentUrl = isOpen ? `https://pay.example/${orderNumber}` : null;
    const expiresAt = isOpen ? '2030-01-01T00:00:00.000Z' : null;
    return { orderNumber, paymentUrl, ...totals, expiresAt, status };
  }
}
