/** Where tools/jest/environment.cjs keeps it: modules of the workspace are new for each spec file, and so are globals. */
const PLACE = Symbol.for('platform.kept');
const places = globalThis as unknown as Record<symbol, Map<string, unknown> | undefined>;

/**
 * Makes it once for all spec files of a worker. The key must say everything that it is made of: what one file made is what another
 * gets, so it holds no state, and no class or function of our own modules.
 */
export const kept = <T>(key: string, make: () => T): T => {
  const place = (places[PLACE] ??= new Map());
  if (!place.has(key)) place.set(key, make());
  return place.get(key) as T;
};
