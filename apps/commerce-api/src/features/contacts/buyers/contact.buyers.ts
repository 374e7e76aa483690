import type { Sql } from '@platform/data';
import { PaymentRequired } from '@platform/errors';
import type { Buyer, Buyers } from '../../sales/buyers/public';
import type { ContactsService } from '../people/public';
import { countOrders } from './count.orders';
import { refusals } from '../../../refusals';

const KNOWN = `SELECT coalesce(c.name, p.phone) AS name, p.phone, c.email FROM contact c
  JOIN contact_phone p ON p.store_id = c.store_id AND p.contact_id = c.id AND p.is_main
  WHERE c.store_id = $1 AND c.id = $2 FOR KEY SHARE OF c`;

/**
 * The contacts of a store as those who buy. `learns` is whether a contact gets the name and the address for mail that they lack: not from a
 * buyer whom nobody knows, who could have typed the number of somebody else, and would get their invoices.
 */
export const contactBuyers = (contacts: ContactsService, learns: boolean): Buyers => ({
  known: async (tx: Sql, { storeId }, contactId) => {
    const [row] = await tx.prepared<Omit<Buyer, 'email'> & { readonly email: string | null }>('buyer by id', KNOWN, [
      storeId,
      contactId,
    ]);
    if (!row) throw refusals.notHere('contact_id', 'is not a contact of this store');
    const { email, ...buyer } = row;
    return email === null ? buyer : { ...buyer, email };
  },
  contactOf: async (tx, by, { name, phone, email }) => {
    try {
      return (await contacts.met(tx, by, { name, phone, email, source: 'order' }, learns)).id;
    } catch (error) {
      if (error instanceof PaymentRequired) return null;
      throw error;
    }
  },
  recount: async (tx, by, ids) => {
    const changed: string[] = [];
    // In one order, and all of them before chat-backend is told of any
    for (const id of [...new Set(ids)].sort()) if (await countOrders(tx, by.storeId, id)) changed.push(id);
    await contacts.touched(tx, by, changed);
  },
});
