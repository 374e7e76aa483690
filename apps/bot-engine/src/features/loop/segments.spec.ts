import { segmentsOf, without, type Span } from './segments';

it('sentences and lines end behind their marks, but inside nothing that is whole', () => {
  const text = 'Satu. Rp\n1! Tiga\nempat';
  const words = (whole: Span[]) => segmentsOf(text, whole).map(({ start, end }) => text.slice(start, end));
  expect(words([])).toEqual(['Satu. ', 'Rp\n', '1! ', 'Tiga\n', 'empat']);
  expect(words([{ start: 6, end: 10 }])).toEqual(['Satu. ', 'Rp\n1! ', 'Tiga\n', 'empat']);
  expect(words([{ start: 0, end: 7 }])).toEqual(['Satu. Rp\n', '1! ', 'Tiga\n', 'empat']);
});

it('a sentence is lost with what stands in it, in whatever order that is told', () => {
  const text = 'Satu. Dua. Tiga. Empat.';
  const at = (word: string): Span => ({ start: text.indexOf(word), end: text.indexOf(word) + word.length });
  expect(without(text, [at('Tiga'), at('Satu'), at('Sat')])).toBe('Dua. Empat.');
  expect(without(text, [at('Dua. Tiga')])).toBe('Satu. Empat.');
  expect(without(text, [])).toBe(text);
});

it('each of many places is looked at a few times, however many sentences there are', () => {
  const count = 1_000;
  let looks = 0;
  const places = Array.from({ length: count }, (_, n) => ({
    get start() {
      return ((looks += 1), n * 4);
    },
    get end() {
      return ((looks += 1), n * 4 + 2);
    },
  }));
  expect(without('Rp2\n'.repeat(count), places)).toBe('');
  expect(looks).toBeLessThan(10 * count);
});
