import { Conflict, type Failure } from '@platform/errors';
import { machine } from '../../../machine';
import type { Totals } from '../totals/public';
import type { OrderState } from './orders.dto';

/** Events are named by the state that they lead to. */
export const orderMachine = machine<OrderState, OrderState>({
  draft: { open: 'open', cancelled: 'cancelled' },
  open: { processing: 'processing', cancelled: 'cancelled' },
  processing: { completed: 'completed', cancelled: 'cancelled' },
  completed: {},
  cancelled: {},
});

/** As an order and its answers name them. */
export const amountsOf = ({ subtotal, discount, shippingTotal, fee, taxTotal, total }: Totals) => ({
  ...{ subtotal, discount, shipping_total: shippingTotal, fee, tax_total: taxTotal, total },
});

export const orderRefusals = {
  totalChanged: (amounts: ReturnType<typeof amountsOf>): Failure =>
    new Conflict('The total has changed', { code: 'total_changed', details: { ...amounts } }),
  noWarehouse: (): Failure => new Conflict('Create a warehouse first', { code: 'no_warehouse' }),
  refundFirst: (): Failure => new Conflict('Give the money back first', { code: 'refund_first' }),
  goodsOut: (): Failure =>
    new Conflict('Goods of it are with the buyer or on their way: book them back first', { code: 'goods_out' }),
  keyUsed: (): Failure =>
    new Conflict('Idempotency-Key was used with a different request', { code: 'idempotency_mismatch' }),
} as const;
