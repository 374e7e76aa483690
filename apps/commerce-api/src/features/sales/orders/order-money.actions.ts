import type { SecretBox } from '@platform/auth';
import type { Sql, Transaction } from '@platform/data';
import { NotFound } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import { Choice, Money, Text } from '@platform/validation';
import { byOf, type Writer } from '../../../by';
import { refusals } from '../../../refusals';
import type { Pages } from '../../../web/kit';
import type { FormOf } from '../../../web/page';
import type { Typed } from '../../../web/sessions/drafts';
import { textOf } from '../picking/public';
import { requestRefund, RefundInput } from '../refunds/public';
import { changing, step } from './order.step';
import { orderById } from './orders.sql';

export const sendingChannels = ['whatsapp', 'email'] as const;
type Channel = (typeof sendingChannels)[number];

/** The form by which somebody says of a shown transfer whether the money came. */
class ProofEdit {
  @Text({ format: 'uuid' }) proof_id!: string;
  @Choice(['approve', 'reject']) decision!: 'approve' | 'reject';
  @Money({ optional: true, min: 1 }) amount?: number;
  @Text({ optional: true, max: 500, trim: true }) note?: string;
}

class SendingEdit {
  @Choice(sendingChannels) channel!: Channel;
  @Text({ optional: true, format: 'uuid', description: 'Of a download; the invoice unless given' })
  delivery_id?: string;
}

/** What other areas do for the page of an order. */
export interface MoneyParts {
  readonly clock: Clock;
  /** Seals the account of a payout. */
  readonly box: SecretBox;
  readonly reviews: (tx: Transaction, by: Writer, orderId: string, review: ProofEdit) => Promise<unknown>;
  readonly sends: {
    readonly invoice: (tx: Sql, by: Writer, orderId: string, channel: Channel) => Promise<unknown>;
    readonly download: (tx: Sql, by: Writer, deliveryId: string, channel: Channel) => Promise<unknown>;
  };
}

/** Inputs of the bank are there for whoever wants a payout. */
const refundTyped = (typed: Typed): Typed =>
  textOf(typed, 'method') === 'payout'
    ? typed
    : Object.fromEntries(Object.entries(typed).filter(([name]) => !name.startsWith('bank[')));

const sending = ({ clock, sends }: MoneyParts, of: FormOf['of']): Pages =>
  step(of, {
    ...{ post: '/orders/{id}/send', ability: 'order.write', names: ['invoice', 'download'], body: SendingEdit },
    run: async ({ tx, viewer: { caller } }, id, { channel, delivery_id: delivery }) => {
      const by = byOf(clock)({ caller });
      if (delivery === undefined) return sends.invoice(tx, by, id, channel);
      if (!caller.abilities.has('digital.write')) throw refusals.abilityMissing('digital.write');
      const { deliveries } = await orderById(tx, caller.storeId, id);
      if (!deliveries.some((each) => each.id === delivery.toLowerCase())) throw new NotFound('Delivery not found');
      return sends.download(tx, by, delivery, channel);
    },
    said: (say) => say.sent,
  });

/** How money of an order goes back, is found to have come, and is asked for. */
export const moneySteps = (parts: MoneyParts, of: FormOf['of']): readonly Pages[] => {
  const { clock, box, reviews } = parts;
  return [
    step(of, {
      ...{ post: '/orders/{id}/refund', ability: 'order.refund', names: ['refund'], body: RefundInput },
      reads: refundTyped,
      run: ({ tx, viewer, key }, id, refund) =>
        requestRefund(tx, { ...changing(clock)(viewer), who: viewer.caller, box, key }, id, refund),
      said: (say) => say.givenBack,
    }),
    step(of, {
      ...{ post: '/orders/{id}/proof', ability: 'payment.record', names: ['proof'], body: ProofEdit },
      run: ({ tx, viewer: { caller } }, id, review) => reviews(tx, byOf(clock)({ caller }), id, review),
      said: (say) => say.reviewed,
    }),
    sending(parts, of),
  ];
};
