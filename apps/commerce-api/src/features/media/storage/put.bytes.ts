import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mediaTypeOf } from '@platform/http';
import { uuidv7 } from '@platform/runtime';
import type { ObjectStore } from './object.store';

/** Keeps bytes under a key that whoever made them has chosen; the same again changes nothing. */
export const putBytes = async (
  store: Pick<ObjectStore, 'incoming' | 'put'>,
  { key, bytes }: { readonly key: string; readonly bytes: Buffer },
): Promise<void> => {
  await mkdir(store.incoming, { recursive: true, mode: 0o700 });
  const path = join(store.incoming, `${uuidv7()}.part`);
  try {
    await writeFile(path, bytes, { mode: 0o600, flush: true });
    await store.put(key, path, mediaTypeOf(bytes).mimetype);
  } finally {
    await rm(path, { force: true });
  }
};
