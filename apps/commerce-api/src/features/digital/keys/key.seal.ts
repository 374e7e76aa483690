import type { SecretBox } from '@platform/auth';
import { endOf, keyHash } from './key.text';

/** What a sealed key is bound to: it opens as this row's alone. */
export const sealedFor = (storeId: string, id: string): string => `license_key ${storeId} ${id}`;

/** A key as its row has it. */
export interface KeyColumns {
  readonly key_enc: string;
  readonly key_hash: string;
  readonly last4: string;
}

export const keyColumns = (
  box: SecretBox,
  { storeId, id, productId }: { readonly storeId: string; readonly id: string; readonly productId: string },
  key: string,
): KeyColumns => ({
  key_enc: box.seal(key, sealedFor(storeId, id)),
  key_hash: keyHash(productId, key),
  last4: endOf(key),
});
