import type { Sql } from '@platform/data';
import type { By } from '../../../by';
import { refusals } from '../../../refusals';

/** Who buys, as the order keeps them whatever becomes of the contact. */
export interface Buyer {
  readonly name: string;
  /** Digits of E.164. */
  readonly phone: string;
  readonly email?: string | undefined;
}

/** What orders ask of the contacts of their store, each in the caller's transaction. */
export interface Buyers {
  /** A contact as a buyer, who stays until the transaction ends. Throws `NotFound` for one that is not of this store. */
  known(tx: Sql, by: By, contactId: string): Promise<Buyer>;
  /**
   * Finds or makes the contact of whoever buys, who stays until the transaction ends. Null where the plan has no room for another: nobody is
   * refused an order for that. Before stock and coupons are locked: new contacts of a store come one after the other.
   */
  contactOf(tx: Sql, by: By, buyer: Buyer): Promise<string | null>;
  /** Counts anew what contacts have bought. */
  recount(tx: Sql, by: By, contactIds: readonly string[]): Promise<void>;
}

/** Orders of a service without contacts: they keep the buyer alone. */
export const withoutContacts: Buyers = {
  known: () => {
    throw refusals.notHere('contact_id', 'is not a contact of this store');
  },
  contactOf: () => Promise.resolve(null),
  recount: () => Promise.resolve(),
};
