import { hasVisible, withoutTurns } from './visible';

const unseen = [
  '',
  ' \n\t\u00a0\u3000',
  '\u200b',
  '\u200b \u200d\u2060',
  '\u200f\u061c',
  '\u202e\u2066',
  '\ufeff',
  '\u00ad',
];
const fillers = [
  '\u3164',
  '\u115f\u1160',
  '\uffa0',
  '\u034f',
  '\ufe0f',
  '\u{e0041}',
  '\u2800',
  '\u{1d159}',
  '\u{16fe4}',
  '\u0000\u0007',
  '\ud83d',
];

it.each([...unseen, ...fillers].map((text) => [JSON.stringify(text), text]))('nothing is seen of %s', (_, text) =>
  expect(hasVisible(text)).toBe(false),
);

it.each([...'\u0600\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}'].map((text) => [text]))(
  '%j, which stands around digits, is seen',
  (text) => expect(hasVisible(text)).toBe(true),
);

it.each(['a', '\u200b.\u200b', 'مرحبا', '\u200f?', '👍', '❤\ufe0f', '中', '\ufffd', '-'].map((text) => [text]))(
  '%j is seen',
  (text) => expect(hasVisible(text)).toBe(true),
);

it('what turns the direction goes, and nothing else', () => {
  const turning = ['\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069'];
  expect(withoutTurns(`a${turning.join('b')}c\u200dמ`)).toBe('abbbbbbc\u200dמ');
});
