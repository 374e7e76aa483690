import { IsNotEmptyObject, Matches } from 'class-validator';
import { Choice, clearing, Decimal, Flag, Int, Json, List, Nested, parse, schemaOf, Text, Texts } from './index';

class Line {
  @Text() sku!: string;
  @Int({ min: 1, max: 999 }) qty!: number;
}

class Filter {
  @Flag({ optional: true }) unread?: boolean;
  @Texts({ optional: true, max: 2 }) tag?: string[];
}

class Base {
  @Text({ max: 20 }) nohp!: string;
}

class Order extends Base {
  @Choice(['open', 'closed'], { optional: true }) status?: 'open' | 'closed';
  @Nested(() => Filter, { optional: true }) filter?: Filter;
  @List(() => Line, { min: 1, max: 2 }) items!: Line[];
  @Json({ optional: true }) meta?: Record<string, unknown>;
  @Text({ requiredWithout: ['image'] }) message?: string;
  @Text({ optional: true, format: 'url' }) image?: string;
}

class Form {
  @Flag({ optional: true }) report?: boolean;
  @Int({ optional: true }) timestamp?: number;
  @Decimal({ optional: true, min: 0 }) price?: number;
  @Text({ optional: true, format: 'minute' }) at?: string;
  @Text({ optional: true, pattern: /^[a-z]+$/, mismatch: { tag: 'alpha', text: 'must be letters' } }) word?: string;
}

class Change {
  @Text({ clearable: true, trim: true }) name?: string | null;
  @Int({ clearable: true }) qty?: number | null;
  @Text({ optional: true }) tag?: string;
}

class WithForeign {
  @Matches(/^A/, { message: '$property must start with A' })
  @Text({ max: 3 })
  code!: string;
}

const order = { nohp: '628', items: [{ sku: 'a', qty: 1 }], message: 'hi' };

class Fields {
  @Text({ optional: true, trim: true }) name?: string;
  @Texts({ optional: true, max: 2 }) tags?: string[];
  @Int({ optional: true, min: 1 }) qty?: number;
}

class Cleared extends clearing(Fields, { name: null, tags: [] }) {
  @Text({ optional: true }) note?: string;
}

describe('parsing a DTO (parse)', () => {
  it('gives the typed value, parent fields first, unknown keys dropped', () => {
    const { value } = parse(Order, { ...order, nohp: 628, status: '', extra: 1 });
    expect(value).toBeInstanceOf(Order);
    expect(value).toEqual({ nohp: '628', items: [{ sku: 'a', qty: 1 }], message: 'hi' });
  });

  it('reports the first failed rule of each field, in DTO order, nested names included', () => {
    const { violations } = parse(Order, {
      nohp: '   ',
      status: 'x',
      filter: { unread: 'false', tag: ['a', 'b', 'c'] },
      items: [{ qty: 0 }, { sku: 1, qty: 1.5 }],
      meta: [],
    });
    expect(violations).toEqual([
      { field: 'nohp', tag: 'required', message: 'nohp is a required field' },
      { field: 'status', tag: 'oneof', message: 'status must be one of [open closed]' },
      { field: 'filter.unread', tag: 'boolean', message: 'filter.unread must be a valid boolean value' },
      { field: 'filter.tag', tag: 'max', message: 'filter.tag must contain at maximum 2 items' },
      { field: 'items[0].sku', tag: 'required', message: 'items[0].sku is a required field' },
      { field: 'items[0].qty', tag: 'min', message: 'items[0].qty must be 1 or greater' },
      { field: 'items[1].qty', tag: 'integer', message: 'items[1].qty must be an integer' },
      { field: 'meta', tag: 'object', message: 'meta must be an object' },
      { field: 'message', tag: 'required_without', message: 'message is a required field' },
    ]);
  });

  it('tells null from absent in the change of a DTO: what can be emptied holds what stands for nothing', () => {
    expect(parse(Cleared, { name: null, tags: null, qty: null, note: null })).toEqual({
      value: { name: null, tags: [] },
    });
    expect(parse(Cleared, { name: ' a ', tags: ['b'] })).toEqual({ value: { name: 'a', tags: ['b'] } });
    expect(parse(Fields, { name: null, tags: null })).toEqual({ value: {} });
    expect(parse(Cleared, {})).toEqual({ value: {} });
    expect(parse(Cleared, { name: '', qty: '', note: '' }, { from: 'form' })).toEqual({ value: { name: null } });
    expect(parse(Cleared, { tags: ['a', 'b', 'c'], qty: 0 }).violations?.map(({ field }) => field)).toEqual([
      'tags',
      'qty',
    ]);
    expect(schemaOf(Cleared).properties).toEqual({
      name: { type: ['string', 'null'] },
      tags: expect.objectContaining({ type: ['array', 'null'] }) as unknown,
      qty: expect.objectContaining({ type: 'integer' }) as unknown,
      note: expect.objectContaining({ type: 'string' }) as unknown,
    });
  });

  it('refuses NUL, which no database stores, and replaces half characters', () => {
    expect(parse(Filter, { tag: ['a\0'] })).toEqual({
      violations: [{ field: 'tag[0]', tag: 'excludesrune', message: "tag[0] cannot contain the following 'U+0000'" }],
    });
    expect(parse(Line, { sku: '\0', qty: 1 }).violations?.[0]?.tag).toBe('excludesrune');
    expect(parse(Line, { sku: 'a\ud83d \ud83d\ude00', qty: 1 })).toEqual({
      value: { sku: 'a\ufffd \ud83d\ude00', qty: 1 },
    });
  });

  it('reads foreign JSON by the same rules at every depth, keys included', () => {
    const meta = { a: [{ '\uD800b': 'x\uDC00' }, null, 1, true] };
    expect(parse(Order, { ...order, meta }).value?.meta).toEqual({ a: [{ '\uFFFDb': 'x\uFFFD' }, null, 1, true] });
    const violations = (value: object) => parse(Order, { ...order, meta: value }).violations;
    const refused = [{ field: 'meta', tag: 'excludesrune', message: "meta cannot contain the following 'U+0000'" }];
    expect(violations({ a: [{ b: '\0' }, { c: '\0' }] })).toEqual(refused);
    expect(violations({ a: { 'k\0': 1 } })).toEqual(refused);
    const deep = JSON.parse('{"a":'.repeat(50_000) + '1' + '}'.repeat(50_000)) as object;
    expect(violations(deep)).toEqual([{ field: 'meta', tag: 'max', message: 'meta must be nested at most 32 deep' }]);
  });

  it('accepts either of two fields', () => {
    const { message: _, ...withoutMessage } = order;
    expect(parse(Order, { ...withoutMessage, image: 'https://a.example/x.png' }).violations).toBeUndefined();
    expect(parse(Order, { ...order, image: 'ftp://a' }).violations).toEqual([
      { field: 'image', tag: 'url', message: 'image must be a valid URL' },
    ]);
  });

  it('requires a field only when all its alternatives are absent, null or empty', () => {
    class Reply {
      @Text({ requiredWithout: ['image', 'file'] }) text?: string;
      @Json({ optional: true }) image?: object;
      @Json({ optional: true }) file?: object;
    }
    const missing = (raw: object, from: 'json' | 'form' = 'json') =>
      parse(Reply, raw, { from }).violations?.map(({ field, tag }) => `${field} ${tag}`);
    expect(missing({ image: null })).toEqual(['text required_without']);
    expect(missing({ image: '', file: '' }, 'form')).toEqual(['text required_without']);
    expect(missing({ file: { id: 1 } })).toBeUndefined();
  });

  it('treats null as absent', () => {
    expect(parse(Line, { sku: null, qty: 1 }).violations).toEqual([
      { field: 'sku', tag: 'required', message: 'sku is a required field' },
    ]);
    expect(parse(Filter, { unread: null, tag: null }).value).toEqual({});
  });

  it('keeps null where it empties what is there, and tells it from what was left out', () => {
    expect(parse(Change, { name: null, qty: null, tag: null }).value).toEqual({ name: null, qty: null });
    expect(parse(Change, {}).value).toEqual({});
    expect(parse(Change, { name: ' x ', qty: 2 }).value).toEqual({ name: 'x', qty: 2 });
    expect(parse(Change, { name: 7.5, qty: 'x' }).violations?.map(({ field }) => field)).toEqual(['qty']);
  });

  it('drops NUL from texts that must not be refused for it', () => {
    class Words {
      @Text({ dropNul: true, max: 4 }) text!: string;
    }
    expect(parse(Words, { text: 'a\0bc\0d' }).value).toEqual({ text: 'abcd' });
  });

  it('checks formats and patterns with their own tags', () => {
    expect(parse(Form, { at: '2026-13-40 10:00', word: 'A1' }).violations).toEqual([
      { field: 'at', tag: 'datetime', message: 'at does not match the 2006-01-02 15:04 format' },
      { field: 'word', tag: 'alpha', message: 'word must be letters' },
    ]);
  });

  it.each([
    ['2028-02-29 23:59', true],
    ['2026-02-29 10:00', false],
    ['2026-02-30 10:00', false],
    ['2026-04-31 10:00', false],
    ['2026-04-30 24:00', false],
    ['2026-04-30 10:60', false],
  ])('accepts a minute only if it exists in the calendar: %s %s', (at, good) =>
    expect(parse(Form, { at }).violations === undefined).toBe(good),
  );

  it("runs class-validator's own decorators after the field's rules", () => {
    expect(parse(WithForeign, { code: 'Abc' }).value).toEqual({ code: 'Abc' });
    expect(parse(WithForeign, { code: 'Abcd' }).violations).toEqual([
      { field: 'code', tag: 'max', message: 'code must be a maximum of 3 characters in length' },
    ]);
    expect(parse(WithForeign, { code: 'bc' }).violations).toEqual([
      { field: 'code', tag: 'matches', message: 'code must start with A' },
    ]);
  });

  it("reports only the violations inside an object, without those of class-validator's decorators on it", () => {
    class Both {
      @Nested(() => Line) @IsNotEmptyObject() line!: Line;
    }
    expect(parse(Both, { line: {} }).violations?.map(({ field }) => field)).toEqual(['line.sku', 'line.qty']);
  });

  it('refuses unknown keys where the contract says so', () =>
    expect(parse(Line, { sku: 'a', qty: 1, pric: 2 }, { unknownKeys: 'refuse' }).violations).toEqual([
      { field: 'pric', tag: 'unknown', message: 'pric is not a known field' },
    ]));

  it('quotes an unknown key by its first 100 characters', () => {
    const key = '😀'.repeat(15_000);
    const told = '😀'.repeat(100);
    expect(parse(Line, { sku: 'a', qty: 1, [key]: 2 }, { unknownKeys: 'refuse' }).violations).toEqual([
      { field: told, tag: 'unknown', message: `${told} is not a known field` },
    ]);
  });

  it('refuses unknown keys inside lists and nested objects too', () => {
    class Order {
      @List(() => Line) lines!: Line[];
      @Nested(() => Line, { optional: true }) gift?: Line;
    }
    const line = { sku: 'a', qty: 1 };
    const raw = { lines: [line, { ...line, pric: 2 }], gift: { ...line, wrap: 'red' } };
    expect(parse(Order, raw, { unknownKeys: 'refuse' }).violations?.map(({ field }) => field)).toEqual([
      'lines[1].pric',
      'gift.wrap',
    ]);
    expect(parse(Order, raw).violations).toBeUndefined();
  });

  it('checks for unknown keys only where keys are declared: not in foreign JSON, nor in a text', () => {
    const refused = (raw: object) =>
      parse(Order, { ...order, ...raw }, { unknownKeys: 'refuse' }).violations?.map(({ field }) => field);
    expect(refused({ meta: { anything: 1 } })).toBeUndefined();
    expect(refused({ filter: 'text' })).toEqual(['filter']);
  });

  it('refuses a form as a whole when its names cannot be nested', () =>
    expect(parse(Form, { 'a[b': '1', word: '1' }, { from: 'form' })).toEqual({
      violations: [{ field: 'a[b', tag: 'name', message: 'a[b is no name of a field' }],
    }));

  it.each([
    ['lists', { lines: Array.from({ length: 50_000 }, () => ({})) }, {}],
    [
      'unknown keys',
      Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, 1])),
      { unknownKeys: 'refuse' },
    ],
  ] as const)('reports at most 100 violations: %s', (_, raw, options) => {
    class Order {
      @List(() => Line, { optional: true }) lines?: Line[];
    }
    expect(parse(Order, raw, options).violations).toHaveLength(100);
  });

  it.each([[null], [undefined], ['text'], [[1]]])('reads %p as an empty object', (raw) =>
    expect(parse(Line, raw).violations?.map(({ field }) => field)).toEqual(['sku', 'qty']),
  );

  it('does not read values from the prototype of the raw object', () =>
    expect(parse(Form, JSON.parse('{"__proto__":{"word":"a"}}')).value).toEqual({}));
});
