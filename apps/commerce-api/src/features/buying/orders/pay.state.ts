import type { Order } from '../../sales/orders/public';
import type { Bought } from './bought';

export const payStates = [
  ...(['waiting', 'failed', 'partial', 'proof', 'rejected', 'review'] as const),
  ...(['paid', 'refunded', 'late', 'cancelled', 'closed', 'suspended', 'cod', 'cash'] as const),
] as const;
/** How the payment of an order stands, as its buyer is told. */
export type PayState = (typeof payStates)[number];

type Seen = Pick<Order, 'status' | 'payment_status' | 'payment_method' | 'proofs'>;

const SETTLED: Partial<Record<string, PayState>> = {
  paid: 'paid',
  refunded: 'refunded',
  partially_refunded: 'refunded',
  review: 'review',
};

/** What the last proof has come to. */
const ofProofs = ({ proofs }: Seen): PayState | undefined => {
  if (proofs.some(({ status }) => status === 'pending')) return 'proof';
  return proofs.at(-1)?.status === 'rejected' ? 'rejected' : undefined;
};

const ofUnpaid = (order: Seen, { canBePaid, shop }: Pick<Bought, 'canBePaid' | 'shop'>): PayState => {
  const { payment_method, payment_status } = order;
  if (shop.suspended) return 'suspended';
  const shown = ofProofs(order);
  if (shown === 'proof') return shown;
  if (payment_method === 'cod' || payment_method === 'cash') return payment_method;
  if (!canBePaid) return 'closed';
  if (payment_status === 'partially_paid') return 'partial';
  return shown ?? (payment_status === 'failed' ? 'failed' : 'waiting');
};

/** How the payment of an order stands. */
export const payStateOf = ({
  order,
  ...where
}: Pick<Bought, 'canBePaid' | 'shop'> & { readonly order: Seen }): PayState => {
  const settled = SETTLED[order.payment_status];
  if (settled) return settled;
  if (order.status === 'cancelled') return order.payment_status === 'expired' ? 'late' : 'cancelled';
  return ofUnpaid(order, where);
};

const PAYABLE: ReadonlySet<PayState> = new Set(['waiting', 'failed', 'partial', 'proof', 'rejected']);
/** Something is to be paid yet, here. */
export const isPayable = (state: PayState): boolean => PAYABLE.has(state);

/** It may be another in a moment, by itself. */
export const mayChange = (state: PayState): boolean => isPayable(state) || state === 'review';

/** How often an open page asks how it stands. */
export const paces = { quick: 3, slow: 10 } as const;
export type Pace = keyof typeof paces;
/** Two minutes quickly, then an hour slowly; then whoever is still there asks. Milliseconds. */
const QUICK_MS = 120_000;
const SLOW_MS = 3_600_000;

/** How a page asks that has been open since then; undefined: no more. */
export const paceOf = (sinceMs: number, now: Date): Pace | undefined => {
  const open = now.getTime() - sinceMs;
  if (open >= SLOW_MS) return undefined;
  return open < QUICK_MS ? 'quick' : 'slow';
};
