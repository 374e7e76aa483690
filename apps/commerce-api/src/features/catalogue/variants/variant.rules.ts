import { Conflict, InvalidInput, type Failure, type Violation } from '@platform/errors';
import { cut, randomHex } from '@platform/runtime';
import type { Caller } from '../../../abilities';
import { refusals } from '../../../refusals';
import type { ProductOption, Tier, VariantInput } from './variants.dto';

export const variantRefusals = {
  skuTaken: (): Failure => new Conflict('The SKU is taken', { code: 'sku_taken' }),
  optionsTaken: (): Failure => new Conflict('There is such a variant already', { code: 'options_taken' }),
  lastVariant: (): Failure => new Conflict('A product keeps at least one variant', { code: 'last_variant' }),
  tooMany: (): Failure => new Conflict('A product has at most 200 variants', { code: 'too_many_variants' }),
} as const;

/** Throws `Forbidden` for costs from somebody who may not set them. */
export const refuseCosts = ({ abilities }: Caller, variants: readonly { readonly cost?: number | null }[]): void => {
  if (!abilities.has('product.cost') && variants.some(({ cost }) => cost !== undefined))
    throw refusals.abilityMissing('product.cost');
};

/** Everything wrong at once. */
export const refuse = (violations: readonly Violation[]): void => {
  if (violations.length > 0) throw new InvalidInput(violations);
};

export const violation = (field: string, tag: string, text: string): Violation => ({
  field,
  tag,
  message: `${field} ${text}`,
});

const firstTwice = (texts: readonly string[]): number =>
  texts.findIndex((text, index) => texts.indexOf(text) !== index);

/** What is wrong with the options of a product. */
export const optionFaults = (options: readonly ProductOption[]): Violation[] => {
  const twice = firstTwice(options.map(({ name }) => name));
  const values = options.flatMap((option, index) => {
    const at = firstTwice(option.values);
    return at < 0 ? [] : [violation(`options[${index}].values[${at}]`, 'unique', 'is given twice')];
  });
  return twice < 0 ? values : [violation(`options[${twice}].name`, 'unique', 'is given twice'), ...values];
};

type Priced = Partial<Pick<VariantInput, 'price' | 'compare_at' | 'tiers' | 'option_values' | 'stock'>>;

const tierFaults = (at: string, tiers: readonly Tier[] = []): Violation[] => {
  const twice = firstTwice(tiers.map(({ min_qty, tag_id = '' }) => `${min_qty} ${tag_id.toLowerCase()}`));
  return twice < 0 ? [] : [violation(`${at}tiers[${twice}].min_qty`, 'unique', 'is given twice')];
};

const valueFaults = (at: string, options: readonly ProductOption[], given: object): Violation[] => {
  const values = new Map(Object.entries(given) as [string, unknown][]);
  const fits =
    values.size === options.length &&
    options.every(({ name, values: known }) => known.includes(values.get(name) as string));
  const names = options.map(({ name }) => name).join(' ');
  const text =
    options.length === 0 ? 'must be empty: the product has no options' : `must have one value of each of [${names}]`;
  return fits ? [] : [violation(`${at}option_values`, 'options', text)];
};

/** What is wrong with a variant of a product with these options; `at` stands before its fields' names. */
export const variantFaults = (at: string, options: readonly ProductOption[], variant: Priced): Violation[] => {
  const { price, compare_at, tiers, option_values = {}, stock = [] } = variant;
  const twice = firstTwice(stock.map(({ warehouse_id }) => warehouse_id.toLowerCase()));
  return [
    ...valueFaults(at, options, option_values),
    ...(compare_at !== undefined && price !== undefined && compare_at <= price
      ? [violation(`${at}compare_at`, 'gtfield', 'must be greater than price')]
      : []),
    ...tierFaults(at, tiers),
    ...(twice < 0 ? [] : [violation(`${at}stock[${twice}].warehouse_id`, 'unique', 'is given twice')]),
  ];
};

/** What is wrong with several new ones together. */
export const variantsFaults = (options: readonly ProductOption[], variants: readonly VariantInput[]): Violation[] => {
  const combinations = variants.map(({ option_values = {} }) =>
    options.map(({ name }) => (option_values as Record<string, unknown>)[name]).join('\n'),
  );
  const twice = firstTwice(combinations);
  return [
    ...variants.flatMap((variant, index) => variantFaults(`variants[${index}].`, options, variant)),
    ...(twice < 0 ? [] : [violation(`variants[${twice}].option_values`, 'unique', 'are given twice')]),
  ];
};

const LONGEST = 64;

/** A SKU that nobody has, which begins as the given text does. */
export const freshSku = (text: string): string =>
  `${cut(text.toUpperCase(), LONGEST - 7)}-${randomHex(3).toUpperCase()}`;

/** Every combination of one value of each option. */
export const combinationsOf = (options: readonly ProductOption[]): Record<string, string>[] =>
  options.reduce<Record<string, string>[]>(
    (before, { name, values }) => before.flatMap((each) => values.map((value) => ({ ...each, [name]: value }))),
    [{}],
  );
