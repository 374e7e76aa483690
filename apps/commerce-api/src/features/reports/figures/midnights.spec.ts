import { uuidv7 } from '@platform/runtime';
import { useCommerce } from '../../../commerce.fixture';
import type { PaymentsRow, ProductFigures, SalesRow } from './figures.dto';
import { sell, type Sold } from './figures.fixture';
import { dayIn, daysOf, HOUR, PHONES, shopIn, total } from './year.fixture';

const commerce = useCommerce('2026-03-01T08:00:00.000Z');

/**
 * Zones whose clocks change at midnight, with the moments at which they do. Where that makes an hour after midnight come twice, the day begins with the
 * second: the last of these moments is that of the first, which is of the day before.
 */
const CHANGES: [zone: string, spring: string, autumn: string, twice?: string][] = [
  ['America/Havana', '2025-03-09T05:00:00Z', '2025-11-02T05:00:00Z', '2025-11-02T04:00:00Z'],
  ['Atlantic/Azores', '2025-03-30T01:00:00Z', '2025-10-26T01:00:00Z', '2025-10-26T00:00:00Z'],
  ['America/Santiago', '2025-09-07T04:00:00Z', '2025-04-06T03:00:00Z'],
  ['Asia/Beirut', '2025-03-29T22:00:00Z', '2025-10-25T21:00:00Z'],
  ['Africa/Cairo', '2025-04-24T22:00:00Z', '2025-10-30T21:00:00Z'],
];
/** Hours before and after a change: those around it, and those of the midnights before and after. */
const AROUND = [-26, -25, -24, -23, -2, -1, -0.5, 0, 0.5, 1, 2, 23, 24, 25, 26];

const soldAround = (change: string, variant: string): Sold[] =>
  AROUND.flatMap((hours) => {
    const at = Date.parse(change) + hours * HOUR;
    return [new Date(at - 1), new Date(at)];
  }).map((at, n) => ({
    ...{ id: uuidv7(), at, total: 1_000 + n, channel: 'chat', assignee: null, phone: PHONES[0] as string, variant },
    ...{ provider: 'transfer', fee: 0, cost: 1, refunds: [{ amount: 1 + n, at }] },
  }));

describe.each(CHANGES)('the days of a store in %s, whose clocks change at midnight', (zone, spring, autumn, twice) => {
  const onClock = dayIn(zone);
  const day = (at: Date): string => {
    const since = twice === undefined ? NaN : at.getTime() - Date.parse(twice);
    return onClock(since >= 0 && since < HOUR ? new Date(at.getTime() - HOUR) : at);
  };

  it.each([spring, autumn])(
    'are whole around %s: each sale and refund is of one of them, and all reports agree',
    async (change) => {
      const { storeId, ask, variants } = await shopIn(commerce, zone);
      const sold = soldAround(change, variants[0] as string);
      await sell(commerce, storeId, sold);
      await daysOf(commerce).sumUp();
      const report = async <Row>(name: string, from = '', to = from): Promise<Row[]> =>
        (await ask<Row[]>('GET', `/report/${name}?from=${from}&to=${to}`)).body.data;
      const days = [...new Set(sold.map(({ at }) => day(at)))].toSorted();
      const rows = await report<SalesRow>('sales', days[0], days.at(-1));
      expect(rows).toEqual(
        days.map((key) => {
          const those = sold.filter(({ at }) => day(at) === key);
          const [sales, refunded] = [total(those, (each) => each.total), total(those, (each) => each.total - 999)];
          return { key, orders: those.length, sales, refunded, net: sales - refunded };
        }),
      );
      for (const { key, sales, refunded } of rows) {
        const [payments, goods] = [
          await report<PaymentsRow>('payments', key as string),
          await report<ProductFigures>('products', key as string),
        ];
        expect([total(payments, ({ amount }) => amount), total(payments, (each) => each.refunded)]).toEqual([
          sales,
          refunded,
        ]);
        expect([total(goods, ({ revenue }) => revenue), total(goods, (each) => each.refunded)]).toEqual([
          sales,
          refunded,
        ]);
      }
    },
  );
});
