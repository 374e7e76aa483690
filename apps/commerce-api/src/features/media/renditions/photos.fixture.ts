import sharp, { type Sharp } from 'sharp';

interface Photo {
  readonly width?: number;
  readonly height?: number;
  readonly type?: 'jpg' | 'png' | 'webp';
  /** Its first line is known only when all of it was read. */
  readonly progressive?: boolean;
}

const written = (picture: Sharp, { type = 'jpg', progressive = false }: Photo): Sharp => {
  if (type === 'png') return picture.png({ progressive });
  return type === 'webp' ? picture.webp() : picture.jpeg({ progressive });
};

/**
 * What a phone takes: held upright, so that its lines lie on their side, and with the place where it stood. Red on the left of what people
 * see, blue on the right.
 */
export const photo = (of: Photo = {}): Promise<Buffer> => {
  const { width = 1600, height = 1200 } = of;
  const blue = { create: { width: width / 2, height, channels: 3, background: '#00f' } } as const;
  const upright = sharp({ create: { width, height, channels: 3, background: '#f00' } })
    .composite([{ input: blue, left: width / 2, top: 0 }])
    .png()
    .toBuffer();
  return upright.then((bytes) =>
    written(sharp(bytes).rotate(270), of)
      .withExif({ IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '6/1 12/1 0/1' }, IFD0: { Model: 'Telepon Sari' } })
      .withMetadata({ orientation: 6 })
      .toBuffer(),
  );
};

/** Few bytes that unpack to very many. */
export const bomb = (of: Photo): Promise<Buffer> =>
  written(
    sharp({
      create: { width: of.width ?? 20_000, height: of.height ?? 10_000, channels: 3, background: '#fff' },
      limitInputPixels: false,
    }),
    of,
  ).toBuffer();

/** Two pictures that follow each other. */
export const GIF = Buffer.from(
  'R0lGODlhAQABAIAAAP8AAAAA/yH/C05FVFNDQVBFMi4wAwEAAAAh+QQACgAAACwAAAAAAQABAAACAkQBACH5BAAKAAAALAAAAAABAAEAAAICTAEAOw==',
  'base64',
);
