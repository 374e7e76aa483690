import type { CatalogueRow, CommerceStore, ShippingRate, Tracking } from './commerce.client';

/** What commerce-api answers, as far as it is read here. */
export interface WireStore {
  readonly id: string;
  readonly name: string;
  readonly currency: string;
  readonly timezone: string;
  readonly status: 'open' | 'closed';
  readonly description: string;
  readonly phone: string | null;
  readonly address: Readonly<Record<string, unknown>> | null;
  readonly hours: readonly { readonly day: number; readonly open: string; readonly close: string }[];
  readonly ai?: {
    readonly reply_limit: number | null;
    readonly period_start: string;
    readonly period_end: string;
  } | null;
}

export interface WireRow extends Omit<CatalogueRow, 'productId' | 'variantId' | 'updatedAt' | 'category'> {
  readonly product_id: string;
  readonly variant_id: string;
  readonly category: string | null;
  readonly updated_at: string;
}

export interface WireRate {
  readonly kind: string;
  readonly courier: string | null;
  readonly service: string | null;
  readonly name: string;
  readonly cost: number;
  readonly etd_days: string | null;
}

export interface WireTracking extends Pick<Tracking, 'waybill' | 'status'> {
  readonly courier: string | null;
  readonly events?: readonly { readonly at: string; readonly text: string }[];
}

const ADDRESS = ['line', 'district', 'city', 'province', 'postcode'] as const;

const addressLine = (address: WireStore['address']): string | null => {
  const parts = ADDRESS.map((name) => address?.[name]).filter((part) => typeof part === 'string' && part !== '');
  return parts.length === 0 ? null : parts.join(', ');
};

const DAYS = ['Minggu', 'Senin', 'Selasa', 'Rabu', 'Kamis', 'Jumat', 'Sabtu'];

const hoursLine = (hours: WireStore['hours']): string | null =>
  hours.length === 0 ? null : hours.map(({ day, open, close }) => `${DAYS[day] ?? ''} ${open}-${close}`).join(', ');

const aiOf = ({ ai }: WireStore): CommerceStore['ai'] =>
  ai ? { replyLimit: ai.reply_limit, periodStart: ai.period_start, periodEnd: ai.period_end } : null;

export const storeOf = (store: WireStore): CommerceStore => ({
  id: store.id,
  name: store.name,
  currency: store.currency,
  timezone: store.timezone,
  status: store.status,
  description: store.description,
  phone: store.phone,
  address: addressLine(store.address),
  hours: hoursLine(store.hours),
  ai: aiOf(store),
});

export const catalogueRow = (row: WireRow): CatalogueRow => ({
  sku: row.sku,
  productId: row.product_id,
  variantId: row.variant_id,
  name: row.name,
  category: row.category ?? '',
  description: row.description,
  price: row.price,
  stock: row.stock,
  image: row.image,
  url: row.url,
  status: row.status,
  updatedAt: row.updated_at,
});

/** What is paid on delivery is none of the bot's: its buyers pay before. */
export const rateOf = ({ kind, courier, service, name, cost, etd_days }: WireRate): ShippingRate[] =>
  kind === 'cod' ? [] : [{ courier: courier ?? name, service, price: cost, estimate: etd_days }];

export const trackingOf = ({ courier, status, events = [] }: WireTracking, waybill: string): Tracking => ({
  ...{ waybill, courier: courier ?? '', status },
  history: events.map(({ at, text }) => ({ at, text })),
});
