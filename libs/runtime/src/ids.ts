import { createHash, randomFillSync } from 'node:crypto';

const pool = Buffer.alloc(10 * 256);
let used = pool.length;
let lastMs = 0;
let counter = 0;

const hex = (buffer: Buffer): string => {
  const text = buffer.toString('hex');
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`;
};

/**
 * A UUID of version 7 (RFC 9562 section 5.7): milliseconds first, so that ids sort by time of creation; the 12 bits of
 * rand_a count up within one millisecond (method 1 of section 6.2), so that ids of one process are strictly increasing.
 */
export const uuidv7 = (): string => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    counter = 0;
  } else if (++counter > 0xfff) {
    lastMs += 1;
    counter = 0;
  }
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(lastMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  pool.copy(bytes, 8, used, (used += 10) - 2);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return hex(bytes);
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
