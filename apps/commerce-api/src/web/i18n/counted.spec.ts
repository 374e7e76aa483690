import { counted } from './counted';

it('one is said as one, and none or several as several', () =>
  expect(['0', '1', '2', '1,000'].map((count) => counted(count, 'order was', 'orders were'))).toEqual([
    ...['0 orders were', '1 order was', '2 orders were', '1,000 orders were'],
  ]));
