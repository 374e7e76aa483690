import { Gone, Unauthenticated, type Failure } from '@platform/errors';
import { isUuid } from '@platform/runtime';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { leftToPay, type Owed } from './payment.rules';

/** How long the page of a payment can be opened. */
const DAYS = 7;
/** How much longer its buyer may look at the order. */
const SEEN_DAYS = 90;
const DAY_SECONDS = 86_400;

export interface PayPages {
  readonly secret: string;
  /** Undefined: the shop has no pages. */
  readonly publicUrl: string | undefined;
}

interface Placed {
  readonly id: string;
  /** ISO 8601. */
  readonly placed_at: string;
}

export const payLinkRefusals = {
  forged: (): Failure =>
    new Unauthenticated({ reason: 'invalid', message: 'The link is not one of ours', code: 'invalid_signature' }),
  expired: (): Failure => new Gone('The link has expired', { code: 'expired' }),
} as const;

const macOf = (secret: string, claim: string): string => createHmac('sha256', secret).update(claim).digest('hex');
const endOf = ({ placed_at }: Placed): number => Math.floor(Date.parse(placed_at) / 1000) + DAYS * DAY_SECONDS;

/** What opens the page of one order's payment (design 5.7): `<order>.<epoch seconds>.<HMAC>`. The same for the same order. */
export const payToken = ({ secret }: PayPages, order: Placed): string => {
  const claim = `${order.id}.${endOf(order)}`;
  return `${claim}.${macOf(secret, claim)}`;
};

/** Among whose requests one with such a token counts: those of its order, whose store is not known before it is looked up. */
export const ofPayToken = (token: unknown): string => `order ${String(token).split('.', 1)[0]}`;

/** The page of an order's payment; null: the shop has none. */
export const payPage = (pages: PayPages, order: Placed): string | null =>
  pages.publicUrl === undefined ? null : `${pages.publicUrl}/pay/${payToken(pages, order)}`;

/** What a token says. Throws `invalid_signature` for one of somebody else's making. */
const read = ({ secret }: PayPages, token: string): { readonly id: string; readonly endMs: number } => {
  const [, claim = '', id = '', end = '', mac = ''] =
    /^(([0-9a-f-]{36})\.(\d{1,12}))\.([0-9a-f]{64})$/.exec(token) ?? [];
  const expected = Buffer.from(macOf(secret, claim));
  const isOurs = mac.length === expected.length && timingSafeEqual(Buffer.from(mac), expected);
  if (!isOurs || !isUuid(id)) throw payLinkRefusals.forged();
  return { id, endMs: Number(end) * 1000 };
};

/** The order that a token pays. Throws `invalid_signature` for one of somebody else's making, `expired`. */
export const orderOfPayToken = (pages: PayPages, token: string, now: Date): string => {
  const { id, endMs } = read(pages, token);
  if (endMs <= now.getTime()) throw payLinkRefusals.expired();
  return id;
};

/** The order that the holder of its token may see, longer than it is paid: invoice and parcels are asked for later. Throws the same. */
export const orderSeenBy = (pages: PayPages, token: string, now: Date): { id: string; canBePaid: boolean } => {
  const { id, endMs } = read(pages, token);
  if (endMs + SEEN_DAYS * DAY_SECONDS * 1000 <= now.getTime()) throw payLinkRefusals.expired();
  return { id, canBePaid: endMs > now.getTime() };
};

interface Payable extends Placed, Owed {
  readonly status: string;
  readonly payments: readonly { readonly status: string; readonly url: string | null }[];
}

/** Where the buyer of an order pays it: our page, which offers every way; without pages the provider's. Null: nothing is to be paid. */
export const payUrlOf = (pages: PayPages, order: Payable, now: Date): string | null => {
  const { status, payments } = order;
  const isOver = status === 'cancelled' || leftToPay(order) === 0 || endOf(order) * 1000 <= now.getTime();
  if (isOver) return null;
  const pending = payments.filter((payment) => payment.status === 'pending' && payment.url !== null);
  return payPage(pages, order) ?? pending.at(-1)?.url ?? null;
};
