import { fulfillmentOf, goneOf, leftOf, type ItemProgress } from './fulfillment';

const item = (
  qty: number,
  [packed, shipped, delivered, returned]: readonly number[],
  is_sent = true,
): ItemProgress => ({
  ...{ id: 'i', variant_id: 'v', track_stock: true, is_sent, name: 'Hat', sku: 'HAT', qty },
  ...{ packed: packed ?? 0, shipped: shipped ?? 0, delivered: delivered ?? 0, returned: returned ?? 0, restocked: 0 },
});

it.each([
  ['none', [item(5, [0, 0, 0, 0])]],
  ['partially_packed', [item(5, [5, 0, 0, 0]), item(1, [0, 0, 0, 0])]],
  ['packed', [item(5, [5, 0, 0, 0]), item(1, [1, 0, 0, 0])]],
  ['partially_shipped', [item(5, [5, 1, 0, 0])]],
  ['partially_shipped', [item(2, [2, 1, 1, 0])]],
  ['partially_shipped', [item(1, [1, 1, 1, 1]), item(1, [0, 0, 0, 0])]],
  ['partially_returned', [item(1, [1, 1, 1, 1]), item(1, [1, 1, 0, 0])]],
  ['shipped', [item(5, [5, 5, 0, 0]), item(9, [0, 0, 0, 0], false)]],
  ['partially_delivered', [item(5, [5, 5, 4, 0])]],
  ['delivered', [item(5, [5, 5, 5, 0])]],
  ['partially_returned', [item(5, [5, 5, 5, 1])]],
  ['returned', [item(5, [5, 5, 0, 5])]],
  ['none', [item(9, [0, 0, 0, 0], false)]],
] as const)('an order is %s as far as its pieces have come', (status, items) =>
  expect(fulfillmentOf(items)).toBe(status),
);

it('of a line is left what is not packed, and gone what was sent and is not back', () =>
  expect([
    [leftOf(item(5, [3, 2, 0, 1])), goneOf(item(5, [3, 2, 0, 1]))],
    [leftOf(item(5, [0, 0, 0, 0], false)), goneOf(item(5, [0, 0, 0, 0], false))],
  ]).toEqual([
    [2, 1],
    [0, 0],
  ]));
