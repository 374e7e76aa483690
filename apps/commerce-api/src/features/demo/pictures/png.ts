import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const RGB = 2;

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** A PNG (RFC 2083) of `side` by `side` pixels, each three bytes: red, green, blue. */
export const pngOf = (side: number, pixels: Uint8Array): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, RGB, 0, 0, 0], 8);
  const row = side * 3;
  const lines = Buffer.alloc(side * (row + 1));
  // Each line begins with its filter: none
  for (let y = 0; y < side; y += 1) lines.set(pixels.subarray(y * row, (y + 1) * row), y * (row + 1) + 1);
  const data = deflateSync(lines, { level: 7 });
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
};
