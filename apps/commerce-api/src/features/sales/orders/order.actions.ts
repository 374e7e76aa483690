import type { Sql } from '@platform/data';
import type { Clock } from '@platform/runtime';
import { Choice, Money, Text, type DtoClass } from '@platform/validation';
import { auditOf } from '../../../audit';
import { byOf, type Writer } from '../../../by';
import type { Pages } from '../../../web/kit';
import { action, actions, form, type FormOf } from '../../../web/page';
import type { Viewer } from '../../../web/viewer';
import { within } from '../../../web/within';
import { handMethods, type HandMethod } from '../payments/public';
import { changePayment } from './order-payment';
import { addNote, moveOrder, moveOrders, type Changing } from './order-steps';
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

interface Parts extends OrderPageParts {
  readonly ships: Ships;
}

const changing =
  (clock: Clock) =>
  ({ caller }: Viewer): Changing => ({ by: byOf(clock)({ caller }), audit: auditOf(caller, clock) });

interface Step<B extends object> {
  readonly post: string;
  readonly ability: FormOf['ability'];
  /** What its form is called on the page. */
  readonly names: readonly string[];
  readonly body: DtoClass<B> & (new () => B);
  readonly run: (tx: Parameters<typeof within>[0], viewer: Viewer, id: string, body: B) => Promise<unknown>;
  readonly said: (say: ReturnType<typeof orderTexts>) => string;
}

/** One form of the page of an order, which stays there. */
const step = <B extends object>(of: FormOf['of'], { post, ability, names, body, run, said }: Step<B>): Pages => {
  const only = action({
    body,
    run: async ({ viewer, params, body: given, tx }) => run(tx, viewer, params.id ?? '', given),
    done: (_, { t, params }) => ({ to: `/orders/${params.id}`, flash: said(orderTexts(t)) }),
  });
  return actions({ post, ability, of, on: Object.fromEntries(names.map((name) => [name, only])) });
};

const steps = ({ clock, ships }: Parts, of: FormOf['of']): readonly Pages[] => {
  const by = changing(clock);
  const write = { ability: 'order.write' } as const;
  return [
    step(of, {
      ...{ post: '/orders/{id}/status', ...write, names: ['processing', 'completed'], body: StepEdit },
      run: (tx, viewer, id, { status }) => moveOrder(tx, by(viewer), id, status),
      said: (say) => say.moved,
    }),
    step(of, {
      ...{ post: '/orders/{id}/payment-status', ability: 'payment.record', names: ['paid'], body: PaymentEdit },
      run: (tx, viewer, order_id, paid) => changePayment(within(tx), by(viewer), { ...paid, order_id, status: 'paid' }),
      said: (say) => say.paid,
    }),
    step(of, {
      ...{ post: '/orders/{id}/cancel', ...write, names: ['cancel'], body: Cancellation },
      run: (tx, viewer, id, { reason }) => moveOrder(tx, by(viewer), id, 'cancelled', reason),
      said: (say) => say.cancelled,
    }),
    step(of, {
      ...{ post: '/orders/{id}/waybill', ...write, names: ['ship'], body: WaybillEdit },
      run: (tx, { caller }, id, waybill) => ships(tx, byOf(clock)({ caller }), id, waybill),
      said: (say) => say.shipped,
    }),
    step(of, {
      ...{ post: '/orders/{id}/notes', ...write, names: ['note'], body: NoteInput },
      run: (tx, viewer, id, { text }) => addNote(tx, by(viewer), id, text),
      said: (say) => say.noteAdded,
    }),
  ];
};

/** What the API's orders are to people. */
export const orderPages = (parts: Parts): Pages => {
  const [all, single] = [listPage(parts), onePage(parts)];
  const several = form({
    ...{ post: '/orders/bulk', ability: 'order.write', of: all },
    body: BulkStatus,
    // Each in a transaction of its own, as the API does it: one that cannot be moved stops no other, and the same again moves nothing
    run: ({ viewer, body }) => moveOrders(parts.database, viewer.caller, changing(parts.clock)(viewer), body),
    done: ({ changed, failed }, { t }) => {
      const [say, count] = [orderTexts(t), t.count(changed.length)];
      const none = failed.length === 0;
      return {
        to: '/orders',
        flash: none ? say.bulkDone({ count }) : say.bulkFailed({ count, failed: t.count(failed.length) }),
      };
    },
  });
  return (kit) => [all, several, orderFile(parts), single, ...steps(parts, single)].flatMap((pages) => pages(kit));
};
