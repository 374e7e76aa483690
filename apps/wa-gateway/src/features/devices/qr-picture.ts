import { toBuffer } from 'qrcode';
import type { QrInfo } from '../../engines/engine.types';

/** Large enough for a phone's camera. Without PNG's row filters, which help photographs and cost most of the time here. */
const PICTURE = {
  type: 'png' as const,
  width: 320,
  margin: 4,
  rendererOpts: { deflateLevel: 9, deflateStrategy: 0 as const, filterType: 0 },
};

const pictures = new WeakMap<QrInfo, Promise<Buffer>>();

/** A PNG of the code; drawn once per code. */
export const qrPicture = (code: QrInfo): Promise<Buffer> => {
  const known = pictures.get(code) ?? toBuffer(code.qr, PICTURE);
  pictures.set(code, known);
  return known;
};

export const dataUri = (png: Buffer): string => `data:image/png;base64,${png.toString('base64')}`;
