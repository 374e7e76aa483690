export type Colour = readonly [red: number, green: number, blue: number];
type Point = readonly [x: number, y: number];

/** A shape in a square from 0 to 1, with the box that it lies in. */
export interface Shape {
  readonly box: readonly [left: number, top: number, right: number, bottom: number];
  inside(x: number, y: number): boolean;
}

export const disc = (x: number, y: number, across: number, up = across): Shape => ({
  box: [x - across, y - up, x + across, y + up],
  inside: (px, py) => ((px - x) / across) ** 2 + ((py - y) / up) ** 2 <= 1,
});

/** A disc with a hole. */
export const ring = (x: number, y: number, [across, up]: Point, thick: number): Shape => {
  const [outer, inner] = [disc(x, y, across, up), disc(x, y, across - thick, up - thick)];
  return { box: outer.box, inside: (px, py) => outer.inside(px, py) && !inner.inside(px, py) };
};

/** A box with round corners. */
export const box = (left: number, top: number, right: number, bottom: number, round = 0): Shape => ({
  box: [left, top, right, bottom],
  inside: (x, y) => {
    const dx = Math.max(left + round - x, x - right + round, 0);
    const dy = Math.max(top + round - y, y - bottom + round, 0);
    return x >= left && x <= right && y >= top && y <= bottom && dx * dx + dy * dy <= round * round + 1e-9;
  },
});

/** The part of a shape from one height to another. */
export const between = ({ box: [left, , right], inside }: Shape, top: number, bottom: number): Shape => ({
  box: [left, top, right, bottom],
  inside: (x, y) => y >= top && y <= bottom && inside(x, y),
});

/** What lies within these points. */
export const outline = (...points: readonly Point[]): Shape => {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return {
    box: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)],
    inside: (px, py) => {
      let isInside = false;
      for (let at = 0, before = points.length - 1; at < points.length; before = at++) {
        const [[x, y], [bx, by]] = [points[at] as Point, points[before] as Point];
        if (y > py !== by > py && px < ((bx - x) * (py - y)) / (by - y) + x) isInside = !isInside;
      }
      return isInside;
    },
  };
};

/** Looks into each pixel, for edges without steps. */
const LOOKS: readonly Point[] = [
  [0.25, 0.25],
  [0.75, 0.25],
  [0.25, 0.75],
  [0.75, 0.75],
];

export const mixed = (one: Colour, other: Colour, part: number): Colour => {
  const tone = (at: 0 | 1 | 2): number => one[at] + (other[at] - one[at]) * part;
  return [tone(0), tone(1), tone(2)];
};

/** How much of each pixel of its box a shape covers, from 0 to 1. */
export interface Mask {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly parts: Float32Array;
}

/** A shape in a picture of so many pixels each way. */
export const maskOf = ({ box: [left, top, right, bottom], inside }: Shape, side: number): Mask => {
  const [from, to] = [
    (edge: number) => Math.max(0, Math.floor(edge * side)),
    (edge: number) => Math.min(side, Math.ceil(edge * side)),
  ];
  const [x0, y0, width] = [from(left), from(top), to(right) - from(left)];
  const parts = new Float32Array(width * (to(bottom) - y0));
  for (let at = 0; at < parts.length; at += 1) {
    const [x, y] = [x0 + (at % width), y0 + Math.floor(at / width)];
    let seen = 0;
    for (const [dx, dy] of LOOKS) if (inside((x + dx) / side, (y + dy) / side)) seen += 1;
    parts[at] = seen / LOOKS.length;
  }
  return { left: x0, top: y0, width, parts };
};

/** A square picture that shapes are painted on, one over the other. */
export class Canvas {
  readonly pixels: Uint8Array;

  constructor(
    readonly side: number,
    top: Colour,
    bottom: Colour,
  ) {
    this.pixels = new Uint8Array(side * side * 3);
    for (let y = 0; y < side; y += 1) {
      const [red, green, blue] = mixed(top, bottom, y / side);
      for (let at = y * side * 3; at < (y + 1) * side * 3; at += 3) {
        this.pixels[at] = red;
        this.pixels[at + 1] = green;
        this.pixels[at + 2] = blue;
      }
    }
  }

  /** `strength` of the colour covers what is under it. */
  paint({ left, top, width, parts }: Mask, colour: Colour, strength = 1): void {
    for (let at = 0; at < parts.length; at += 1) {
      const part = (parts[at] ?? 0) * strength;
      if (part === 0) continue;
      const pixel = ((top + Math.floor(at / width)) * this.side + left + (at % width)) * 3;
      for (let tone = 0; tone < 3; tone += 1) {
        const before = this.pixels[pixel + tone] ?? 0;
        this.pixels[pixel + tone] = Math.round(before + ((colour[tone] ?? 0) - before) * part);
      }
    }
  }
}
