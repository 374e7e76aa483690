import { parse, type DtoClass } from '@platform/validation';
import { CheckPaymentStatus, CreateCheckout } from '../checkout/checkout.dto';
import { CheckStockArguments } from './check-stock.tool';
import { HandoverArguments } from './handover.tool';
import { SearchProductsArguments } from './search-products.tool';
import { ShippingCostArguments } from './shipping-cost.tool';
import { StorePolicyArguments } from './store-policy.tool';
import { argumentsSchema } from './tool.schema';
import { TrackWaybillArguments } from './track-waybill.tool';

interface Schema {
  readonly type?: 'string' | 'integer' | 'array' | 'object';
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

const within = (n: number, min = -Infinity, max = Infinity): boolean => min <= n && n <= max;

const allowsText = (schema: Schema, text: string): boolean =>
  within(text.length, schema.minLength, schema.maxLength) &&
  new RegExp(schema.pattern ?? '').test(text) &&
  (schema.enum?.includes(text) ?? true);

const allowsObject = ({ properties = {}, required = [], ...schema }: Schema, value: object): boolean =>
  required.every((name) => name in value) &&
  Object.entries(value).every(([name, one]) => {
    const member = properties[name];
    return member ? allows(member, one) : schema.additionalProperties !== false;
  });

/** The part of JSON Schema that tools use. */
const allows = (schema: Schema, value: unknown): boolean => {
  if (schema.type === 'string') return typeof value === 'string' && allowsText(schema, value);
  if (schema.type === 'integer')
    return Number.isInteger(value) && within(value as number, schema.minimum, schema.maximum);
  if (schema.type === 'array')
    return (
      Array.isArray(value) &&
      within(value.length, schema.minItems, schema.maxItems) &&
      value.every((one) => allows(schema.items ?? {}, one))
    );
  return typeof value === 'object' && value !== null && !Array.isArray(value) && allowsObject(schema, value);
};

/** Values at and beyond every limit. */
const valuesFor = (schema: Schema): unknown[] => {
  const { minLength = 0, maxLength = 100, minimum = 0, maximum = 5, minItems = 0, maxItems = 3 } = schema;
  const item = () => good(schema.items ?? {});
  if (schema.enum) return [...schema.enum, 'other', true, []];
  if (schema.type === 'string')
    return [minLength - 1, minLength, maxLength, maxLength + 1]
      .filter((n) => n > 0)
      .map((n) => 'x'.repeat(n))
      .concat([' '])
      .concat([[], {}, true] as never[]);
  if (schema.type === 'integer') return [minimum - 1, minimum, maximum, maximum + 1, 1.5, '1', true, []];
  if (schema.type === 'array')
    return [
      [],
      ...[minItems, maxItems, maxItems + 1].map((n) => Array.from({ length: n }, item)),
      {},
      'x',
      [1],
      ...valuesFor(schema.items ?? {}).map((one) => [one]),
    ];
  return objectsFor(schema);
};

/** A value that the schema allows. */
const good = (schema: Schema): unknown => {
  if (schema.type !== 'object')
    return valuesFor(schema).find((value) => allows(schema, value) && !(Array.isArray(value) && value.length === 0));
  const { properties = {}, required = [] } = schema;
  return Object.fromEntries(required.map((name) => [name, good(properties[name] ?? {})]));
};

/** The good one; without each member; with each value in each member; with one that is not known. */
const objectsFor = (schema: Schema): unknown[] => {
  const base = good(schema) as Record<string, unknown>;
  const { properties = {} } = schema;
  return [
    base,
    { ...base, idStore: 'S2' },
    ...Object.keys(base).map((name) => Object.fromEntries(Object.entries(base).filter(([one]) => one !== name))),
    ...Object.entries(properties).flatMap(([name, one]) => valuesFor(one).map((value) => ({ ...base, [name]: value }))),
  ];
};

const DTOS: Record<string, DtoClass> = {
  SearchProductsArguments,
  CheckStockArguments,
  ShippingCostArguments,
  TrackWaybillArguments,
  StorePolicyArguments,
  HandoverArguments,
  CreateCheckout,
  CheckPaymentStatus,
};

it.each(Object.entries(DTOS))(
  '%s: the schema that models see allows what the class takes, and nothing else',
  (_, dto) => {
    const schema = argumentsSchema(dto) as Schema;
    const cases = objectsFor(schema);
    const differing = cases.filter(
      (value) => allows(schema, value) !== (parse(dto, value, { unknownKeys: 'refuse' }).value !== undefined),
    );
    expect(differing).toEqual([]);
    expect(new Set(cases.map((value) => allows(schema, value)))).toEqual(new Set([true, false]));
  },
);

it('a model may leave out what is optional by null, and write a number as an id', () => {
  expect(parse(TrackWaybillArguments, { waybill: 12345678, courier: null }, { unknownKeys: 'refuse' }).value).toEqual({
    waybill: '12345678',
  });
});

it('schemas stand for themselves, with every object closed', () => {
  const text = JSON.stringify(Object.values(DTOS).map(argumentsSchema));
  expect(text).not.toContain('$ref');
  expect(text.match(/"type":"object"/g)?.length).toBe(text.match(/"additionalProperties":false/g)?.length);
});
