import type { SecretBox } from '@platform/auth';

/** What a sealed secret says; undefined where it cannot be read, because a key is gone or the row was changed. */
export const opened = (box: SecretBox, sealed: string, purpose: string): string | undefined => {
  try {
    return box.open(sealed, purpose);
  } catch {
    return undefined;
  }
};
