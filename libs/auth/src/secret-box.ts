import type { Setting } from '@platform/runtime';
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Encrypts secrets at rest. */
export interface SecretBox {
  /** `purpose` (a table and row, say) is bound to the box: it opens only with the same one. */
  seal(plain: string, purpose: string): string;
  /** Throws when the key is not in the ring, the purpose differs, or a bit was changed. */
  open(sealed: string, purpose: string): string;
  /** True for a box sealed with an older key: reseal it. */
  isStale(sealed: string): boolean;
}

const VERSION = 'v1';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

const idOf = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 8);

const readKeys = (keys: string, setting: string): Map<string, Buffer> => {
  const ring = keys.split(',').map((key) => Buffer.from(key.trim(), 'base64'));
  if (ring.some((key) => key.length !== KEY_BYTES))
    throw new Error(`${setting} must be 32 bytes in base64, or several such keys with commas, the newest first`);
  return new Map(ring.map((key) => [idOf(key), key]));
};

/** The keys of a secret box as a setting; the fallback is for development only. */
export const secretBoxKeys: Setting<string> = {
  expects: '32 bytes in base64, or several such keys with commas, the newest first',
  secret: true,
  fallback: Buffer.alloc(KEY_BYTES, 'development only ').toString('base64'),
  requiredInProduction: true,
  read: (text) =>
    text.split(',').every((key) => Buffer.from(key.trim(), 'base64').length === KEY_BYTES) ? text : undefined,
};

/**
 * AES-256-GCM (NIST SP 800-38D) with a random 96 bit IV and a ring of keys: a comma list of 32 bytes in base64, the newest
 * first. The first seals, all open. A box is `v1.<key id>.<base64url of IV, tag, ciphertext>`; the key id is the start of
 * the key's SHA-256, so the ring needs no names.
 */
export const secretBox = (
  keys: string,
  { setting = 'the encryption key' }: { readonly setting?: string } = {},
): SecretBox => {
  const ring = readKeys(keys, setting);
  const [newest] = ring;
  if (!newest) throw new Error(`${setting} is empty`);
  const [sealingId, sealingKey] = newest;
  const partsOf = (sealed: string): { id: string; data: Buffer } => {
    const [version, id = '', data = ''] = sealed.split('.');
    if (version !== VERSION) throw new Error('this is not a box of secretBox');
    return { id, data: Buffer.from(data, 'base64url') };
  };
  return {
    seal: (plain, purpose) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, iv).setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return [VERSION, sealingId, Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')].join('.');
    },
    open: (sealed, purpose) => {
      const { id, data } = partsOf(sealed);
      const key = ring.get(id);
      if (!key)
        throw new Error(
          `${setting} does not hold the key ${id} that this was sealed with: put it back at the end of the list`,
        );
      const decipher = createDecipheriv('aes-256-gcm', key, data.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      }).setAAD(Buffer.from(purpose));
      decipher.setAuthTag(data.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(data.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
    },
    isStale: (sealed) => partsOf(sealed).id !== sealingId,
  };
};
