import { percentsTyped } from './percent';

it.each([
  ['0,7', '70'],
  ['0.7', '70'],
  ['11', '1100'],
  [' 2,25 % ', '225'],
  ['100', '10000'],
  ['1000', '100000'],
  [',5', '50'],
  ['0,', '0'],
  ['', ''],
])('%j percent is %j hundredths', (typed, read) =>
  expect(percentsTyped({ 'fee[percent_bp]': typed, min: '0,7' })).toEqual({ 'fee[percent_bp]': read, min: '0,7' }),
);

it.each([',', '%', '0,777', '-1', '1.000', '١', 'x', '1e1'])(
  '%j is no percentage, and no number of anything else',
  (typed) => expect(percentsTyped({ 'fee[percent_bp]': typed })).toEqual({ 'fee[percent_bp]': `${typed} %` }),
);
