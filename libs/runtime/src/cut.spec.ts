import { cut, cutToLength } from './cut';

it.each<[string, string, number, string]>([
  ['a short text', 'abc', 3, 'abc'],
  ['a long text', 'abcd', 3, 'abc'],
  ['an emoji at the end', 'ab😀d', 3, 'ab😀'],
  ['an emoji behind the end', 'abc😀', 3, 'abc'],
  ['emoji only', '😀😀😀', 2, '😀😀'],
  ['an emoji that half of the text would cut', 'a😀😀😀', 2, 'a😀'],
  ['a preview of 200', `${'a'.repeat(199)}😀…`, 200, `${'a'.repeat(199)}😀`],
  ['halves of pairs', '\ud83da\ude00b', 3, 'ab'],
  ['halves of pairs before more than fits', '\ud83d\ud83d\ud83d\ud83dabc', 2, 'ab'],
  ['nothing', '', 3, ''],
  ['a place for nothing', '😀', 0, ''],
])('%s is cut by characters', (_, text, codePoints, expected) => expect(cut(text, codePoints)).toBe(expected));

it('no length leaves half of an emoji', () => {
  const text = '😀é👩‍👩‍👧'.repeat(3);
  for (let length = 0; length <= text.length; length++) expect(cut(text, length)).not.toMatch(/\p{Surrogate}/u);
});

it.each<[string, string, number, string]>([
  ['a text that fits', 'ab😀', 4, 'ab😀'],
  ['an emoji that half fits', 'ab😀', 3, 'ab'],
  ['halves of pairs', '\ud83da\ude00b', 4, 'ab'],
])('%s is cut to a length', (_, text, length, expected) => expect(cutToLength(text, length)).toBe(expected));
