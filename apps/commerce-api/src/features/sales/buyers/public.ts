import type { Sql } from '@platform/data';
import type { By } from '../../../by';

/** Who buys, as the order keeps them whatever becomes of the contact. */
export interface Buyer {
  readonly name: string;
  /** Digits of E.164. */
  readonly phone: string;
  readonly email?: string | undefined;
}

/** Finds or makes the contact of a buyer, in the transaction of the order; null where a store keeps none. */
export type ContactFor = (tx: Sql, by: By, buyer: Buyer) => Promise<string | null>;

/** Orders of a service without contacts: they keep the buyer alone. */
export const withoutContacts: ContactFor = () => Promise.resolve(null);
