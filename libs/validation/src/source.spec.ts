import { Choice, Decimal, Flag, Int, Json, List, Money, Nested, parse, Text, Texts } from './index';

class Line {
  @Text() sku!: string;
  @Int({ min: 1 }) qty!: number;
}

class Order {
  @Flag({ optional: true }) gift?: boolean;
  @Int({ optional: true }) count?: number;
  @Decimal({ optional: true, min: 0 }) weight?: number;
  @Money({ optional: true }) total?: number;
  @Texts({ optional: true }) tags?: string[];
  @Choice(['a', 'b'], { optional: true }) kind?: 'a' | 'b';
  @Text({ optional: true, keepEmpty: true }) note?: string;
  @Nested(() => Line, { optional: true }) main?: Line;
  @List(() => Line, { optional: true }) items?: Line[];
  @Json({ optional: true }) meta?: object;
}

const violation = (field: string, tag: string, message: string) => ({ field, tag, message });

describe.each(['form', 'query'] as const)('in a %s, which has only texts,', (from) => {
  it.each([
    ['true', true],
    ['T', true],
    ['1', true],
    ['on', true],
    ['false', false],
    ['F', false],
    ['0', false],
  ])('the word %p is the flag %p', (gift, expected) =>
    expect(parse(Order, { gift }, { from }).value).toEqual({ gift: expected }),
  );

  it.each(['yes', '2', 'constructor', '__proto__', ['true', 'false'], {}])('%p is no flag', (gift) =>
    expect(parse(Order, { gift }, { from }).violations).toEqual([
      violation('gift', 'boolean', 'gift must be a valid boolean value'),
    ]),
  );

  it('only digits are read as numbers', () => {
    expect(parse(Order, { count: '-5', weight: '1.50', total: '7' }, { from }).value).toEqual({
      count: -5,
      weight: 1.5,
      total: 7,
    });
    expect(
      parse(Order, { count: '12x', weight: '-1', total: '1e3', items: [{ sku: 'a', qty: '0x1' }] }, { from }),
    ).toEqual({
      violations: [
        violation('count', 'integer', 'count must be an integer'),
        violation('weight', 'min', 'weight must be 0 or greater'),
        violation('total', 'integer', 'total must be an integer'),
        violation('items[0].qty', 'integer', 'items[0].qty must be an integer'),
      ],
    });
  });

  it.each(['9007199254740993', '-9007199254740993', '9007199254740993.5'])(
    '%s has more digits than a number can hold',
    (value) =>
      expect(parse(Order, { count: value, weight: value }, { from }).violations?.map(({ field }) => field)).toEqual([
        'count',
        'weight',
      ]),
  );

  it('an empty text is an absent value, unless its field keeps it', () => {
    const empty = Object.fromEntries(
      ['gift', 'count', 'weight', 'total', 'tags', 'kind', 'main', 'items', 'meta', 'note'].map((name) => [name, '']),
    );
    expect(parse(Order, empty, { from })).toEqual({ value: { note: '' } });
    expect(parse(Line, { sku: '', qty: '' }, { from }).violations).toEqual([
      violation('sku', 'required', 'sku is a required field'),
      violation('qty', 'required', 'qty is a required field'),
    ]);
  });

  it('a text for people of which nothing is seen is absent too', () => {
    class Asking {
      @Text({ visible: true, trim: true, max: 9 }) reason!: string;
      @Text({ optional: true, visible: true }) text?: string;
      @Text({ optional: true }) any?: string;
    }
    const unseen = '\u200b \u2060';
    expect(parse(Asking, { reason: unseen, text: unseen, any: unseen }, { from }).violations).toEqual([
      violation('reason', 'required', 'reason is a required field'),
    ]);
    expect(parse(Asking, { reason: ' a\u200b', text: unseen, any: unseen }, { from }).value).toEqual({
      reason: 'a\u200b',
      any: unseen,
    });
  });

  it('one text is a list of one', () => {
    expect(parse(Order, { tags: 'a' }, { from }).value).toEqual({ tags: ['a'] });
    expect(parse(Order, { tags: ['a', 'b'] }, { from }).value).toEqual({ tags: ['a', 'b'] });
  });
});

describe('in JSON, which has types,', () => {
  it('in JSON, text is no number, flag or list', () => {
    const raw = { gift: 'true', count: '5', weight: '5', total: '5', tags: 'a', items: '', meta: '' };
    expect(parse(Order, raw).violations?.map(({ field, tag }) => `${field} ${tag}`)).toEqual([
      'gift boolean',
      'count integer',
      'weight number',
      'total integer',
      'tags array',
      'items array',
      'meta object',
    ]);
    expect(parse(Order, { gift: 1 }, { from: 'json' }).violations?.[0]?.tag).toBe('boolean');
  });

  it('in JSON, text is read as flag or number where the contract documents it', () => {
    class Callback {
      @Flag({ words: true }) result!: boolean;
      @Int({ words: true }) timestamp!: number;
    }
    expect(parse(Callback, { result: 'true', timestamp: '5' }).value).toEqual({ result: true, timestamp: 5 });
    expect(parse(Callback, { result: 1, timestamp: 5 }).value).toEqual({ result: true, timestamp: 5 });
  });

  it('in JSON, a number that parsing has rounded never becomes text', () => {
    class Ids {
      @Text() id!: string;
      @Texts() ids!: string[];
      @Choice(['9007199254740992']) one!: '9007199254740992';
      @Decimal() decimal!: number;
    }
    const read = (number: string) =>
      parse(Ids, JSON.parse(`{"id":${number},"ids":[${number}],"one":${number},"decimal":${number}}`));
    for (const number of ['9007199254740993', '-9007199254740993', '1e21', '1e400'])
      expect(read(number).violations).toEqual([
        violation('id', 'string', 'id must be a string'),
        violation('ids[0]', 'string', 'ids[0] must be a string'),
        violation('one', 'string', 'one must be a string'),
        violation('decimal', 'number', 'decimal must be a number'),
      ]);
    expect(parse(Line, { sku: Number.MAX_SAFE_INTEGER, qty: 1 }).value).toEqual({ sku: '9007199254740991', qty: 1 });
  });
});

describe('a form with nested names', () => {
  const form = (fields: object, unknownKeys: 'ignore' | 'refuse' = 'refuse') =>
    parse(Order, fields, { from: 'form', unknownKeys });

  it('a form with nested names is read as the object that they describe', () =>
    expect(
      form({
        'items[1][sku]': 'b',
        'items[1][qty]': '2',
        'items[0][sku]': 'a',
        'items[0][qty]': '1',
        'main[sku]': 'c',
        'main[qty]': '3',
        'tags[]': ['x', 'y'],
        gift: 'on',
      }),
    ).toEqual({
      value: {
        gift: true,
        tags: ['x', 'y'],
        main: { sku: 'c', qty: 3 },
        items: [
          { sku: 'a', qty: 1 },
          { sku: 'b', qty: 2 },
        ],
      },
    }));

  it('violations in a nested form name the field as the DTO does', () =>
    expect(form({ 'items[0][qty]': '0', 'items[0][colour]': 'red' }).violations).toEqual([
      violation('items[0].sku', 'required', 'items[0].sku is a required field'),
      violation('items[0].qty', 'min', 'items[0].qty must be 1 or greater'),
      violation('items[0].colour', 'unknown', 'items[0].colour is not a known field'),
    ]));

  it('JSON and queries keep bracketed names as they are', () => {
    const name = { 'main[sku]': 'a' };
    expect(parse(Order, name, { unknownKeys: 'refuse' }).violations?.[0]?.field).toBe('main[sku]');
    expect(parse(Order, name, { from: 'query' }).value).toEqual({});
  });
});
