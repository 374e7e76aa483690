import { inOptionOrder, optionWords } from './option.order';

const options = [
  { name: 'Warna', values: ['Oranye', 'Biru'] },
  { name: 'Ukuran', values: ['40', '41', 'XL'] },
];
const of = (Warna: string, Ukuran: string, id = '') => ({ option_values: { Warna, Ukuran }, id });
const named = (all: readonly ReturnType<typeof of>[]) =>
  all.map(({ option_values: { Warna, Ukuran }, id }) => Warna + Ukuran + id);

it('variants stand in the order of their options and values, whatever was made first', () => {
  const made = [of('Biru', 'XL'), of('Oranye', '41'), of('Biru', '40'), of('Oranye', 'XL'), of('Oranye', '40')];
  expect(named(inOptionOrder(options, made))).toEqual(['Oranye40', 'Oranye41', 'OranyeXL', 'Biru40', 'BiruXL']);
  expect(made[0]).toEqual(of('Biru', 'XL'));
});

it('what options do not name comes last, and what they do not tell apart stays as it was', () => {
  const made = [of('Putih', '40'), of('Biru', '99'), of('Biru', '40', 'b'), of('Biru', '40', 'a')];
  expect(named(inOptionOrder(options, made))).toEqual(['Biru40b', 'Biru40a', 'Biru99', 'Putih40']);
  expect(inOptionOrder([], made)).toEqual(made);
});

it('a variant is named in the order of the options, whatever order they are kept in', () => {
  const option_values = { L: 'Hijau', Warna: 'Biru', Ukuran: 'XL' };
  const named = [{ name: 'Ukuran' }, { name: 'constructor' }, { name: 'Warna' }, { name: 'L' }];
  expect(
    optionWords(
      named.map(({ name }) => ({ name, values: [] })),
      { option_values },
    ),
  ).toEqual(['XL', 'Biru', 'Hijau']);
});
