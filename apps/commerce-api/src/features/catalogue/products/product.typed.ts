import type { Violation } from '@platform/errors';
import { Int, Text } from '@platform/validation';
import { MOST_PIECES, refuse, violation, type Generating } from '../variants/public';
import { NewProduct, type Product } from './product.dto';

const MOST_CHOICES = 50;
const LONGEST_CHOICE = 60;

/** The form of a new product: one kind of choice, such as the size, and how many there are of each. */
export class ProductTyped extends NewProduct {
  @Text({ optional: true, max: 40, trim: true }) option?: string;
  @Text({ optional: true, max: 4_000, trim: true }) choices?: string;
  @Int({ optional: true, min: 0, max: MOST_PIECES }) on_hand?: number;
}

/** Commas stand between them, and within them where there are lines or semicolons: `0,5 kg; 1 kg`. */
const choicesIn = (typed = ''): string[] => [
  ...new Set(
    typed
      .split(/[;\n]/.test(typed) ? /[;\n]/ : /,/)
      .map((choice) => choice.trim().replace(/,+$/, ''))
      .filter(Boolean),
  ),
];

const faultsOf = (option: string | undefined, choices: readonly string[]): Violation[] => [
  ...(choices.length > 0 && !option ? [violation('option', 'required', 'is a required field')] : []),
  ...(option && choices.length === 0 ? [violation('choices', 'required', 'is a required field')] : []),
  ...(choices.length > MOST_CHOICES || choices.some(({ length }) => length > LONGEST_CHOICE)
    ? [violation('choices', 'max', `must be at most ${MOST_CHOICES}, of ${LONGEST_CHOICE} characters each`)]
    : []),
];

/** The product that was typed, its stock in the warehouse given. Throws `InvalidInput`. */
export const productTyped = (
  { option, choices: typed, on_hand, ...product }: ProductTyped,
  warehouse: string | undefined,
): NewProduct => {
  const choices = choicesIn(typed);
  refuse(faultsOf(option, choices));
  const { price, ...rest } = product;
  if (price === undefined) return product;
  // What is not sent is never sold out, unless somebody counts it
  const track_stock = (product.kind ?? 'physical') === 'physical' || on_hand !== undefined;
  const stock = on_hand === undefined || warehouse === undefined ? [] : [{ warehouse_id: warehouse, on_hand }];
  const kinds = option && choices.length > 0 ? choices.map((value) => ({ option_values: { [option]: value } })) : [{}];
  return {
    ...rest,
    ...(option && choices.length > 0 && { options: [{ name: option, values: choices }] }),
    variants: kinds.map((kind) => ({ ...kind, price, stock, track_stock })),
  };
};

/** The form of more choices: of a product that has none yet the first is what it sells already. */
export class ChoicesTyped {
  @Text({ max: 40, trim: true }) option!: string;
  @Text({ max: 4_000, trim: true }) choices!: string;
}

/** What is added to a product by them, for the price of what it sells first. Throws `InvalidInput`. */
export const choicesTyped = (
  { id, options: [known], variants: [first] }: Pick<Product, 'id' | 'options' | 'variants'>,
  { option, choices }: ChoicesTyped,
): Generating => {
  const values = [...new Set([...(known?.values ?? []), ...choicesIn(choices)])];
  refuse(faultsOf(option, values));
  const { price = 0, weight_g, track_stock, allow_backorder } = first ?? {};
  const base = { price, weight_g: weight_g ?? undefined, track_stock, allow_backorder };
  return { product_id: id, options: [{ name: known?.name ?? option, values }], base };
};
