import type { StockedLine } from '../../sales/carts/public';
import type { Totals } from '../../sales/totals/public';
import type { ItemProgress } from '../../shipping/parcels/public';
import type { DemoCoupon, Person, Sending } from '../shop/public';
import type { HandPaid, Step } from './life';

export interface Courier {
  readonly courier: string;
  readonly service: string;
  /** How its waybills begin. */
  readonly mark: string;
  readonly cost: number;
}

/** What was sent of an order, and what came back. */
export interface Parcels {
  readonly sent: { readonly id: string; readonly waybill: string | null; readonly means: Courier } | null;
  readonly back: {
    readonly id: string;
    readonly position: number;
    readonly qty: number;
    readonly isDamaged: boolean;
  } | null;
  readonly progress: readonly ItemProgress[];
}

/** A variant as a cart has it, with what the made-up buyers decide by. */
export interface Sold extends Omit<StockedLine, 'qty'> {
  readonly code: string;
  readonly liked: number;
  /** It lies in the second warehouse, too. */
  readonly isInBoth: boolean;
}

export type Place = 'main' | 'second';

/** An order of the past, without what was sent of it. */
export interface Planned {
  readonly id: string;
  readonly number: string;
  readonly at: Date;
  readonly person: Person;
  readonly channel: 'link' | 'storefront' | 'chat' | 'manual';
  /** Code of the link that it came by. */
  readonly link: string | null;
  readonly place: Place;
  readonly lines: readonly StockedLine[];
  readonly method: HandPaid;
  readonly sending: Sending;
  readonly coupon: DemoCoupon | null;
  readonly clerk: string;
  readonly totals: Totals;
  readonly steps: readonly Step[];
}

export interface PlannedOrder extends Planned {
  readonly parcels: Parcels;
}
