import type { Sql } from '@platform/data';
import { Conflict, NotFound, type Failure } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import type { Address } from '../../../address.dto';
import type { By } from '../../../by';
import type { Touched } from '../copies/public';
import type { ContactAddress, ContactNote } from '../people/public';

const MOST_ADDRESSES = 50;

export const detailRefusals = {
  tooManyAddresses: (): Failure =>
    new Conflict(`A contact has at most ${MOST_ADDRESSES} addresses`, { code: 'too_many_addresses' }),
} as const;

const LOCK = 'SELECT 1 FROM contact WHERE store_id = $1 AND id = $2 FOR UPDATE';
const locked = async (tx: Sql, storeId: string, id: string): Promise<void> => {
  if ((await tx.query(LOCK, [storeId, id])).length === 0) throw new NotFound('Contact not found');
};

const ADD_ADDRESS = `INSERT INTO contact_address (store_id, id, contact_id, address, created_at, updated_at)
  SELECT $1::varchar, $2, $3, $4, $5, $5
  WHERE (SELECT count(*) FROM contact_address a WHERE a.store_id = $1 AND a.contact_id = $3) < ${MOST_ADDRESSES} RETURNING id`;
const CHANGE_ADDRESS = `UPDATE contact_address SET address = $4, updated_at = $5
  WHERE store_id = $1 AND id = $2 AND contact_id = $3 RETURNING id`;
const REMOVE_ADDRESS = 'DELETE FROM contact_address WHERE store_id = $1 AND id = $2 AND contact_id = $3 RETURNING id';
const ADD_NOTE =
  'INSERT INTO contact_note (store_id, id, contact_id, text, author, created_at) VALUES ($1, $2, $3, $4, $5, $6)';

/** Addresses and notes of contacts. Every write changes the contact, as chat-backend shows the first address and the last note. */
export class ContactDetails {
  constructor(private readonly touched: Touched) {}

  async addAddress(tx: Sql, by: By, contact: string, address: Address): Promise<ContactAddress> {
    await locked(tx, by.storeId, contact);
    const id = uuidv7();
    const added = await tx.query(ADD_ADDRESS, [by.storeId, id, contact, JSON.stringify(address), by.at]);
    if (added.length === 0) throw detailRefusals.tooManyAddresses();
    await this.touched(tx, by, [contact]);
    return { ...address, id };
  }

  async changeAddress(tx: Sql, by: By, [contact, id]: [string, string], address: Address): Promise<ContactAddress> {
    await locked(tx, by.storeId, contact);
    const changed = await tx.query(CHANGE_ADDRESS, [by.storeId, id, contact, JSON.stringify(address), by.at]);
    if (changed.length === 0) throw new NotFound('Address not found');
    await this.touched(tx, by, [contact]);
    return { ...address, id };
  }

  async removeAddress(tx: Sql, by: By, [contact, id]: [string, string]): Promise<void> {
    await locked(tx, by.storeId, contact);
    if ((await tx.query(REMOVE_ADDRESS, [by.storeId, id, contact])).length === 0)
      throw new NotFound('Address not found');
    await this.touched(tx, by, [contact]);
  }

  /** `author` is how readers know who wrote it. */
  async addNote(tx: Sql, by: By, contact: string, note: { text: string; author: string }): Promise<ContactNote> {
    await locked(tx, by.storeId, contact);
    const id = uuidv7();
    await tx.query(ADD_NOTE, [by.storeId, id, contact, note.text, note.author, by.at]);
    await this.touched(tx, by, [contact]);
    return { id, ...note, created_at: by.at.toISOString() };
  }
}
