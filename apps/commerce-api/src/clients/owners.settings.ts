import { integer } from '@platform/runtime';

/** How long the owners of what faces show are waited for, in milliseconds (design 5.6). */
export const ownersSettings = {
  /** Any of their answers. */
  OWNER_TIMEOUT_MS: integer(50, 60_000, { fallback: 5_000 }),
  /** An answer that a model writes. */
  MODEL_TIMEOUT_MS: integer(50, 120_000, { fallback: 30_000 }),
};
