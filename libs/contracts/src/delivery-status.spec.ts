import {
  callbackStatuses,
  deliveryStatusCode,
  deliveryStatuses,
  deliveryStatusOf,
  furtherStatus,
  isCallbackStatus,
  isDeliveryStatus,
} from './delivery-status';

describe('delivery status', () => {
  it('is stored as its index in pending < sent < delivered < viewed < played', () => {
    expect(deliveryStatuses.map(deliveryStatusCode)).toEqual([0, 1, 2, 3, 4]);
    expect([0, 1, 2, 3, 4].map(deliveryStatusOf)).toEqual(['pending', 'sent', 'delivered', 'viewed', 'played']);
  });

  it('refuses a code that no status has', () => {
    for (const code of [-1, 5, 1.5, Number.NaN]) expect(() => deliveryStatusOf(code)).toThrow(RangeError);
  });

  it('advances to the further one, whatever the order', () => {
    expect([furtherStatus('viewed', 'sent'), furtherStatus('sent', 'viewed'), furtherStatus('sent', 'sent')]).toEqual([
      'viewed',
      'viewed',
      'sent',
    ]);
  });

  it('is accepted by the callback unless it is pending [contract]', () => {
    expect(deliveryStatuses.filter(isCallbackStatus)).toEqual([...callbackStatuses]);
    expect(['failed', 'constructor', '', 1, null].some(isDeliveryStatus)).toBe(false);
  });
});
