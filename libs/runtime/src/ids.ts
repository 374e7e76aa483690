import { createHash, randomBytes } from 'node:crypto';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Whether a text is a UUID (RFC 9562) of any version, in either case. */
export const isUuid = (text: string): boolean => UUID.test(text);

const POOL_BYTES = 2048;
let pool = '';
let used = 0;

/** Random bytes as hex digits, from the cryptographic generator; at most 64 bytes. One call of the generator serves a hundred ids. */
export const randomHex = (bytes: number): string => {
  const digits = bytes * 2;
  if (used + digits > pool.length) {
    pool = randomBytes(POOL_BYTES).toString('hex');
    used = 0;
  }
  used += digits;
  return pool.slice(used - digits, used);
};

/** The two highest bits of the ninth byte are 10; a hex digit's own two lowest bits are as random as the digit. */
const VARIANTS = '89ab';
let lastMs = 0;
let counter = 0;

/**
 * A UUID of version 7 (RFC 9562 section 5.7): milliseconds first, so that ids sort by time of creation; the 12 bits of
 * rand_a count up within one millisecond (method 1 of section 6.2), so that ids of one process are strictly increasing.
 */
export const uuidv7 = (): string => {
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    counter = 0;
  } else if (++counter > 0xfff) {
    lastMs += 1;
    counter = 0;
  }
  const time = lastMs.toString(16).padStart(12, '0');
  const version = (0x7000 | counter).toString(16);
  const random = randomHex(8);
  const variant = VARIANTS.charAt(random.charCodeAt(0) & 3);
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}${random.slice(1, 4)}-${random.slice(4)}`;
};

const hex = (buffer: Buffer): string => {
  const text = buffer.toString('hex');
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`;
};

/** A UUID of version 5 (RFC 9562 section 5.5): the same namespace and name always give the same id. */
export const uuidv5 = (namespace: string, name: string): string => {
  const bytes = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return hex(bytes);
};
