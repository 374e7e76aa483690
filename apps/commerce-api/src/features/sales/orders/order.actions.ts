import type { Sql } from '@platform/data';
import { Choice, Money, Text } from '@platform/validation';
import type { Caller } from '../../../abilities';
import { byOf, type Writer } from '../../../by';
import { refusals } from '../../../refusals';
import type { Pages } from '../../../web/kit';
import { form, type FormOf } from '../../../web/page';
import { within } from '../../../web/within';
import { handMethods, type HandMethod } from '../payments/public';
import { changePayment } from './order-payment';
import { addNote, moveOrder, moveOrders } from './order-steps';
import { changing, step } from './order.step';
import { makingPages, type MakingParts } from './order-making.pages';
import { moneySteps, type MoneyParts } from './order-money.actions';
import { BulkStatus, Cancellation, NoteInput } from './orders.dto';
import { listPage, onePage, orderFile, type OrderPageParts } from './orders.pages';
import { orderTexts } from './orders.texts';

/** The form of a payment: of the order that it stands on. */
class PaymentEdit {
  @Choice(handMethods) method!: HandMethod;
  @Money({ optional: true, min: 1 }) amount?: number;
}

class StepEdit {
  @Choice(['processing', 'completed']) status!: 'processing' | 'completed';
}

/** The form of a waybill, as shipping reads it. */
class WaybillEdit {
  @Text({ max: 20, trim: true }) courier!: string;
  @Text<string>({
    ...{ trim: true, pattern: /^[\w./-]{5,40}$/ },
    mismatch: { tag: 'waybill', text: 'must be 5 to 40 letters, digits, hyphens, dots or slashes' },
  })
  waybill!: string;
}

/** Records the waybill of an order and sends its goods off; shipping does it. */
export type Ships = (tx: Sql, by: Writer, orderId: string, waybill: WaybillEdit) => Promise<unknown>;

export interface OrderActionParts extends OrderPageParts, MakingParts, MoneyParts {
  readonly ships: Ships;
}

/** Whoever sells something sends it off, and whoever packs it. */
const demandSender = ({ abilities }: Caller): void => {
  if (!abilities.has('order.write') && !abilities.has('shipping.write'))
    throw refusals.abilityMissing('shipping.write');
};

const steps = ({ clock, ships }: OrderActionParts, of: FormOf['of']): readonly Pages[] => {
  const by = changing(clock);
  const write = { ability: 'order.write' } as const;
  return [
    step(of, {
      ...{ post: '/orders/{id}/status', ...write, names: ['processing', 'completed'], body: StepEdit },
      run: ({ tx, viewer }, id, { status }) => moveOrder(tx, by(viewer), id, status),
      said: (say) => say.moved,
    }),
    step(of, {
      ...{ post: '/orders/{id}/payment-status', ability: 'payment.record', names: ['paid'], body: PaymentEdit },
      run: ({ tx, viewer }, order_id, paid) =>
        changePayment(within(tx), by(viewer), { ...paid, order_id, status: 'paid' }),
      said: (say) => say.paid,
    }),
    step(of, {
      ...{ post: '/orders/{id}/cancel', ...write, names: ['cancel'], body: Cancellation },
      run: ({ tx, viewer }, id, { reason }) => moveOrder(tx, by(viewer), id, 'cancelled', reason),
      said: (say) => say.cancelled,
    }),
    step(of, {
      ...{ post: '/orders/{id}/waybill', ability: 'order.read', names: ['ship'], body: WaybillEdit },
      run: ({ tx, viewer: { caller } }, id, waybill) => {
        demandSender(caller);
        return ships(tx, byOf(clock)({ caller }), id, waybill);
      },
      said: (say) => say.shipped,
    }),
    step(of, {
      ...{ post: '/orders/{id}/notes', ...write, names: ['note'], body: NoteInput },
      run: ({ tx, viewer }, id, { text }) => addNote(tx, by(viewer), id, text),
      said: (say) => say.noteAdded,
    }),
  ];
};

/** What the API's orders are to people. */
export const orderPages = (parts: OrderActionParts): Pages => {
  const [all, single] = [listPage(parts), onePage(parts)];
  const several = form({
    ...{ post: '/orders/bulk', ability: 'order.write', of: all },
    body: BulkStatus,
    // Each in a transaction of its own, as the API does it: one that cannot be moved stops no other, and the same again moves nothing
    before: ({ viewer, body }) => moveOrders(parts.database, viewer.caller, changing(parts.clock)(viewer), body),
    run: async ({ ready }) => ready,
    done: ({ changed, failed }, { t }) => {
      const [say, count] = [orderTexts(t), t.count(changed.length)];
      const none = failed.length === 0;
      return {
        to: '/orders',
        flash: none ? say.bulkDone({ count }) : say.bulkFailed({ count, failed: t.count(failed.length) }),
      };
    },
  });
  const one = [single, ...steps(parts, single), ...moneySteps(parts, single)];
  // Fixed names before {id}
  return (kit) =>
    [all, several, orderFile(parts), ...makingPages(parts, single), ...one].flatMap((pages) => pages(kit));
};
