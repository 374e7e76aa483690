/** As much as a column holds, and more than any call can use. */
const MOST = 2_147_483_647;

/** A number of tokens or seconds as a provider tells it, rounded up; nothing for what is none. */
export const usageCount = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value <= MOST ? Math.ceil(value) : undefined;

/** The same, where nothing counts as none. */
export const countOrNone = (value: unknown): number => usageCount(value) ?? 0;
