import type { Drawing } from '../pictures/public';

/** A product of the demo shop: one variant for each colour and size. */
export interface Goods {
  readonly code: string;
  readonly name: string;
  /** A name of `categories`. */
  readonly category: string;
  readonly description: string;
  /** Rupiah. */
  readonly price: number;
  /** What it costs the shop, in percent of its price. */
  readonly costs: number;
  readonly weightG: number;
  readonly drawing: Drawing;
  readonly colours: readonly [string, ...string[]];
  readonly sizes?: readonly string[];
  /** How often it is bought, against the others. */
  readonly liked: number;
  /** `active` unless given. */
  readonly status?: 'draft' | 'archived';
  /** The price before. */
  readonly before?: number;
  /** So many pieces or more cost so much each. */
  readonly tier?: readonly [pieces: number, price: number];
}

/** The same, as the lists of goods have it. */
export type GoodsRow = readonly [
  code: string,
  name: string,
  category: string,
  drawing: Drawing,
  price: number,
  weightG: number,
  liked: number,
  colours: readonly [string, ...string[]],
  description: string,
  more?: Partial<Pick<Goods, 'sizes' | 'status' | 'before' | 'tier'>>,
];
