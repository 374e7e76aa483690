import type { Database, Sql } from '@platform/data';
import { InvalidInput, NotFound } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { audited, type By, type Writer } from '../../../by';
import { limits } from '../../../limits';
import type { ChatCopies } from '../../chat/copies/public';
import { cartsForget } from '../../checkout/forgetting/public';
import { noticesForget } from '../../gateways/forgetting/public';
import { linksForget, sourceOfNew } from '../../marketing/attribution/public';
import { newsForget } from '../../outside/forgetting/public';
import { ordersForget } from '../../sales/buyers/public';
import { forgotten, touchedBy, type Touched } from '../copies/public';
import { tagsNamed } from '../tags/public';
import type { Contact, ContactChange, NewContact } from './contact.dto';
import { contactRefusals } from './contact.refusals';
import { demandSeen } from '../../../web/seen';
import { editableOf } from './contact.edit';
import { contactById } from './contact.sql';

const MOST_MEMBERS = 20;
const MOST_BYTES = 8_192;
/** How often a number is looked for whose contact was merged or deleted meanwhile. */
const TRIES = 5;

const claim = (isMain: boolean): string => `INSERT INTO contact_phone (store_id, phone, contact_id, is_main, created_at)
  VALUES ($1, $2, $3, ${isMain}, $4) ON CONFLICT DO NOTHING RETURNING phone`;
const CLAIM = claim(true);
/** Of a contact that keeps its main one so far. */
const CLAIM_ANOTHER = claim(false);
const INSERT = `INSERT INTO contact (store_id, id, name, email, birthday, source, custom, opted_out_at, version, created_at, updated_at)
  VALUES ($1::text, $2, $3, $4, $5, ${sourceOfNew('$1::text', '$10::text', '$6::text')}, $7, $8, 0, $9, $9)`;
const TAG = `INSERT INTO contact_tag (store_id, contact_id, tag_id) SELECT $1, $2, unnest($3::uuid[]) ON CONFLICT DO NOTHING`;
/** Stays until the transaction ends, and keeps nobody waiting who does not merge or delete it. */
const OWNER = `SELECT c.id, c.name, c.email, c.opted_out_at FROM contact_phone p
  JOIN contact c ON c.store_id = p.store_id AND c.id = p.contact_id WHERE p.store_id = $1 AND p.phone = $2 FOR KEY SHARE OF c`;
/** That they want messages takes back what was set until they said so ($6), nothing that was set later. */
const OPTED_OUT = `CASE $5::boolean WHEN true THEN coalesce(opted_out_at, $6)
  WHEN false THEN CASE WHEN opted_out_at > $6 THEN opted_out_at END ELSE opted_out_at END`;
const HEARD = `UPDATE contact SET name = coalesce(name, $3), email = coalesce(email, $4), opted_out_at = ${OPTED_OUT}
  WHERE store_id = $1 AND id = $2`;
const LOCK = `SELECT c.id, c.version::text FROM contact c WHERE c.store_id = $1 AND c.id = $2 FOR UPDATE`;
const CLEARABLE = ['name', 'email', 'birthday', 'source'] as const;
/** $10 the columns that are emptied. */
const given = (column: string, value: string): string =>
  `${column} = CASE WHEN '${column}' = ANY ($10::text[]) THEN NULL ELSE coalesce(${value}, ${column}) END`;
const CHANGE = `UPDATE contact SET ${given('name', '$3')}, ${given('email', '$4')}, ${given('birthday', '$5::date')},
    ${given('source', '$6')}, custom = coalesce($7::jsonb, custom),
    opted_out_at = CASE $8::boolean WHEN true THEN $9 WHEN false THEN NULL ELSE opted_out_at END
  WHERE store_id = $1 AND id = $2`;
const DROP_MAIN = `DELETE FROM contact_phone WHERE store_id = $1 AND contact_id = $2 AND is_main AND phone <> $3 RETURNING phone`;
const MINE = `UPDATE contact_phone SET is_main = true WHERE store_id = $1 AND contact_id = $2 AND phone = $3 RETURNING phone`;
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
  readonly email: string | null;
  readonly opted_out_at: Date | null;
}

/** When the customer said whether they want messages; a clock that is ahead counts as now. */
const saidAt = ({ at }: By, { said_at }: NewContact): Date =>
  said_at === undefined ? at : new Date(Math.min(at.getTime(), Date.parse(said_at)));

export interface ContactsParts {
  readonly database: Pick<Database, 'tx'>;
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
      const id = await this.made(tx, by, { ...body, said_at: undefined });
      if (id === undefined) throw contactRefusals.phoneTaken();
      return contactById(tx, by.storeId, id);
    });
  }

  /**
   * Somebody who has written, as chat-backend tells: makes the contact or takes over what the customer said about messages, and a
   * name where there is none. That they want none always counts; that they want some, only with the time when they said so, and
   * not against what the shop has set since.
   */
  arrived(by: By, body: NewContact): Promise<{ readonly contact: Contact; readonly created: boolean }> {
    return this.parts.database.tx(async (tx) => {
      const { id, created } = await this.met(tx, by, body);
      return { contact: await contactById(tx, by.storeId, id), created };
    });
  }

  /**
   * The contact of a number, who stays until the transaction ends: a new one, or the known one with what they lacked. A name that is the
   * number is none. With `learns` false nothing of a known one is believed to whoever typed the number. Throws `PaymentRequired` where the plan has no room for a new one.
   */
  async met(
    tx: Sql,
    by: By,
    body: NewContact,
    learns = true,
  ): Promise<{ readonly id: string; readonly created: boolean }> {
    const name = body.name?.replace(/\D/g, '') === body.phone ? undefined : body.name;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const [owner] = await tx.prepared<Owner>('contact of number', OWNER, [by.storeId, body.phone]);
      if (owner) {
        if (learns) await this.heard(tx, by, owner, { ...body, name });
        return { id: owner.id, created: false };
      }
      const made = await this.made(tx, by, { ...body, name });
      if (made !== undefined) return { id: made, created: true };
    }
    throw contactRefusals.phoneTaken();
  }

  /**
   * Another number takes the place of the main one, which then leads to nobody; one of its own becomes the main one. Throws
   * `version_conflict` when it is not what a form has `seen` any more.
   */
  change(by: By, id: string, body: ContactChange, seen?: string): Promise<Contact> {
    refuseTooMuch(body.custom);
    const { storeId, at } = by;
    return this.parts.database.tx(async (tx) => {
      // Numbers before contacts, as an import locks them
      if (body.phone !== undefined) await tx.query(CLAIM_ANOTHER, [storeId, body.phone, id, at]);
      await this.locked(tx, storeId, id);
      if (seen !== undefined) demandSeen(seen, editableOf(await contactById(tx, storeId, id)));
      const texts = [body.name, body.email, body.birthday, body.source].map((value) => value ?? null);
      const custom = body.custom === undefined ? null : JSON.stringify(body.custom);
      const cleared = CLEARABLE.filter((column) => body[column] === null);
      await tx.query(CHANGE, [storeId, id, ...texts, custom, body.opted_out ?? null, at, cleared]);
      const dropped = body.phone === undefined ? [] : await this.renumbered(tx, by, id, body.phone);
      await this.touched(tx, by, [id]);
      const { version } = await this.locked(tx, storeId, id);
      await this.forget(tx, storeId, version, dropped);
      return contactById(tx, storeId, id);
    });
  }

  /** Erases the contact with all its numbers, addresses and notes; its carts keep nobody, its orders a name and a masked number. */
  remove(by: Writer, id: string): Promise<void> {
    const { storeId, at } = by;
    return this.parts.database.tx(async (tx) => {
      await cartsForget(tx, storeId, id);
      await limits.giveBack(tx, storeId, 'contacts');
      const { version } = await this.locked(tx, storeId, id);
      const phones = await tx.query<{ rowId: string }>(PHONES, [storeId, id]);
      const last = String(Math.max(at.getTime(), Number(version) + 1));
      // What tells chat-backend of contacts is locked before orders
      await this.forget(
        tx,
        storeId,
        last,
        phones.map(({ rowId }) => rowId),
      );
      await noticesForget(tx, storeId, id);
      await newsForget(tx, storeId, id);
      await this.parts.copies.touched(tx, storeId, 'orders', await ordersForget(tx, storeId, id));
      await linksForget(tx, storeId, id);
      await tx.query('DELETE FROM contact WHERE store_id = $1 AND id = $2', [storeId, id]);
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

  /** Id of the new contact; undefined when the number is somebody's. Whoever makes or ends contacts locks the plan first. */
  private async made(tx: Sql, by: By, body: NewContact): Promise<string | undefined> {
    refuseTooMuch(body.custom);
    const [id, { storeId, at }] = [uuidv7(), by];
    await limits.require(tx, storeId, 'contacts');
    if ((await tx.prepared('contact claim', CLAIM, [storeId, body.phone, id, at])).length === 0) {
      await limits.giveBack(tx, storeId, 'contacts');
      return undefined;
    }
    const { name, email, birthday, source, custom = {}, opted_out } = body;
    const optional = [name, email, birthday, source].map((value) => value ?? null);
    await tx.later('contact insert', INSERT, [
      storeId,
      id,
      ...optional,
      JSON.stringify(custom),
      opted_out ? saidAt(by, body) : null,
      at,
      body.phone,
    ]);
    const tags = await tagsNamed(tx, by, body.tags ?? []);
    if (tags.length > 0) await tx.query(TAG, [storeId, id, tags]);
    await this.touched(tx, by, [id]);
    return id;
  }

  /** chat-backend is told nothing when nothing is new here, or there. */
  private async heard(tx: Sql, by: By, owner: Owner, body: NewContact): Promise<void> {
    const { name, email, opted_out, said_at } = body;
    const known = [owner.name ?? name ?? null, owner.email ?? email ?? null];
    const agreed = (opted_out ?? owner.opted_out_at !== null) === (owner.opted_out_at !== null);
    if (known[0] === owner.name && known[1] === owner.email && agreed) return;
    const wish = opted_out === false && said_at === undefined ? null : (opted_out ?? null);
    await tx.prepared('contact heard', HEARD, [
      by.storeId,
      owner.id,
      name ?? null,
      email ?? null,
      wish,
      saidAt(by, body),
    ]);
    await this.touched(tx, by, [owner.id]);
  }

  private async renumbered(tx: Sql, { storeId }: By, id: string, phone: string): Promise<string[]> {
    const dropped = await tx.query<{ phone: string }>(DROP_MAIN, [storeId, id, phone]);
    if (dropped.length === 0) return [];
    if ((await tx.query(MINE, [storeId, id, phone])).length === 0) throw contactRefusals.phoneTaken();
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
