import { toBuffer } from 'qrcode';
import type { QrInfo } from '../../engines/engine.types';

const pictures = new WeakMap<QrInfo, Promise<Buffer>>();

/** A PNG of the code, large enough for a phone's camera; drawn once per code. */
export const qrPicture = (code: QrInfo): Promise<Buffer> => {
  const known = pictures.get(code) ?? toBuffer(code.qr, { type: 'png', width: 320, margin: 2 });
  pictures.set(code, known);
  return known;
};

export const dataUri = (png: Buffer): string => `data:image/png;base64,${png.toString('base64')}`;
