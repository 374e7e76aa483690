import { cut } from './cut';

it.each<[string, string, number, string]>([
  ['a short text', 'abc', 3, 'abc'],
  ['a long text', 'abcd', 3, 'abc'],
  ['an emoji at the end', 'ab😀d', 3, 'ab😀'],
  ['an emoji behind the end', 'abc😀', 3, 'abc'],
  ['emoji only', '😀😀😀', 2, '😀😀'],
  ['an emoji that half of the text would cut', 'a😀😀😀', 2, 'a😀'],
  ['halves of pairs', '\ud83da\ude00b', 3, 'ab'],
  ['halves of pairs before more than fits', '\ud83d\ud83d\ud83d\ud83dabc', 2, 'ab'],
  ['nothing', '', 3, ''],
  ['a place for nothing', '😀', 0, ''],
])('%s is cut by characters', (_, text, most, expected) => expect(cut(text, most)).toBe(expected));
