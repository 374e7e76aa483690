import type { DemoMember } from '../../identity/access/public';

/** The part of the demo shop that this service keeps. */
export interface DemoShop {
  readonly store: {
    readonly store_id: string;
    readonly nama: string;
    readonly tz: string;
    readonly slug: string;
    readonly currency: string;
  };
  readonly owner?: DemoMember;
  readonly agents?: readonly DemoMember[];
  readonly team?: { readonly id: string; readonly nama: string };
  /** The device's name at the gateway. */
  readonly instance?: string;
  readonly device?: { readonly nama: string; readonly nohp: string };
  readonly ai_agent?: { readonly id: string };
  readonly products?: readonly DemoProduct[];
  /** The shop looks as if it had been open for so many days: with more goods, contacts, orders and what belongs to them. */
  readonly days?: number;
}

export interface DemoProduct {
  readonly sku: string;
  readonly name: string;
  readonly category: string;
  readonly description: string;
  readonly price: number;
  /** So many are free. */
  readonly stock: number;
}
