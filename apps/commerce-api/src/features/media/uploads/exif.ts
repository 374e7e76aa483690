/** What of Exif matters to whoever looks at a picture: how it is to be turned. */

const ORIENTATION = 0x0112;
const UPRIGHT = 1;
const TURNED = 8;
const ENTRY_BYTES = 12;

/** Of a TIFF block as Exif has it (TIFF 6.0 section 2); `1` for what is none. */
export const orientationIn = (tiff: Buffer): number => {
  const isLittle = tiff.subarray(0, 2).toString('latin1') === 'II';
  const [short, long] = isLittle
    ? [(at: number) => tiff.readUInt16LE(at), (at: number) => tiff.readUInt32LE(at)]
    : [(at: number) => tiff.readUInt16BE(at), (at: number) => tiff.readUInt32BE(at)];
  try {
    const first = long(4);
    for (let nth = 0; nth < short(first); nth += 1) {
      const entry = first + 2 + nth * ENTRY_BYTES;
      if (short(entry) === ORIENTATION) return short(entry + 8);
    }
  } catch {
    // It ends before it should: nothing is known
  }
  return UPRIGHT;
};

/** A TIFF block that tells this and nothing else; undefined: there is nothing to tell. */
export const onlyOrientation = (orientation: number): Buffer | undefined => {
  if (orientation <= UPRIGHT || orientation > TURNED) return undefined;
  const tiff = Buffer.alloc(26);
  tiff.write('MM\0*', 'latin1');
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(1, 8);
  tiff.writeUInt16BE(ORIENTATION, 10);
  tiff.writeUInt16BE(3, 12);
  tiff.writeUInt32BE(1, 14);
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
};
