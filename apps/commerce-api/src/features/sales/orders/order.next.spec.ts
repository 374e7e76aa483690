import { nextStep } from './order.next';

const order: Parameters<typeof nextStep>[0] = {
  ...({ status: 'open', payment_status: 'paid', review_reason: null, fulfillment_status: 'none' } as const),
  ...({ payment_method: 'transfer', address: null, shipping: null } as const),
};

it('nothing is packed or sent of an order whose money has gone back', () => {
  expect(nextStep(order)).toBe('pack');
  expect(nextStep({ ...order, payment_status: 'refunded' })).toBe('none');
  expect(nextStep({ ...order, payment_status: 'refunded', status: 'processing' })).toBe('none');
  // What came all the same can be closed
  expect(nextStep({ ...order, payment_status: 'refunded', status: 'processing', fulfillment_status: 'returned' })).toBe(
    'complete',
  );
});
