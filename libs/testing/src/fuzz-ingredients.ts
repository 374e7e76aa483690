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

/** Parts of valid requests, so that some get past the first check. */
export interface Ingredients {
  /** Tokens that are valid somewhere. */
  readonly tokens: readonly string[];
  /** The one that is valid at most internal routes. */
  readonly service: string;
  readonly texts: readonly string[];
  /** Valid values of single fields and path parameters that `texts` would hardly ever match. */
  readonly fields?: Readonly<Record<string, readonly string[]>>;
  /** The path of a route with what is there in it, which one of many ids would hardly ever be; undefined where nothing is. */
  readonly path?: (template: string) => string | undefined;
}
