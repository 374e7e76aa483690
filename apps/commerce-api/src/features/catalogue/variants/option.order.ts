interface Options {
  readonly name: string;
  readonly values: readonly string[];
}
type Values = Readonly<Record<string, string>>;

/** What makes a variant of its product, in the order in which the product has its options: PostgreSQL keeps another. */
export const optionPairs = (
  options: readonly Pick<Options, 'name'>[],
  { option_values }: { readonly option_values: object },
): (readonly [name: string, value: string])[] =>
  options.flatMap(({ name }) => {
    const value = Object.hasOwn(option_values, name) ? (option_values as Values)[name] : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });

/** The same in words: `Hitam`, `42`. */
export const optionWords = (...of: Parameters<typeof optionPairs>): string[] =>
  optionPairs(...of).map(([, value]) => value);

/**
 * Variants as a list of their options has them: all sizes of the first colour, then all of the second. What the options do not name (any more)
 * comes last; what they do not tell apart stays as it was.
 */
export const inOptionOrder = <V extends { readonly option_values: object }>(
  options: readonly Options[],
  variants: readonly V[],
): V[] => {
  const places = options.map(({ name, values }) => ({ name, at: new Map(values.map((value, n) => [value, n])) }));
  const keyOf = ({ option_values }: V): number[] =>
    places.map(
      ({ name, at }) =>
        at.get((Object.hasOwn(option_values, name) && (option_values as Values)[name]) || '') ?? at.size,
    );
  const keyed = variants.map((variant) => ({ variant, key: keyOf(variant) }));
  const compared = (one: readonly number[], other: readonly number[]): number =>
    one.map((place, n) => place - (other[n] ?? 0)).find((difference) => difference !== 0) ?? 0;
  return keyed.sort((one, other) => compared(one.key, other.key)).map(({ variant }) => variant);
};
