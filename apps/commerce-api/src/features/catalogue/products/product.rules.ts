import { Conflict, type Failure, type Violation } from '@platform/errors';
import { variantsFaults, violation, optionFaults } from '../variants/public';
import type { NewProduct, Product } from './product.dto';

export const productRefusals = {
  slugTaken: (): Failure => new Conflict('The slug is taken', { code: 'slug_taken' }),
} as const;

/**
 * Text without HTML: tags go, and what is left of a broken one cannot begin another. A tag holds no other's beginning, or a text
 * of nothing but beginnings would be read to its end for each of them.
 */
export const withoutHtml = (text: string): string =>
  text.replace(/<[a-z/!?][^<>]*>/gi, '').replace(/<(?=[a-z/!?])/gi, '');

/** What people set of a product: prices and stock change by themselves, and have writes of their own. */
export const editableOf = ({
  variants: _variants,
  images: _images,
  image: _image,
  price_min: _min,
  price_max: _max,
  available: _available,
  counted: _counted,
  updated_at: _at,
  ...row
}: Product): object => row;

const lacksWeight = (
  kind: Product['kind'],
  weight: number,
  variants: readonly { weight_g?: number | null | undefined }[],
): boolean => kind === 'physical' && weight === 0 && variants.some(({ weight_g }) => !weight_g);

/** Why a product cannot be on sale. */
export const publishingFaults = ({
  kind,
  weight_g,
  variants,
}: Pick<Product, 'kind' | 'weight_g' | 'variants'>): Violation[] => [
  ...(variants.length === 0 ? [violation('price', 'required', 'is needed to publish')] : []),
  ...(lacksWeight(kind, weight_g, variants)
    ? [violation('weight_g', 'required', 'is needed to publish what is shipped')]
    : []),
];

/** What is wrong with a new product beyond its fields. */
export const newProductFaults = (product: NewProduct): Violation[] => {
  const { kind = 'physical', price, variants, options = [], weight_g } = product;
  const both = price !== undefined && variants !== undefined;
  return [
    ...(price === undefined && variants === undefined
      ? [violation('price', 'required_without', 'is a required field')]
      : []),
    ...(both ? [violation('variants', 'excluded_with', 'must not be given together with price')] : []),
    ...optionFaults(options),
    ...(variants
      ? variantsFaults(options, variants)
      : options.length > 0
        ? [violation('variants', 'required_with', 'is a required field')]
        : []),
    ...(lacksWeight(kind, weight_g ?? 0, variants ?? [{}]) && weight_g === undefined
      ? [violation('weight_g', 'required', 'is a required field')]
      : []),
  ];
};
