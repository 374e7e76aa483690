import { readFile, writeFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { onlyOrientation, orientationIn } from './exif';

/** Thrown where a file is not as its format says; such a file stays as it is. */
const MALFORMED = new Error('malformed');
const slice = (bytes: Buffer, from: number, length: number): Buffer => {
  if (length < 0 || from + length > bytes.length) throw MALFORMED;
  return bytes.subarray(from, from + length);
};

/** No camera writes so many; to go through millions would keep everybody waiting. */
const MOST_PARTS = 20_000;
const counted = () => {
  let parts = 0;
  return (): void => {
    parts += 1;
    if (parts > MOST_PARTS) throw MALFORMED;
  };
};

const EXIF = Buffer.from('Exif\0\0', 'latin1');
const ICC = Buffer.from('ICC_PROFILE\0', 'latin1');
const [SOI, EOI, SOS, APP1, COM] = [0xd8, 0xd9, 0xda, 0xe1, 0xfe];
const begins = (bytes: Buffer, with_: Buffer): boolean => bytes.subarray(0, with_.length).equals(with_);

/** Where the next marker stands after the coded lines of a picture (T.81 section B.1.1.5): zeros are stuffed, restarts belong to them. */
const afterScan = (bytes: Buffer, from: number): number => {
  for (let at = from; at < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue;
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  throw MALFORMED;
};

/** What a decoder needs of its segments: no comments, and of the applications' JFIF, the colours and Adobe's. */
const isNeeded = (marker: number, body: Buffer): boolean => {
  if (marker === COM) return false;
  if (marker < 0xe0 || marker > 0xef) return true;
  return marker === 0xe0 || marker === 0xee || (marker === 0xe2 && begins(body, ICC));
};

const jpeg = (bytes: Buffer): Buffer => {
  const parts = [slice(bytes, 0, 2)];
  const count = counted();
  let orientation = 1;
  for (let at = 2; ;) {
    count();
    const [sign = 0, marker = 0] = slice(bytes, at, 2);
    if (sign !== 0xff || marker === SOI || marker === 0) throw MALFORMED;
    // What stands behind the end, such as a film of the moment, is not of the picture
    if (marker === EOI) break;
    const segment = slice(bytes, at, 2 + slice(bytes, at + 2, 2).readUInt16BE(0));
    const body = segment.subarray(4);
    const end = marker === SOS ? afterScan(bytes, at + segment.length) : at + segment.length;
    if (marker === APP1 && begins(body, EXIF)) orientation = orientationIn(body.subarray(EXIF.length));
    if (isNeeded(marker, body)) parts.push(bytes.subarray(at, end));
    at = end;
  }
  const told = onlyOrientation(orientation);
  if (told) parts.splice(1, 0, Buffer.from([0xff, APP1, 0, 2 + EXIF.length + told.length]), EXIF, told);
  return Buffer.concat([...parts, Buffer.from([0xff, EOI])]);
};

const pngChunk = (type: string, body: Buffer): Buffer => {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(type, 'latin1'), body, Buffer.alloc(4)]);
  chunk.writeUInt32BE(body.length, 0);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
};

const png = (bytes: Buffer): Buffer => {
  const parts = [slice(bytes, 0, 8)];
  const count = counted();
  for (let [at, type] = [8, '']; type !== 'IEND';) {
    count();
    const chunk = slice(bytes, at, 12 + slice(bytes, at, 4).readUInt32BE(0));
    type = chunk.subarray(4, 8).toString('latin1');
    at += chunk.length;
    const turned = type === 'eXIf' ? onlyOrientation(orientationIn(chunk.subarray(8, -4))) : undefined;
    if (turned) parts.push(pngChunk(type, turned));
    else if (!['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME'].includes(type)) parts.push(chunk);
  }
  return Buffer.concat(parts);
};

const [EXIF_FLAG, XMP_FLAG] = [0x08, 0x04];

const webpChunk = (type: string, body: Buffer): Buffer => {
  const chunk = Buffer.alloc(8 + body.length + (body.length % 2));
  chunk.write(type, 'latin1');
  chunk.writeUInt32LE(body.length, 4);
  body.copy(chunk, 8);
  return chunk;
};

const webp = (bytes: Buffer): Buffer => {
  const parts: Buffer[] = [];
  const count = counted();
  let told: Buffer | undefined;
  for (let [at, end] = [12, 8 + slice(bytes, 4, 4).readUInt32LE(0)]; at < end;) {
    count();
    const length = slice(bytes, at + 4, 4).readUInt32LE(0);
    const type = slice(bytes, at, 4).toString('latin1');
    const body = slice(bytes, at + 8, length);
    at += 8 + length + (length % 2);
    const tiff = begins(body, EXIF) ? body.subarray(EXIF.length) : body;
    if (type === 'EXIF') told = onlyOrientation(orientationIn(tiff));
    else if (type !== 'XMP ') parts.push(webpChunk(type, body));
  }
  const [first] = parts;
  if (first?.subarray(0, 4).toString('latin1') === 'VP8X') {
    const flags = (first[8] ?? 0) & ~(EXIF_FLAG | XMP_FLAG);
    first[8] = told ? flags | EXIF_FLAG : flags;
    if (told) parts.push(webpChunk('EXIF', told));
  }
  const all = Buffer.concat([slice(bytes, 0, 12), ...parts]);
  all.writeUInt32LE(all.length - 8, 4);
  return all;
};

const READERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  'image/jpeg': jpeg,
  'image/png': png,
  'image/webp': webp,
};

/**
 * A picture without what its camera told: where it was taken, when, by whom. Not a line of it is coded anew, and it is turned as before. What
 * is of another type, or not as its format says, stays as it is.
 */
export const untold = (bytes: Buffer, mimetype: string): Buffer => {
  try {
    return READERS[mimetype]?.(bytes) ?? bytes;
  } catch (failure) {
    if (failure === MALFORMED) return bytes;
    throw failure;
  }
};

/** The same with a file, in its place; resolves to its bytes. */
export const untellFile = async (path: string, mimetype: string): Promise<number | undefined> => {
  if (READERS[mimetype] === undefined) return undefined;
  const before = await readFile(path);
  const after = untold(before, mimetype);
  if (after.equals(before)) return undefined;
  await writeFile(path, after, { flush: true });
  return after.length;
};
