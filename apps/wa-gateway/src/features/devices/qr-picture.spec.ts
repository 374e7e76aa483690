import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import { dataUri, qrPicture } from './qr-picture';

const codeOf = (qr: string) => ({ qr, attempt: 1, expiresAt: new Date() });

it.each([
  ['of the simulator', 'sim:link/toko-1/0123456789abcdef01234567'],
  ['of WhatsApp', `https://wa.me/settings/linked_devices#${'2@aB3+/='.repeat(28)},1`],
])('a picture of a code %s is read by a decoder as the same text', async (_, text) => {
  const png = await qrPicture(codeOf(text));
  const { data, width, height } = PNG.sync.read(png);
  expect(width).toBe(height);
  expect(width).toBeGreaterThanOrEqual(264);
  expect(jsQR(new Uint8ClampedArray(data), width, height)?.data).toBe(text);
  expect(dataUri(png)).toBe(`data:image/png;base64,${png.toString('base64')}`);
});

it('a code is drawn once', () => {
  const code = codeOf('sim:link/toko-1/00');
  expect(qrPicture(code)).toBe(qrPicture(code));
});
