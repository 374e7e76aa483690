import { bubblesOf } from './bubbles';

it('an answer is split on blank lines, and a fourth bubble joins the third', () =>
  expect(bubblesOf('satu\n \ndua\nbaris\n\n\ntiga\n\nempat\n\nlima')).toEqual([
    'satu',
    'dua\nbaris',
    'tiga\n\nempat\n\nlima',
  ]));

it('an empty answer has no bubbles', () => expect(bubblesOf(' \n\n ')).toEqual([]));

it('bubbles of a long answer end at sentences, and lose nothing', () => {
  const text = Array.from({ length: 40 }, (_, n) => `Kalimat nomor ${n} tentang sepatu lari yang ringan.`).join(' ');
  const bubbles = bubblesOf(text);
  expect(bubbles.map((bubble) => bubble.length <= 1000 && bubble.endsWith('.'))).toEqual([true, true]);
  expect(bubbles.join(' ')).toBe(text);
});

it('one endless word is cut inside the word, never inside an emoji', () => {
  expect(bubblesOf('x'.repeat(1_500)).map(({ length }) => length)).toEqual([500, 500, 500]);
  expect(
    bubblesOf(`x${'😀'.repeat(700)}`)
      .join('')
      .replace(/\s/g, ''),
  ).toBe(`x${'😀'.repeat(700)}`);
});
