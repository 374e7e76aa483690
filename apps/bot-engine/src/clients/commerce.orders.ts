import { path } from '@platform/http';
import {
  orderStates,
  type CheckoutOrder,
  type CheckoutRequest,
  type CheckoutTotals,
  type CommerceClient,
  type OrderState,
  type OrderStatus,
} from './commerce.client';
import type { CommerceCall, CommerceLine } from './commerce.line';
import { SignatureRefused } from './commerce.refusals';

const TIME = { dryRun: 4_500, create: 4_500, status: 4_500 } as const;
/** Another process may have signed the same call in the same millisecond: whoever comes second signs again. */
const SIGNINGS = 3;

interface WireOrder extends CheckoutTotals {
  readonly orderNumber: string | null;
  readonly paymentUrl: string | null;
  readonly expiresAt: string | null;
  readonly status: string;
}
type Answer<T> = { readonly data: T };

export const stateOf = (status: unknown): OrderState => orderStates.find((known) => known === status) ?? 'pending';

const totalsOf = ({ subtotal, discount, shipping, fee, total, currency }: CheckoutTotals): CheckoutTotals => ({
  ...{ subtotal, discount, shipping, fee, total, currency },
});

const hasTotals = ({ data }: Partial<Answer<WireOrder>>): boolean => Number.isSafeInteger(data?.total);

type OrderCalls = Pick<CommerceClient, 'dryRun' | 'createCheckout' | 'orderStatus'>;

const signed = async <T extends object>(line: CommerceLine, call: CommerceCall<T>, signings = SIGNINGS): Promise<T> => {
  try {
    return await line.ask<T>(call);
  } catch (failure) {
    const cause = (failure as { cause?: unknown }).cause;
    if (!(cause instanceof SignatureRefused) || signings <= 1) throw failure;
    return signed(line, call, signings - 1);
  }
};

/** What is signed instead: orders, and how they stand. */
export const orderCalls = (line: CommerceLine): OrderCalls => {
  const ask = <T extends object>(call: CommerceCall<T>): Promise<T> => signed(line, call);
  const checkout = (
    json: Omit<CheckoutRequest, 'idempotencyKey' | 'expectedTotal'>,
    timeoutMs: number,
    signal?: AbortSignal,
  ) =>
    ask<Answer<WireOrder>>({
      ...{ method: 'POST', tenant: json.idStore, path: path('/api/payment/engine-bot/create-checkout') },
      ...{ json, timeoutMs, signal, fits: hasTotals },
    });
  return {
    dryRun: async (request, signal) => {
      const { data } = await checkout({ ...request, dryRun: true } as never, TIME.dryRun, signal);
      return totalsOf(data);
    },
    createCheckout: async (request, signal) => {
      const { data } = await checkout(request, TIME.create, signal);
      const { orderNumber, paymentUrl, expiresAt, status } = data;
      return {
        ...{ ...totalsOf(data), orderNumber: orderNumber ?? '', paymentUrl, expiresAt },
        status: stateOf(status),
      } satisfies CheckoutOrder;
    },
    orderStatus: async (storeId, orderNumber, signal) => {
      const { data } = await ask<Answer<OrderStatus>>({
        ...{ tenant: storeId, path: path('/api/payment/engine-bot/check-status/{orderNumber}', { orderNumber }) },
        ...{ timeoutMs: TIME.status, signal, fits: ({ data: order }) => Number.isSafeInteger(order?.total) },
      });
      const { total, currency, paidAt, waybill } = data;
      return { orderNumber: data.orderNumber, status: stateOf(data.status), total, currency, paidAt, waybill };
    },
  };
};
