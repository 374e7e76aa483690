import { Exclude, Expose } from 'class-transformer';
import { Choice, componentSchemas, Int, List, ListOfOne, Nested, schemaOf, Text } from './index';

class Inner {
  @Text({ max: 5, description: 'short', example: 'abc' }) name!: string;
}

class Outer {
  @List(() => Inner, { max: 3 }) inners!: Inner[];
  @Nested(() => Inner, { optional: true, nullable: true }) one?: Inner | null;
  @Int({ min: 0, nullable: true }) count!: number | null;
  @Choice(['a', 'b'], { optional: true }) kind?: 'a' | 'b';
}

describe('the schema of a DTO', () => {
  it('describes a DTO and what it refers to', () => {
    expect(componentSchemas([Outer])).toEqual({
      Outer: {
        type: 'object',
        properties: {
          inners: { type: 'array', items: { $ref: '#/components/schemas/Inner' }, maxItems: 3 },
          one: { anyOf: [{ $ref: '#/components/schemas/Inner' }, { type: 'null' }] },
          count: { type: ['integer', 'null'], minimum: 0 },
          kind: { type: 'string', enum: ['a', 'b'] },
        },
        required: ['inners', 'count'],
      },
      Inner: {
        type: 'object',
        properties: { name: { type: 'string', maxLength: 5, description: 'short', examples: ['abc'] } },
        required: ['name'],
      },
    });
  });

  it('describes rows that come in one of several shapes', () => {
    class Short {
      @Text() id!: string;
    }
    class Rows {
      @ListOfOne(() => [Inner, Short]) rows!: Inner[] | Short[];
    }
    const listOf = (name: string) => ({ type: 'array', items: { $ref: `#/components/schemas/${name}` } });
    expect(componentSchemas([Rows])).toMatchObject({
      Rows: { properties: { rows: { anyOf: [listOf('Inner'), listOf('Short')] } } },
      Inner: { type: 'object' },
      Short: { type: 'object' },
    });
  });

  it('closes the objects inside a DTO on request', () => {
    const inner = { $ref: '#/components/schemas/Inner', unevaluatedProperties: false };
    const { Outer: outer, Inner: closed } = componentSchemas([Outer], { closed: true });
    expect(outer?.properties).toMatchObject({
      inners: { type: 'array', items: inner, maxItems: 3 },
      one: { anyOf: [inner, { type: 'null' }] },
    });
    expect(closed).toEqual(componentSchemas([Inner]).Inner);
  });

  it('describes replies: exposed names, no hidden members, no required members that need a group', () => {
    class View {
      @Expose({ name: 'harga' }) @Int() price!: number;
      @Expose({ groups: ['finance'] }) @Int() cost!: number;
      @Exclude() @Text() secret!: string;
    }
    expect(schemaOf(View)).toEqual({
      type: 'object',
      properties: { harga: { type: 'integer' }, cost: { type: 'integer' } },
      required: ['harga'],
    });
  });

  it('refuses two DTOs with the same name', () => {
    const other = { Inner: class Inner {} }.Inner;
    expect(() => componentSchemas([Outer, other])).toThrow('Two DTOs are called Inner');
  });
});
