import { Exclude, Expose, instanceToPlain, Transform, Type } from 'class-transformer';
import { Anything, Flag, Int, Json, List, ListOfOne, Nested, Text, Texts, writerOf, writerOfOne } from './index';

class Place {
  @Text() city!: string;
  @Text({ optional: true }) area?: string | null;
}

class Row {
  @Text() id!: string;
  @Int({ nullable: true }) stock!: number | null;
  @Flag({ optional: true }) active?: boolean;
  @Text({ format: 'instant' }) created_at!: string;
  @Nested(() => Place, { optional: true, nullable: true }) place?: Place | null;
  @List(() => Place) places!: Place[];
  @Texts({ optional: true }) tags?: string[];
  @Json({ optional: true }) meta?: Record<string, unknown>;
  @Anything() more?: unknown;
}

const row = { id: '1', stock: 3, created_at: '2026-11-05', places: [] };
const wire = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
const written = (value: unknown, groups?: string[]): unknown => wire(writerOf(Row)(value, new Set(groups)));

describe('the reply writer', () => {
  it('the reply writer sends declared members only: at the top, in nested objects and in lists', () => {
    const secret = { passwordHash: 'x' };
    const place = { city: 'Jakarta', ...secret };
    expect(written({ ...row, ...secret, place, places: [place, place] })).toEqual({
      ...row,
      place: { city: 'Jakarta' },
      places: [{ city: 'Jakarta' }, { city: 'Jakarta' }],
    });
  });

  it('the reply writer is not misled by members called __proto__, constructor or toString', () => {
    const hostile: unknown = JSON.parse('{"__proto__":{"id":"x"},"constructor":1,"toString":2,"city":"a"}');
    expect(JSON.stringify(writerOf(Place)(hostile))).toBe('{"city":"a"}');
  });

  it('leaves a list that is null as null', () =>
    expect(written({ ...row, places: null })).toEqual({ ...row, places: null }));

  it('leaves out what is undefined and keeps what is null', () =>
    expect(written({ ...row, stock: null, active: undefined, place: null, tags: undefined })).toEqual({
      ...row,
      stock: null,
      place: null,
    }));

  it('passes foreign JSON as it is', () => {
    const foreign = { a: [{ b: null }], at: new Date(0) };
    expect(written({ ...row, meta: foreign, more: [foreign] })).toEqual({
      ...row,
      meta: { a: [{ b: null }], at: '1970-01-01T00:00:00.000Z' },
      more: [{ a: [{ b: null }], at: '1970-01-01T00:00:00.000Z' }],
    });
  });

  it('writes dates as ISO 8601, an invalid one as null', () => {
    expect(written({ ...row, created_at: new Date(0) })).toEqual({ ...row, created_at: '1970-01-01T00:00:00.000Z' });
    expect(written({ ...row, created_at: new Date(Number.NaN) })).toEqual({ ...row, created_at: null });
  });

  it('writes a bigint digit by digit in a text, and as a number only where that is exact', () => {
    const big = 9_007_199_254_740_993n;
    expect(written({ ...row, id: big, stock: 9_007_199_254_740_991n })).toEqual({
      ...row,
      id: '9007199254740993',
      stock: 9_007_199_254_740_991,
    });
    expect(() => written({ ...row, stock: big })).toThrow(
      'The reply Row.stock must be a number that JSON carries exactly, the handler gave a bigint',
    );
    expect(() => written({ ...row, active: 1n })).toThrow('The reply Row.active must be a truth value');
  });

  it('reads getters of a class and the result of toJSON', () => {
    class City {
      get city() {
        return 'Medan';
      }
      secret = 1;
    }
    const json = { toJSON: () => ({ city: 'Solo', secret: 1 }), secret: 2 };
    const { href, ...url } = { href: 'https://a.example/', toJSON: () => 'https://a.example/' };
    expect(written({ ...row, id: url, place: new City(), places: [json] })).toEqual({
      ...row,
      id: href,
      place: { city: 'Medan' },
      places: [{ city: 'Solo' }],
    });
    expect(writerOf(Place)({ toJSON: () => null })).toBeNull();
  });

  it.each([null, undefined])('writes %p as null where an object or a list is expected', (nothing) => {
    expect(writerOf(Row)(nothing)).toBeNull();
    expect(written({ ...row, places: [nothing, { city: 'a' }] })).toEqual({ ...row, places: [null, { city: 'a' }] });
    expect(writerOfOne([Row])(nothing)).toBeNull();
  });

  it.each([
    ['Row must be an object, the handler gave a list', [row]],
    ['Row must be an object, the handler gave a string', 'text'],
    ['Row.place must be an object, the handler gave a list', { ...row, place: [] }],
    ['Row.place must be an object, the handler gave an object', { ...row, place: new Date() }],
    ['Row.places must be a list, the handler gave an object', { ...row, places: {} }],
    ['Row.places must be an object, the handler gave a number', { ...row, places: [1] }],
    ['Row.id must be a text, the handler gave an object', { ...row, id: { secret: 1 } }],
    ['Row.stock must be a number, the handler gave an object', { ...row, stock: {} }],
    ['Row.active must be a truth value, the handler gave a list', { ...row, active: [] }],
    ['Row.tags must be a text, the handler gave a list', { ...row, tags: [['a']] }],
    ['Row.stock must be a number, the handler gave a string', { ...row, stock: '3' }],
    ['Row.stock must be a number, the handler gave a boolean', { ...row, stock: true }],
    ['Row.stock must be a number, the handler gave NaN', { ...row, stock: Number.NaN }],
    ['Row.stock must be a number, the handler gave Infinity', { ...row, stock: Number.POSITIVE_INFINITY }],
    ['Row.stock must be a number, the handler gave a string', { ...row, stock: { toJSON: () => '3' } }],
    ['Row.active must be a truth value, the handler gave a string', { ...row, active: 'false' }],
    ['Row.active must be a truth value, the handler gave a number', { ...row, active: 0 }],
    ['Row.active must be a truth value, the handler gave a function', { ...row, active: () => true }],
  ])('refuses a value that does not match the DTO: %s', (message, value) =>
    expect(() => written(value)).toThrow(new TypeError(`The reply ${message}`)),
  );

  it('writes null for a function or a symbol in a list', () =>
    expect(written({ ...row, tags: ['a', Symbol('b'), () => 'c'] })).toEqual({ ...row, tags: ['a', null, null] }));

  it('writes a DTO that contains itself', () => {
    class Folder {
      @Text() name!: string;
      @List(() => Folder) folders!: Folder[];
    }
    const tree = { name: 'a', folders: [{ name: 'b', folders: [], secret: 1 }] };
    expect(writerOf(Folder)(tree)).toEqual({ name: 'a', folders: [{ name: 'b', folders: [] }] });
  });
});

describe('rows that come in one of several shapes', () => {
  class Wide extends Place {
    @Text() street!: string;
  }
  class Rows {
    @ListOfOne(() => [Place, Wide]) rows!: Place[] | Wide[];
  }
  const rows = (value: unknown) => wire(writerOf(Rows)({ rows: value }));

  it('rows of several shapes are written by the largest one that matches the first row, or by its class', () => {
    const wide = { city: 'a', street: 'b' };
    expect(rows([{ ...wide, secret: 1 }])).toEqual({ rows: [wide] });
    expect(rows([{ city: 'a', secret: 1 }])).toEqual({ rows: [{ city: 'a' }] });
    expect(rows([Object.assign(new Place(), wide)])).toEqual({ rows: [{ city: 'a' }] });
    expect(rows([])).toEqual({ rows: [] });
  });

  it('a reply of one of several shapes is written by the one it shares most members with', () => {
    class Tall {
      @Text() city!: string;
      @Text({ optional: true }) floor?: string;
      @Text({ optional: true }) lift?: string;
      @Text({ optional: true }) roof?: string;
    }
    const one = (value: unknown) => wire(writerOfOne([Tall, Wide])(value));
    const wide = { city: 'a', area: 'b', street: 'c' };
    for (const dtos of [
      [Tall, Wide],
      [Wide, Tall],
    ]) {
      expect(wire(writerOfOne(dtos)({ ...wide, floor: '1', secret: '1' }))).toEqual(wide);
      expect(wire(writerOfOne(dtos)({ city: 'a', street: 'c', floor: '1', lift: '2' }))).toEqual({
        city: 'a',
        floor: '1',
        lift: '2',
      });
    }
    expect(() => one('text')).toThrow('The reply Tall or Wide must be an object, the handler gave a string');
    expect(() => one({})).toThrow('The reply Tall or Wide must be of the shape Tall or Wide');
  });

  it.each([[[{ secret: 1 }]], [[null]], [['text']]])('rows that match no shape are refused: %j', (value) =>
    expect(() => rows(value)).toThrow('The reply Rows.rows must be of the shape Place or Wide'),
  );
});

describe("class-transformer's decorators on replies", () => {
  class Money {
    @Int() amount!: number;
  }
  class View {
    @Expose({ name: 'harga' }) @Int() price!: number;
    @Expose({ groups: ['finance', 'owner'] }) @Int({ optional: true }) cost?: number;
    @Exclude() @Text({ optional: true }) internal?: string;
    @Exclude({ toClassOnly: true }) @Text({ optional: true }) readOnly?: string;
    @Type(() => Money) @Anything() paid?: unknown;
    @Type(() => Number) @Int({ optional: true }) count?: number;
  }
  const view = (value: object, ...groups: string[]) => wire(writerOf(View)(value, new Set(groups)));

  it('show a member with groups to a caller who has one of them', () => {
    expect(view({ price: 1, cost: 2 })).toEqual({ harga: 1 });
    expect(view({ price: 1, cost: 2 }, 'reader')).toEqual({ harga: 1 });
    expect(view({ price: 1, cost: 2 }, 'reader', 'owner')).toEqual({ harga: 1, cost: 2 });
    expect(writerOf(View)({ price: 1, cost: 2 })).toEqual({ harga: 1 });
  });

  it('hide @Exclude members, except those excluded for reading only', () =>
    expect(view({ price: 1, internal: 'x', readOnly: 'y' })).toEqual({ harga: 1, readOnly: 'y' }));

  it('transform from the topmost decorator on, and by groups', () => {
    class Label {
      @Transform(({ value, obj }) => `${String(value)} of ${String((obj as Label).rank)}`)
      @Transform(({ value, options }) => `${String(value)} ${options.groups?.join() ?? ''}`)
      @Text()
      label!: string;
      @Transform(({ value }) => (value as number) + 1, { groups: ['owner'] }) @Int() rank!: number;
    }
    const value = { label: 'a', rank: 1 };
    expect(writerOf(Label)(value)).toEqual({ label: 'a of 1 ', rank: 1 });
    expect(writerOf(Label)(value, new Set(['owner', 'x']))).toEqual({ label: 'a of 1 owner,x', rank: 2 });
  });

  it('write the class of @Type, alone and in lists', () => {
    const paid = { amount: 5, card: '4111' };
    expect(view({ price: 1, paid })).toEqual({ harga: 1, paid: { amount: 5 } });
    expect(view({ price: 1, paid: [paid] })).toMatchObject({ paid: [{ amount: 5 }] });
    expect(view({ price: 1, count: '7' })).toMatchObject({ count: 7 });
    expect(view({ price: 1, count: null, paid: null })).toEqual({ harga: 1, count: null, paid: null });
  });

  it.each([[[]], [['finance']], [['owner', 'x']]])(
    'the reply writer equals class-transformer for the groups %j',
    (groups) => {
      const value = Object.assign(new View(), { price: 1, cost: 2, internal: 'x', readOnly: 'y', count: '7' });
      expect(view(value, ...groups)).toEqual(instanceToPlain(value, { groups }));
    },
  );

  it('do not change answers when they are for reading only', () => {
    class Directed {
      @Transform(() => 'read', { toClassOnly: true }) @Text() first!: string;
      @Transform(() => 'written', { toPlainOnly: true }) @Text() second!: string;
      @Exclude({ toClassOnly: true, toPlainOnly: true }) @Text({ optional: true }) third?: string;
      @Expose({ groups: [] }) @Text() fourth!: string;
    }
    expect(wire(writerOf(Directed)({ first: 'a', second: 'b', third: 'c', fourth: 'd' }))).toEqual({
      first: 'a',
      second: 'written',
      fourth: 'd',
    });
  });

  it('show only exposed members of an excluded class and of its subclasses', () => {
    @Exclude()
    class Account {
      @Expose() @Text() id!: string;
      @Text() pin!: string;
    }
    class Special extends Account {
      @Expose() @Text() level!: string;
      @Text() note!: string;
    }
    expect(wire(writerOf(Account)({ id: 'a', pin: 'b' }))).toEqual({ id: 'a' });
    expect(wire(writerOf(Special)({ id: 'a', pin: 'b', level: 'c', note: 'd' }))).toEqual({ id: 'a', level: 'c' });
  });

  it('are refused when they are not supported, naming the member', () => {
    class Undescribed {
      @Expose() secret!: string;
    }
    class Versioned {
      @Expose({ since: 2 }) @Text() name!: string;
    }
    class Outdated {
      @Expose({ until: 2 }) @Text() name!: string;
    }
    class Discriminated {
      @Type(() => Money, { discriminator: { property: 'kind', subTypes: [] } }) @Anything() paid?: unknown;
    }
    class Polluting {
      @Expose({ name: '__proto__' }) @Text() name!: string;
    }
    expect(() => writerOf(Outdated)({})).toThrow('Outdated.name: replies have no versions');
    expect(() => writerOf(Discriminated)({})).toThrow('Discriminated.paid: a discriminator is not written');
    expect(() => writerOf(Polluting)({})).toThrow('Polluting.name: no member can be called __proto__');
    expect(() => writerOf(Undescribed)({})).toThrow('Undescribed.secret is exposed but not described');
    expect(() => writerOf(Versioned)({})).toThrow('Versioned.name: replies have no versions');
  });
});

/** Numbers from a seed (mulberry32), so that a failure can be repeated. */
const numbers = (seed: number) => (below: number) => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
};

it('10,000 fuzzed replies never send an undeclared member', () => {
  const next = numbers(9);
  const texts = ['', 'a', '\0', '\ud83d', 'é"\\', '__proto__'];
  const text = () => texts[next(texts.length)];
  const undeclared = ['passwordHash', 'PASSWORD', 'id ', 'toJson', '__proto__', 'constructor', 'ID', '\0id'];
  const secret = () =>
    Object.fromEntries([[undeclared[next(undeclared.length)], 'LEAK'], ...(next(2) ? [['passwordHash', 'LEAK']] : [])]);
  const mixed = (value: object) => {
    const whole = next(2) ? { ...value, ...secret() } : { ...secret(), ...value };
    return [whole, Object.assign(Object.create({ token: 'LEAK' }), whole), Object.assign(new Row(), whole)][next(3)];
  };
  const place = () => [null, mixed({ city: text() }), mixed({ city: text(), area: next(2) ? null : text() })][next(3)];
  const leaks: string[] = [];
  for (let at = 0; at < 10_000; at++) {
    const reply: unknown = mixed({
      id: text(),
      stock: [null, next(1000), BigInt(next(1000)), -0.5][next(4)],
      created_at: next(2) ? new Date(next(2 ** 31)) : text(),
      place: place(),
      places: Array.from({ length: next(4) }, place),
      tags: next(2) ? undefined : [text(), text()],
    });
    const sent = JSON.stringify(writerOf(Row)(reply));
    if (sent.includes('LEAK')) leaks.push(sent);
  }
  expect(leaks).toEqual([]);
});
