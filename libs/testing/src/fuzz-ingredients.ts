/** Mulberry32: small, seeded, good enough to choose with. */
export const random = (seed: number) => {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const chance = (share: number): boolean => next() < share;
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  return { below, chance, pick };
};

export type Random = ReturnType<typeof random>;

/** What good requests are made of, so that some get past the first check. */
export interface Ingredients {
  /** Tokens that are good somewhere. */
  readonly tokens: readonly string[];
  /** The one that is good at most internal routes. */
  readonly service: string;
  readonly texts: readonly string[];
  /** Good values of single fields and path parameters, where any of `texts` would hardly ever fit. */
  readonly fields?: Readonly<Record<string, readonly string[]>>;
}
