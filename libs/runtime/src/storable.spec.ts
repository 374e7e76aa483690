import { storable, storableJson } from './storable';

describe('a payload made storable', () => {
  it('loses NUL and halves of characters in every text and name, and nothing else', () => {
    const payload = { text: 'a\0b\ud83d😀', list: ['\ude00', 1, null, true], 'k\0': { deep: 'x\0' } };
    expect(storable(payload)).toEqual({ text: 'ab\ufffd😀', list: ['\ufffd', 1, null, true], k: { deep: 'x' } });
  });

  it.each([
    ['a\0', 'a'],
    [undefined, undefined],
    [null, null],
    [7, 7],
  ])('may be %j itself', (given, kept) => expect(storable(given)).toBe(kept));

  it('may be nested as deep as JSON goes', () => {
    const deep = JSON.parse('['.repeat(100_000) + '"\\u0000x"' + ']'.repeat(100_000)) as unknown;
    let inner: unknown = storable(deep);
    while (Array.isArray(inner)) inner = inner[0];
    expect(inner).toBe('x');
  });

  it('keeps a member called __proto__ a member', () => {
    const read = storable(JSON.parse('{"__proto__":{"a":"\\u0000"},"x\\u0000":1}') as object);
    expect(Object.keys(read)).toEqual(['__proto__', 'x']);
    expect(JSON.stringify(read)).toBe('{"__proto__":{"a":""},"x":1}');
  });
});

describe('JSON text for the database', () => {
  it('has no escape that PostgreSQL refuses, and leaves alone a text that only looks like one', () => {
    expect(storableJson({ a: 'x\0\ud83d', b: '\\u0000' })).toBe('{"a":"x\ufffd","b":"\\\\u0000"}');
  });

  it('does not change the given value', () => {
    const given = { a: 'x\0' };
    storableJson(given);
    expect(given).toEqual({ a: 'x\0' });
  });
});
