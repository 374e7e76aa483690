interface Rendition {
  /** At most: nothing is blown up. */
  readonly width: number;
  readonly mimetype: 'image/webp' | 'image/jpeg';
}

const webp = (width: number): Rendition => ({ width, mimetype: 'image/webp' });

/** In which sizes pictures are given out (ADR 157). `j640` is for readers that know no WebP: old browsers, previews of links. */
export const RENDITIONS = {
  ...{ w160: webp(160), w320: webp(320), w640: webp(640), w1280: webp(1280) },
  j640: { width: 640, mimetype: 'image/jpeg' },
} as const satisfies Record<string, Rendition>;
export type RenditionName = keyof typeof RENDITIONS;
export const renditionNames = Object.keys(RENDITIONS) as readonly RenditionName[];

/** Of a name of ours: how a picture is called of which there are other sizes. A GIF is left as it is: it may move. */
const PICTURE = /\.(jpg|png|webp)$/;
export const hasRenditions = (nameOrUrl: string): boolean => PICTURE.test(nameOrUrl);
