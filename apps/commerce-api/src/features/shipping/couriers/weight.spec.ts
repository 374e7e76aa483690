import { byWeight, chargedWeight } from './weight';

it.each([
  ['jne', 1, 1_000],
  ['jne', 1_300, 1_000],
  ['jne', 1_301, 2_000],
  ['pos', 1_001, 2_000],
  ['pos', 2_000, 2_000],
])('%s charges %i g as %i g', (courier, weight, charged) => expect(chargedWeight(courier, weight)).toBe(charged));

it('couriers that charge the same are asked about at once', () =>
  expect([...byWeight(['tiki', 'pos', 'jne'], 1_200)]).toEqual([
    [1_000, ['jne', 'tiki']],
    [2_000, ['pos']],
  ]));
