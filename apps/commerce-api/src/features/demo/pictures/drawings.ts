import { between, box, Canvas, disc, maskOf, mixed, outline, ring, type Colour, type Mask, type Shape } from './canvas';
import { pngOf } from './png';

/** What is painted in the colour of the goods (0), darker (-1), lighter (1), or in these. */
type Tone = -1 | 0 | 1 | Colour;
type Stroke = readonly [Tone, Shape];

const METAL: Colour = [170, 176, 184];
const WHITE: Colour = [250, 250, 248];
const BLACK: Colour = [30, 32, 38];

const shirt = outline(
  [0.32, 0.22],
  [0.42, 0.2],
  [0.5, 0.26],
  [0.58, 0.2],
  [0.68, 0.22],
  [0.86, 0.38],
  [0.76, 0.48],
  [0.69, 0.43],
  [0.69, 0.82],
  [0.31, 0.82],
  [0.31, 0.43],
  [0.24, 0.48],
  [0.14, 0.38],
);
const jacket = outline(
  [0.34, 0.2],
  [0.66, 0.2],
  [0.84, 0.36],
  [0.86, 0.74],
  [0.75, 0.76],
  [0.71, 0.46],
  [0.71, 0.84],
  [0.29, 0.84],
  [0.29, 0.46],
  [0.25, 0.76],
  [0.14, 0.74],
  [0.16, 0.36],
);
const trousers = outline([0.34, 0.16], [0.66, 0.16], [0.7, 0.86], [0.56, 0.86], [0.5, 0.36], [0.44, 0.86], [0.3, 0.86]);
const shorts = outline([0.28, 0.28], [0.72, 0.28], [0.8, 0.68], [0.56, 0.7], [0.5, 0.46], [0.44, 0.7], [0.2, 0.68]);
const shoe = outline(
  [0.12, 0.42],
  [0.2, 0.36],
  [0.3, 0.42],
  [0.42, 0.38],
  [0.58, 0.52],
  [0.78, 0.56],
  [0.88, 0.64],
  [0.88, 0.7],
  [0.12, 0.7],
);
const sock = outline([0.36, 0.16], [0.54, 0.16], [0.55, 0.5], [0.74, 0.64], [0.72, 0.78], [0.6, 0.8], [0.37, 0.6]);

const lines = (count: number, shapeOf: (at: number) => Shape, tone: Tone): Stroke[] =>
  Array.from({ length: count }, (_, at) => [tone, shapeOf(at)]);

const strokes = {
  shoe: [
    [0, shoe],
    [-1, outline([0.12, 0.42], [0.2, 0.36], [0.26, 0.4], [0.24, 0.7], [0.12, 0.7])],
    ...lines(
      3,
      (at) =>
        outline(
          [0.4 + at * 0.07, 0.47 + at * 0.04],
          [0.43 + at * 0.07, 0.45 + at * 0.04],
          [0.39 + at * 0.07, 0.58 + at * 0.02],
          [0.36 + at * 0.07, 0.58 + at * 0.02],
        ),
      WHITE,
    ),
    [WHITE, box(0.1, 0.68, 0.9, 0.76, 0.04)],
    [-1, box(0.1, 0.73, 0.9, 0.76, 0.02)],
  ],
  sandal: [
    [-1, box(0.1, 0.6, 0.9, 0.74, 0.06)],
    [0, box(0.1, 0.58, 0.9, 0.66, 0.04)],
    [1, outline([0.5, 0.58], [0.58, 0.4], [0.72, 0.44], [0.8, 0.58])],
    [-1, outline([0.2, 0.58], [0.26, 0.42], [0.36, 0.42], [0.42, 0.58])],
  ],
  shirt: [
    [0, shirt],
    [-1, disc(0.5, 0.22, 0.08, 0.05)],
    [1, box(0.31, 0.6, 0.69, 0.64)],
  ],
  jacket: [
    [0, jacket],
    [-1, box(0.4, 0.14, 0.6, 0.24, 0.04)],
    [METAL, box(0.49, 0.22, 0.51, 0.84)],
    ...lines(2, (at) => box(0.34 + at * 0.22, 0.6, 0.44 + at * 0.22, 0.62), -1),
  ],
  trousers: [
    [0, trousers],
    [-1, box(0.34, 0.16, 0.66, 0.21)],
    [1, outline([0.34, 0.24], [0.37, 0.24], [0.34, 0.86], [0.31, 0.86])],
  ],
  shorts: [
    [0, shorts],
    [-1, box(0.28, 0.28, 0.72, 0.34)],
    [1, outline([0.24, 0.5], [0.27, 0.5], [0.25, 0.68], [0.21, 0.67])],
  ],
  bag: [
    [-1, ring(0.5, 0.28, [0.16, 0.14], 0.04)],
    [0, box(0.24, 0.26, 0.76, 0.84, 0.12)],
    [-1, box(0.32, 0.54, 0.68, 0.78, 0.06)],
    [METAL, box(0.32, 0.6, 0.68, 0.615)],
    [1, box(0.3, 0.4, 0.7, 0.42)],
  ],
  cap: [
    [0, between(disc(0.46, 0.56, 0.3, 0.3), 0.26, 0.6)],
    [-1, outline([0.16, 0.54], [0.76, 0.54], [0.92, 0.62], [0.9, 0.66], [0.16, 0.6])],
    [1, disc(0.46, 0.27, 0.03, 0.02)],
    [WHITE, disc(0.5, 0.42, 0.06)],
  ],
  towel: [
    [0, box(0.2, 0.28, 0.8, 0.76, 0.05)],
    ...lines(3, (at) => box(0.2, 0.36 + at * 0.14, 0.8, 0.4 + at * 0.14), 1),
    [-1, box(0.2, 0.7, 0.8, 0.76, 0.03)],
  ],
  socks: [
    [-1, { ...sock, inside: (x, y) => sock.inside(x + 0.08, y - 0.04), box: [0.2, 0.18, 0.74, 0.86] }],
    [0, sock],
    [1, box(0.36, 0.2, 0.545, 0.24)],
    [1, box(0.36, 0.28, 0.545, 0.32)],
  ],
  bottle: [
    [0, box(0.36, 0.3, 0.64, 0.86, 0.07)],
    [METAL, box(0.41, 0.22, 0.59, 0.31)],
    [BLACK, box(0.39, 0.13, 0.61, 0.24, 0.03)],
    [1, box(0.41, 0.36, 0.44, 0.78, 0.015)],
    [-1, box(0.36, 0.6, 0.64, 0.63)],
  ],
  mat: [
    [0, box(0.24, 0.4, 0.86, 0.62, 0.02)],
    [-1, disc(0.24, 0.51, 0.11)],
    [1, ring(0.24, 0.51, [0.08, 0.08], 0.02)],
    [1, disc(0.24, 0.51, 0.03)],
    [BLACK, box(0.42, 0.4, 0.45, 0.62)],
    [BLACK, box(0.68, 0.4, 0.71, 0.62)],
  ],
  block: [
    [0, box(0.2, 0.4, 0.8, 0.7, 0.04)],
    [1, outline([0.24, 0.4], [0.32, 0.3], [0.88, 0.3], [0.78, 0.4])],
    [-1, outline([0.8, 0.42], [0.88, 0.31], [0.88, 0.58], [0.8, 0.68])],
  ],
  racket: [
    [METAL, box(0.488, 0.5, 0.512, 0.76)],
    [0, ring(0.5, 0.32, [0.17, 0.21], 0.025)],
    ...lines(7, (at) => box(0.36 + at * 0.045, 0.16, 0.363 + at * 0.045, 0.48), METAL),
    ...lines(7, (at) => box(0.36, 0.18 + at * 0.045, 0.64, 0.183 + at * 0.045), METAL),
    [-1, box(0.47, 0.7, 0.53, 0.92, 0.02)],
  ],
  tube: [
    [0, box(0.36, 0.16, 0.64, 0.86, 0.03)],
    [[74, 122, 90], box(0.36, 0.34, 0.64, 0.68)],
    [WHITE, disc(0.5, 0.46, 0.06)],
    [WHITE, outline([0.43, 0.6], [0.57, 0.6], [0.53, 0.47], [0.47, 0.47])],
    [METAL, box(0.36, 0.14, 0.64, 0.19, 0.02)],
  ],
  barbell: [
    [METAL, box(0.3, 0.47, 0.7, 0.53)],
    [0, box(0.16, 0.34, 0.34, 0.66, 0.05)],
    [0, box(0.66, 0.34, 0.84, 0.66, 0.05)],
    [-1, box(0.3, 0.34, 0.34, 0.66)],
    [-1, box(0.66, 0.34, 0.7, 0.66)],
  ],
  rope: [
    [-1, between(ring(0.5, 0.56, [0.28, 0.26], 0.02), 0.37, 0.84)],
    [0, box(0.3, 0.16, 0.38, 0.38, 0.03)],
    [0, box(0.62, 0.16, 0.7, 0.38, 0.03)],
  ],
} as const satisfies Readonly<Record<string, readonly Stroke[]>>;

export type Drawing = keyof typeof strokes;

const COLOURS: Readonly<Record<string, Colour>> = {
  Abu: [139, 145, 153],
  Biru: [47, 111, 208],
  Coklat: [138, 90, 59],
  Hijau: [47, 158, 107],
  Hitam: [48, 51, 58],
  Kuning: [240, 180, 41],
  Merah: [208, 57, 62],
  Navy: [31, 58, 107],
  Oranye: [232, 119, 46],
  Putih: [228, 228, 222],
  Tosca: [42, 166, 161],
};
const PAPER: Colour = [250, 249, 246];

export const PICTURE_SIDE = 240;

/** The colour that a name of goods says; empty when it says none. */
export const colourIn = (name: string): string => name.split(' ').find((word) => Object.hasOwn(COLOURS, word)) ?? '';

const inTone = (colour: Colour, tone: Tone): Colour => {
  if (typeof tone !== 'number') return tone;
  return tone === 0 ? colour : mixed(colour, tone < 0 ? BLACK : WHITE, 0.35);
};

/** Draws goods in colours that are named. Shapes are worked out once, whatever the colour. */
export class Painter {
  private readonly shadow = maskOf(disc(0.5, 0.88, 0.34, 0.03), PICTURE_SIDE);
  private readonly masks = new Map<Drawing, readonly (readonly [Tone, Mask])[]>();

  /** As PNG. It is drawn here, so that nobody else has a right to it. */
  picture(drawing: Drawing, colourName: string): Buffer {
    const colour = COLOURS[colourName] ?? METAL;
    const canvas = new Canvas(PICTURE_SIDE, PAPER, mixed(PAPER, colour, 0.12));
    canvas.paint(this.shadow, BLACK, 0.12);
    for (const [tone, mask] of this.masksOf(drawing)) canvas.paint(mask, inTone(colour, tone));
    return pngOf(PICTURE_SIDE, canvas.pixels);
  }

  private masksOf(drawing: Drawing): readonly (readonly [Tone, Mask])[] {
    const drawn: readonly Stroke[] = strokes[drawing];
    const masks = this.masks.get(drawing) ?? drawn.map(([tone, shape]) => [tone, maskOf(shape, PICTURE_SIDE)] as const);
    this.masks.set(drawing, masks);
    return masks;
  }
}
