import { Conflict, type Failure } from '@platform/errors';

/** A line that a level cannot give. */
export interface ShortLine {
  readonly variant_id: string;
  readonly warehouse_id: string;
  /** On hand less reserved, as the lock found it. */
  readonly available: number;
}

export const stockRefusals = {
  outOfStock: (lines: readonly Pick<ShortLine, 'variant_id' | 'available'>[]): Failure =>
    new Conflict('There is not enough stock', { code: 'out_of_stock', details: { lines } }),
  belowReserved: (lines: readonly ShortLine[]): Failure =>
    new Conflict('Orders have reserved more than would be left', { code: 'below_reserved', details: { lines } }),
} as const;
