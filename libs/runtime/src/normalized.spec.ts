import { normalized } from './normalized';

const heap = (marks: string, count: number) => `a${marks.repeat(count)}b`;

it('a text is put in the form that was asked for', () => {
  expect(normalized('cafe\u0301 ﬁ', 'NFC')).toBe('café ﬁ');
  expect(normalized('ｃａｆｅ\u0301 ﬁ', 'NFKC')).toBe('café fi');
});

it.each([30, 31, 1_000_000])('of %d marks upon a letter at most 30 stay, and what follows', (count) => {
  const text = normalized(heap('\u0301\u0323', count), 'NFC');
  // One has become part of the letter
  expect(text).toBe(`ạ${'\u0323'.repeat(14)}${'\u0301'.repeat(15)}b`);
});

// One has become part of the letter here, too
it('signs that become marks are counted as such', () =>
  expect(normalized(heap('\uff9e\u0323', 500_000), 'NFKC')).toHaveLength(31));

it('what languages write stays as it is', () => {
  for (const text of ['ที่นี่', 'बिल्लियाँ', 'שָׁלוֹם', 'اَلسَّلَامُ', 'ﾊﾞﾅﾅ', '👨‍👩‍👧 1️⃣0️⃣'])
    expect(normalized(text, 'NFC')).toBe(text.normalize('NFC'));
});
