import pluralize from 'pluralize';

/** The forms of a feature's name; templates refer to them as `{{one}}`. */
export interface FeatureNames {
  /** Folder below `features/`, including the area where an app has areas: `orders/refund-reasons`. */
  folder: string;
  /** `orders`, or empty. */
  area: string;
  /** The requested name: `refund-reasons`, `refund_reasons`, `refundReasons`, `RefundReasons`. */
  kebab: string;
  snake: string;
  all: string;
  All: string;
  /** Singular: `refund reason`, `RefundReason`, `refund_reason`. */
  one: string;
  One: string;
  one_snake: string;
  /** Plural: `refund reasons`, `RefundReasons`, `refund_reasons`; equal to the singular for news and series. */
  many: string;
  Many: string;
  many_snake: string;
  /** Relative path from a file of the feature to `src/`. */
  up: string;
}

const pascal = (kebab: string): string =>
  kebab.replace(/(^|-)([a-z0-9])/g, (_match, _dash, letter: string) => letter.toUpperCase());
const camel = (kebab: string): string => pascal(kebab).replace(/^./, (letter) => letter.toLowerCase());
const snake = (kebab: string): string => kebab.replaceAll('-', '_');
const words = (kebab: string): string => kebab.replaceAll('-', ' ');

/** Throws unless `path` is a kebab-case name with at most one area before it. */
export const featureNames = (path: string): FeatureNames => {
  if (!/^([a-z][a-z0-9-]*\/)?[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(path))
    throw new Error(
      `"${path}" is no name for a feature: use kebab-case, such as refund-reasons (commerce-api: area/refund-reasons).`,
    );
  const kebab = path.split('/').at(-1) ?? path;
  const one = pluralize.singular(kebab);
  const many = pluralize.plural(one);
  return {
    folder: path,
    area: path.includes('/') ? (path.split('/')[0] ?? '') : '',
    kebab,
    snake: snake(kebab),
    all: camel(kebab),
    All: pascal(kebab),
    one: words(one),
    One: pascal(one),
    one_snake: snake(one),
    many: words(many),
    Many: pascal(many),
    many_snake: snake(many),
    up: '../'.repeat(path.split('/').length + 1),
  };
};
