import { Choice, componentSchemas, Int, List, ListOfOne, Nested, Text } from './index';

class Inner {
  @Text({ max: 5, description: 'short', example: 'abc' }) name!: string;
}

class Outer {
  @List(() => Inner, { max: 3 }) inners!: Inner[];
  @Nested(() => Inner, { optional: true, nullable: true }) one?: Inner | null;
  @Int({ min: 0, nullable: true }) count!: number | null;
  @Choice(['a', 'b'], { optional: true }) kind?: string;
}

describe('schemas', () => {
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
      Rows: { properties: { rows: { oneOf: [listOf('Inner'), listOf('Short')] } } },
      Inner: { type: 'object' },
      Short: { type: 'object' },
    });
  });

  it('refuses two DTOs of one name', () => {
    const other = { Inner: class Inner {} }.Inner;
    expect(() => componentSchemas([Outer, other])).toThrow('Two DTOs are called Inner');
  });
});
