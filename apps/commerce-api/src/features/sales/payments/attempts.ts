import type { Sql } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import { methodRefusals, type GatewayCode, type Gateways } from '../../paying/methods/public';
import { END, LIVE_OF_ORDER, OPEN, TELL_BOT } from './attempts.sql';

/** What is to be paid: an order, or a bill of the platform. */
export type Payable = { readonly number: string } & (
  { readonly orderId: string; readonly invoiceId?: never } | { readonly invoiceId: string; readonly orderId?: never }
);

export interface NewAttempt {
  readonly of: Payable;
  readonly provider: GatewayCode;
  /** In the settlement unit of the currency. */
  readonly amount: number;
  readonly currency: string;
  /** Until when it can be paid. */
  readonly expiresAt: Date;
  /** Those of the store's method unless given. */
  readonly channels?: readonly string[] | undefined;
  /** `staff`: nobody waits for it in a chat. */
  readonly door: 'buyer' | 'staff';
}

/** Whoever wrote the row asks the provider at once; when that was killed, somebody else does after so long. */
export const LEASE_MS = 30_000;
const NOTIFIED_AT = { buyer: '/api/pay_a/checkout-notification', staff: '/api/pay_a/notification' } as const;
const WHOLE = 10_000n;

const feeOf = (gateways: Gateways, { provider, amount, of }: NewAttempt): number => {
  // What the platform itself is paid costs nothing besides
  if (of.invoiceId !== undefined) return 0;
  const { percent_bp, fixed } = gateways.feeOf(provider);
  const share = (BigInt(amount) * BigInt(percent_bp) + WHOLE / 2n) / WHOLE;
  return Math.min(amount, fixed + Number(share));
};

/**
 * Writes an attempt at a provider, in the caller's transaction and under the lock of what it pays; nobody is asked yet. Its number
 * (`<number>-<attempt>`) finds the store when a notice names it. Resolves to its id. Throws `provider_unavailable` where neither the store
 * nor the platform has an account.
 */
export const openAttempt = async (tx: Sql, by: By, gateways: Gateways, attempt: NewAttempt): Promise<string> => {
  const { of, provider, amount, currency, expiresAt, channels, door } = attempt;
  if (!gateways.isThere(provider)) throw methodRefusals.noProvider();
  const { storeId, at } = by;
  const leased = new Date(at.getTime() + LEASE_MS);
  const [opened] = await tx.prepared<{ id: string }>('attempt open', OPEN, [
    ...[storeId, uuidv7(), of.orderId ?? null, of.invoiceId ?? null, of.number, provider, amount, currency],
    ...[feeOf(gateways, attempt), gateways.hasPlatform(provider), channels ?? null, NOTIFIED_AT[door]],
    ...[expiresAt, at, leased, of.invoiceId !== undefined],
  ]);
  if (opened) return opened.id;
  throw methodRefusals.noProvider();
};

/** An attempt that waits for its money, or for its provider. */
export interface LiveAttempt {
  readonly id: string;
  readonly provider: GatewayCode;
  readonly status: 'created' | 'pending';
  readonly url: string | null;
  /** Text of a bigint. */
  readonly amount: string;
  readonly expires_at: Date | null;
}

/** Those of a locked order, the newest first, locked too. */
export const liveAttempts = (tx: Sql, storeId: string, orderId: string): Promise<LiveAttempt[]> =>
  tx.query<LiveAttempt>(LIVE_OF_ORDER, [storeId, orderId]);

/** How an attempt ends that nobody has paid. */
export interface AttemptEnd {
  readonly status: 'failed' | 'expired' | 'cancelled';
  readonly text: string;
  /** When its provider is asked once more; null: never. */
  readonly pollAt: Date | null;
}

/** Ends attempts of one locked order, or of one bill, that wait yet. */
export const endAttempts = async (
  tx: Sql,
  { storeId, at, actor }: By,
  ids: readonly string[],
  { status, text, pollAt }: AttemptEnd,
): Promise<void> => {
  await tx.query(END, [storeId, ids, status, at, text, actor, pollAt]);
};

/** Nobody is to pay a locked order as it was asked for: its provider is told, and what comes all the same is settled. */
export const withdrawAttempts = async (tx: Sql, by: By, orderId: string, text: string): Promise<void> => {
  const live = await liveAttempts(tx, by.storeId, orderId);
  if (live.length === 0) return;
  const ids = live.map(({ id }) => id);
  await endAttempts(tx, by, ids, { status: 'cancelled', text, pollAt: by.at });
};

/** The bot engine is to be told of a locked payment, once however often this is called. */
export const tellBot = async (tx: Sql, storeId: string, paymentId: string): Promise<void> => {
  await tx.query(TELL_BOT, [storeId, paymentId]);
};
