import type { Violation } from '@platform/errors';
import type { RowFault } from '../../../imports/public';
import type { VariantItem } from './product.item';

/** What is wrong in a row; without one it is the first of its product. */
export type Fault = Omit<RowFault, 'row'> & Partial<Pick<RowFault, 'row'>>;

export const fault = (field: string, tag: string, text: string, about?: string | number): Fault => ({
  ...{ field, tag, message: `${field} ${text}` },
  ...(about !== undefined && { about: String(about) }),
});

/** A variant and the row that told it first. */
export type RowOf = (variant: VariantItem | undefined) => number | undefined;

const OF_VARIANT = /^variants\[(\d+)\]\.(.+)$/;

/** Options of a variant are told in several columns: the first stands for them. */
const ofOptions = (tag: string, first: number | undefined): Fault =>
  tag === 'unique'
    ? fault('option1_value', 'variantTwice', `and the other options must not be those of row ${first}`, first)
    : fault('option1_name', 'options', 'and the other options must be those of the product');

const valuesOf = ({ option_values }: VariantItem): string => JSON.stringify(Object.entries(option_values).sort());

/** What is wrong with a product, at the column and the row where its file says so. */
export const faultIn = (variants: readonly VariantItem[], rowOf: RowOf, violation: Violation): Fault => {
  const { field, tag, message } = violation;
  const [, at = '', column] = OF_VARIANT.exec(field) ?? [];
  const variant = variants[Number(at)];
  if (column === undefined || !variant) return { field, tag, message };
  const like = variants.find((each) => valuesOf(each) === valuesOf(variant));
  const told = column === 'option_values' ? ofOptions(tag, rowOf(like)) : { field: column, tag, message };
  return { ...told, row: rowOf(variant) };
};
