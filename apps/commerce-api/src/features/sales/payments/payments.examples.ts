import { onlyPage, succeeds } from '../../../examples';

const ID = '0199f7a0-0000-7000-8000-000000000206';

/** A transfer that somebody saw. */
export const paidByTransfer = {
  ...{ id: ID, order_id: '0199f7a0-0000-7000-8000-000000000202', provider: 'transfer', invoice_number: null },
  ...{ provider_ref: null, channel: null, amount: 450_000, fee: 0, currency: 'IDR', status: 'paid', url: null },
  ...{ expires_at: null, paid_at: '2026-03-01T08:00:00.000Z', review_reason: null },
  created_at: '2026-03-01T08:00:00.000Z',
};
const paid = { at: '2026-03-01T08:00:00.000Z', type: 'paid', text: '450000 IDR by transfer', actor: 'u1' };

export const paymentExamples = {
  list: succeeds('all of a store', [paidByTransfer], { meta: onlyPage(1) }),
  show: succeeds('recorded by hand', { ...paidByTransfer, events: [paid] }),
} as const;
