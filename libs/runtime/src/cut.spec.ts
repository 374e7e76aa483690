import { cut } from './cut';

it.each([
  ['abc', 2, 'ab'],
  ['abc', 3, 'abc'],
  ['abc', 0, ''],
  ['a😀b', 2, 'a😀'],
  ['a😀b', 1, 'a'],
  [`${'a'.repeat(199)}😀…`, 200, `${'a'.repeat(199)}😀`],
  ['a\ud83db', 3, 'ab'],
  ['\ude00a', 5, 'a'],
])('of %j the first %d code points are %j', (text, codePoints, expected) =>
  expect(cut(text, codePoints)).toBe(expected),
);

it('no length leaves half of an emoji', () => {
  const text = '😀é👩‍👩‍👧'.repeat(3);
  for (let length = 0; length <= text.length; length++) expect(cut(text, length)).not.toMatch(/\p{Surrogate}/u);
});
