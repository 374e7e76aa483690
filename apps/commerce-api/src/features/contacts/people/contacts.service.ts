import type { Database, Sql } from '@platform/data';
import { InvalidInput, NotFound } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { audited, type By, type Writer } from '../../../by';
import type { ChatCopies } from '../../chat/copies/public';
import { forgotten, touchedBy, type Touched } from '../copies/public';
import { tagsNamed } from '../tags/public';
import type { Contact, ContactChange, NewContact } from './contact.dto';
import { contactRefusals } from './contact.refusals';
import { contactById } from './contact.sql';

const MOST_MEMBERS = 20;
const MOST_BYTES = 8_192;
/** How often a number is looked for whose contact was merged or deleted meanwhile. */
const TRIES = 5;

const CLAIM = `INSERT INTO contact_phone (store_id, phone, contact_id, is_main, created_at) VALUES ($1, $2, $3, true, $4)
  ON CONFLICT DO NOTHING RETURNING phone`;
const INSERT = `INSERT INTO contact (store_id, id, name, email, birthday, source, custom, opted_out_at, version, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, $9)`;
const TAG = `INSERT INTO contact_tag (store_id, contact_id, tag_id) SELECT $1, $2, unnest($3::uuid[]) ON CONFLICT DO NOTHING`;
const OWNER = `SELECT c.id, c.name, c.opted_out_at IS NOT NULL AS opted_out FROM contact_phone p
  JOIN contact c ON c.store_id = p.store_id AND c.id = p.contact_id WHERE p.store_id = $1 AND p.phone = $2 FOR UPDATE OF c`;
const ARRIVED = 'UPDATE contact SET name = $3, opted_out_at = $4 WHERE store_id = $1 AND id = $2';
const LOCK = `SELECT c.id, c.version::text FROM contact c WHERE c.store_id = $1 AND c.id = $2 FOR UPDATE`;
const CHANGE = `UPDATE contact SET name = coalesce($3, name), email = coalesce($4, email), birthday = coalesce($5::date, birthday),
    source = coalesce($6, source), custom = coalesce($7::jsonb, custom),
    opted_out_at = CASE $8::boolean WHEN true THEN coalesce(opted_out_at, $9) WHEN false THEN NULL ELSE opted_out_at END
  WHERE store_id = $1 AND id = $2`;
const DROP_MAIN = `DELETE FROM contact_phone WHERE store_id = $1 AND contact_id = $2 AND is_main AND phone <> $3 RETURNING phone`;
const MINE = `UPDATE contact_phone SET is_main = true WHERE store_id = $1 AND contact_id = $2 AND phone = $3`;
const PHONES = 'SELECT phone AS "rowId" FROM contact_phone WHERE store_id = $1 AND contact_id = $2';
const BLOCK = `UPDATE contact SET blocked = $3, block_reason = $4 WHERE store_id = $1 AND id = $2 RETURNING id`;

/** What the log tells names no person: who is erased is erased there too. */
const AUDITED = { action: 'contact.write', type: 'contact' } as const;

const refuseTooMuch = (custom: object | undefined): void => {
  if (custom === undefined) return;
  if (Object.keys(custom).length <= MOST_MEMBERS && Buffer.byteLength(JSON.stringify(custom)) <= MOST_BYTES) return;
  const message = `custom must have at maximum ${MOST_MEMBERS} members and ${MOST_BYTES} bytes`;
  throw new InvalidInput([{ field: 'custom', tag: 'max', message }]);
};

interface Owner {
  readonly id: string;
  readonly name: string | null;
  readonly opted_out: boolean;
}

export interface ContactsParts {
  readonly database: Database;
  readonly copies: ChatCopies;
}

/** Who a shop knows. A number leads to one contact: its row in `contact_phone` is the claim, and of many at once one wins. */
export class ContactsService {
  readonly touched: Touched;

  constructor(private readonly parts: ContactsParts) {
    this.touched = touchedBy(parts.copies);
  }

  /** Throws `phone_taken`, also when the number belongs to a contact that was merged into another. */
  create(by: By, body: NewContact): Promise<Contact> {
    if (body.name === undefined)
      throw new InvalidInput([{ field: 'name', tag: 'required', message: 'name is a required field' }]);
    return this.parts.database.tx(async (tx) => {
      const id = await this.made(tx, by, body);
      if (id === undefined) throw contactRefusals.phoneTaken();
      return contactById(tx, by.storeId, id);
    });
  }

  /**
   * Somebody who has written, as chat-backend tells: makes the contact or takes over what the customer said about messages, and a
   * name where there is none. A name that is the number is none.
   */
  arrived(by: By, body: NewContact): Promise<{ readonly contact: Contact; readonly created: boolean }> {
    const name = body.name?.replace(/\D/g, '') === body.phone ? undefined : body.name;
    return this.parts.database.tx(async (tx) => {
      for (let tries = 0; tries < TRIES; tries += 1) {
        const made = await this.made(tx, by, { ...body, name });
        if (made !== undefined) return { contact: await contactById(tx, by.storeId, made), created: true };
        const [owner] = await tx.query<Owner>(OWNER, [by.storeId, body.phone]);
        if (!owner) continue;
        await this.heard(tx, by, owner, { ...body, name });
        return { contact: await contactById(tx, by.storeId, owner.id), created: false };
      }
      throw contactRefusals.phoneTaken();
    });
  }

  /** Another number takes the place of the main one, which then leads to nobody; one of its own becomes the main one. */
  change(by: By, id: string, body: ContactChange): Promise<Contact> {
    refuseTooMuch(body.custom);
    const { storeId, at } = by;
    return this.parts.database.tx(async (tx) => {
      await this.locked(tx, storeId, id);
      const texts = [body.name, body.email, body.birthday, body.source].map((value) => value ?? null);
      const custom = body.custom === undefined ? null : JSON.stringify(body.custom);
      await tx.query(CHANGE, [storeId, id, ...texts, custom, body.opted_out ?? null, at]);
      const dropped = body.phone === undefined ? [] : await this.renumbered(tx, by, id, body.phone);
      await this.touched(tx, by, [id]);
      const { version } = await this.locked(tx, storeId, id);
      await this.forget(tx, storeId, version, dropped);
      return contactById(tx, storeId, id);
    });
  }

  /** Erases the contact with all its numbers, addresses and notes. */
  remove(by: Writer, id: string): Promise<void> {
    const { storeId, at } = by;
    return this.parts.database.tx(async (tx) => {
      const { version } = await this.locked(tx, storeId, id);
      const phones = await tx.query<{ rowId: string }>(PHONES, [storeId, id]);
      await tx.query('DELETE FROM contact WHERE store_id = $1 AND id = $2', [storeId, id]);
      const last = String(Math.max(at.getTime(), Number(version) + 1));
      await this.forget(
        tx,
        storeId,
        last,
        phones.map(({ rowId }) => rowId),
      );
      await audited(tx, by, { ...AUDITED, id, before: { id } });
    });
  }

  block(by: Writer, id: string, blocked: boolean, reason: string | undefined): Promise<Contact> {
    const { storeId } = by;
    return this.parts.database.tx(async (tx) => {
      const values = [storeId, id, blocked, blocked ? (reason ?? null) : null];
      if ((await tx.query(BLOCK, values)).length === 0) throw new NotFound('Contact not found');
      await this.touched(tx, by, [id]);
      await audited(tx, by, { ...AUDITED, id, after: { blocked, reason } });
      return contactById(tx, storeId, id);
    });
  }

  /** Id of the new contact; undefined when the number is somebody's. */
  private async made(tx: Sql, by: By, body: NewContact): Promise<string | undefined> {
    refuseTooMuch(body.custom);
    const [id, { storeId, at }] = [uuidv7(), by];
    if ((await tx.query(CLAIM, [storeId, body.phone, id, at])).length === 0) return undefined;
    const { name, email, birthday, source, custom = {}, opted_out } = body;
    const optional = [name, email, birthday, source].map((value) => value ?? null);
    await tx.query(INSERT, [storeId, id, ...optional, JSON.stringify(custom), opted_out ? at : null, at]);
    const tags = await tagsNamed(tx, by, body.tags ?? []);
    await tx.query(TAG, [storeId, id, tags]);
    await this.touched(tx, by, [id]);
    return id;
  }

  /** chat-backend is told nothing when nothing is new here. */
  private async heard(tx: Sql, by: By, owner: Owner, { name, opted_out }: NewContact): Promise<void> {
    const named = owner.name ?? name ?? null;
    const out = opted_out ?? owner.opted_out;
    if (named === owner.name && out === owner.opted_out) return;
    await tx.query(ARRIVED, [by.storeId, owner.id, named, out ? by.at : null]);
    await this.touched(tx, by, [owner.id]);
  }

  private async renumbered(tx: Sql, { storeId, at }: By, id: string, phone: string): Promise<string[]> {
    const dropped = await tx.query<{ phone: string }>(DROP_MAIN, [storeId, id, phone]);
    if (dropped.length === 0) return [];
    const claimed = await tx.query(CLAIM, [storeId, phone, id, at]);
    if (claimed.length === 0 && (await tx.query(`${MINE} RETURNING phone`, [storeId, id, phone])).length === 0)
      throw contactRefusals.phoneTaken();
    return dropped.map((row) => row.phone);
  }

  private async locked(tx: Sql, storeId: string, id: string): Promise<{ readonly version: string }> {
    const [row] = await tx.query<{ version: string }>(LOCK, [storeId, id]);
    if (row) return row;
    throw new NotFound('Contact not found');
  }

  private forget(tx: Sql, storeId: string, version: string, phones: readonly string[]): Promise<void> {
    const rows = phones.map((rowId) => ({ rowId, version }));
    return forgotten(this.parts.copies, tx, storeId, rows);
  }
}
