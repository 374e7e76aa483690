import { NotFound } from '@platform/errors';
import { CommerceRefusal, type CommerceClient } from '../../clients/commerce.client';
import type { Tool, ToolContext, ToolOutcome } from '../tools/public';
import { CheckPaymentStatus, CreateCheckout } from './checkout.dto';
import type { CheckoutRepository } from './checkout.repository';
import type { CheckoutService } from './checkout.service';

/** Known to WhatsApp alone by a hidden id: nobody to send an order to. */
const hasNoPhone = ({ customer }: ToolContext): boolean => customer.includes('@');

const NO_PHONE: ToolOutcome = {
  result: { status: 'not_possible', reason: 'the number of the customer is hidden: a person takes over' },
  handover: { reason: 'customer_request', summary: 'Pelanggan ingin memesan, tetapi nomornya tersembunyi.' },
};

export const createCheckoutTool = (service: Pick<CheckoutService, 'run'>): Tool<CreateCheckout> => ({
  name: 'create_checkout',
  description:
    'Orders products. Call it first without confirmToken: it answers what the order costs, which you tell the customer. Only when the customer has agreed to that total in a later message, call it again with exactly the same arguments and the confirmToken: it answers the address at which to pay.',
  args: CreateCheckout,
  kind: 'write',
  timeoutMs: 10_000,
  run: async (args, context) => {
    if (hasNoPhone(context)) return NO_PHONE;
    return service.run(args, context).catch((failure: unknown) => {
      const isNoPhone = failure instanceof CommerceRefusal && failure.details.errors?.idUser !== undefined;
      if (isNoPhone) return NO_PHONE;
      throw failure;
    });
  },
});

export const paymentStatusTool = (
  checkouts: Pick<CheckoutRepository, 'hasOrder'>,
  commerce: Pick<CommerceClient, 'orderStatus'>,
): Tool<CheckPaymentStatus> => ({
  name: 'check_payment_status',
  description: 'Whether an order of this conversation is paid, and the waybill of its parcel once it is sent.',
  args: CheckPaymentStatus,
  kind: 'read',
  timeoutMs: 5_000,
  run: async ({ orderNumber }, { store, conversationId, signal }) => {
    // Orders of others are as unknown as those that do not exist
    if (!(await checkouts.hasOrder(store.id, conversationId, orderNumber))) throw new NotFound('order not found');
    const order = await commerce.orderStatus(store.id, orderNumber, signal);
    return { result: { ...order }, facts: { orders: [orderNumber] } };
  },
});
