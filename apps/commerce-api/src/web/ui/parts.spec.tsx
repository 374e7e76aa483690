import { initials } from './parts';

it('initials are the first things of two words that somebody sees', () =>
  expect(['Budi Santoso Putra', 'Budi \u202eبدر', '😀 toko', '\u200b', '+62812'].map(initials)).toEqual([
    ...['BS', 'Bب', '😀T', '', '+'],
  ]));
