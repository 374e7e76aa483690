/** Every form in which a feature is named in its files. */
export interface FeatureNames {
  /** Service that gets the feature, such as `chat-backend`. */
  app: string;
  /** Folder below `features/`, with the area in front where an app has areas: `orders/refund-reasons`. */
  folder: string;
  /** `refund-reasons`, the prefix of the files. */
  kebab: string;
  /** `refund-reason` and `RefundReason`: one of them. */
  one: string;
  onePascal: string;
  /** `refundReasons` and `RefundReasons`: all of them. */
  camel: string;
  pascal: string;
  /** `refund_reasons` */
  table: string;
  /** From a file of the feature to `src/`. */
  up: string;
}

const pascalOf = (kebab: string): string =>
  kebab.replace(/(^|-)([a-z0-9])/g, (_match, _dash, letter: string) => letter.toUpperCase());
const camelOf = (kebab: string): string => pascalOf(kebab).replace(/^./, (letter) => letter.toLowerCase());
const singular = (kebab: string): string => kebab.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '');

/** Throws when `path` is no kebab-case name with at most one area in front of it. */
export const featureNames = (app: string, path: string): FeatureNames => {
  if (!/^([a-z][a-z0-9-]*\/)?[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(path))
    throw new Error(
      `"${path}" is no name for a feature: use kebab-case, plural, such as refund-reasons (commerce-api: area/refund-reasons).`,
    );
  const kebab = path.split('/').at(-1) ?? path;
  const one = singular(kebab);
  return {
    app,
    folder: path,
    kebab,
    one,
    onePascal: pascalOf(one),
    camel: camelOf(kebab),
    pascal: pascalOf(kebab),
    table: kebab.replaceAll('-', '_'),
    up: '../'.repeat(path.split('/').length + 1),
  };
};
