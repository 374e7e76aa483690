import { matchRule, type KeywordRule } from './match-rule';

const rule = (match: KeywordRule['match'], keywords: string[], more: Partial<KeywordRule> = {}): KeywordRule => ({
  position: 1,
  match,
  keywords,
  instances: [],
  active: true,
  ...more,
});
const hits = (match: KeywordRule['match'], keyword: string, text: string) =>
  matchRule([rule(match, [keyword])], { text }) !== undefined;

describe('the keyword rule that answers', () => {
  it.each([
    ['exact', 'harga', '  HARGA ', true],
    ['exact', 'harga', 'harga?', false],
    ['exact', 'jam buka', 'Jam \n  Buka', true],
    ['exact', 'ｈａｌｏ', 'halo', true],
    ['starts', 'pesan', 'Pesan 2 kaos', true],
    ['starts', 'pesan', 'mau pesan', false],
    ['contains', 'ongkir', 'berapa ongkir ke Bandung?', true],
    ['contains', 'ongkir', 'ongkirnya berapa', false],
    ['contains', 'kir', 'ongkir', false],
    ['contains', 'ongkir', 'ongkirnya? ongkir!', true],
    ['contains', 'free ongkir', 'ada FREE  ongkir, kak', true],
    ['contains', '?', 'masih ada?', true],
    ['contains', 'cafe', 'café cafe', true],
    ['contains', 'cafe', 'café', false],
    ['contains', '👍', 'ok👍ok', true],
    ['contains', 'a.*b', 'axxb', false],
  ] as const)('%s %j on %j: %s', (match, keyword, text, expected) => expect(hits(match, keyword, text)).toBe(expected));

  it('is the one with the lowest position, whatever the order of the list', () => {
    const [late, early, never] = [
      rule('contains', ['halo'], { position: 5 }),
      rule('exact', ['halo'], { position: 2 }),
      rule('exact', ['lain'], { position: 1 }),
    ];
    expect(matchRule([late, early, never], { text: 'halo' })).toBe(early);
    expect(matchRule([late, early, never], { text: 'halo kak' })).toBe(late);
  });

  it('is found in a message that is a heap of marks, too', () =>
    expect(hits('contains', 'ongkir', `ongkir a${'\u0301\u0323'.repeat(1_000_000)}`)).toBe(true));

  it('is never one that is inactive or for other devices', () => {
    const forToko1 = rule('exact', ['halo'], { instances: ['toko-1'] });
    expect(matchRule([rule('exact', ['halo'], { active: false })], { text: 'halo' })).toBeUndefined();
    expect(matchRule([forToko1], { text: 'halo', instance: 'toko-2' })).toBeUndefined();
    expect(matchRule([forToko1], { text: 'halo' })).toBeUndefined();
    expect(matchRule([forToko1], { text: 'halo', instance: 'toko-1' })).toBe(forToko1);
  });

  it('is none for an empty keyword or an empty text', () => {
    for (const match of ['exact', 'starts', 'contains'] as const) {
      expect(hits(match, '  ', 'halo')).toBe(false);
      expect(hits(match, 'halo', '')).toBe(false);
    }
  });
});
