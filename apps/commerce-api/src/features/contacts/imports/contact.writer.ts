import type { Sql } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import type { Writer } from '../../../by';
import type { ImportMode, Written } from '../../../imports/public';
import { limits } from '../../../limits';
import { refusals } from '../../../refusals';
import type { Touched } from '../copies/public';
import { LIVE, makeTags, sameTag, tagRefusals } from '../tags/public';
import type { ContactItem } from './contact.item';

const OWNERS = 'SELECT phone, contact_id AS id FROM contact_phone WHERE store_id = $1 AND phone = ANY ($2::text[])';
const LOCK = `SELECT c.id, p.phone FROM contact_phone p JOIN contact c ON c.store_id = p.store_id AND c.id = p.contact_id
  WHERE p.store_id = $1 AND p.phone = ANY ($2::text[]) ORDER BY c.id FOR NO KEY UPDATE OF c`;
const ROWS = `jsonb_to_recordset($2::jsonb) AS i (id uuid, phone text, name text, email text, birthday date, source text, opted_out boolean)`;
/** The claims on the numbers, before their contacts. */
const CLAIM = `INSERT INTO contact_phone (store_id, phone, contact_id, is_main, created_at)
  SELECT $1, i.phone, i.id, true, $3::timestamptz FROM ${ROWS} ORDER BY i.phone ON CONFLICT DO NOTHING RETURNING phone`;
const INSERT = `INSERT INTO contact (store_id, id, name, email, birthday, source, opted_out_at, version, created_at, updated_at)
  SELECT $1, i.id, i.name, i.email, i.birthday, i.source, CASE WHEN i.opted_out THEN $3::timestamptz END, 0, $3, $3 FROM ${ROWS}`;
/** Nobody who opted out is undone by a file. */
const UPDATE = `UPDATE contact c SET name = coalesce(i.name, c.name), email = coalesce(i.email, c.email),
    birthday = coalesce(i.birthday, c.birthday), source = coalesce(i.source, c.source),
    opted_out_at = CASE WHEN i.opted_out THEN coalesce(c.opted_out_at, $3::timestamptz) ELSE c.opted_out_at END
  FROM ${ROWS} WHERE c.store_id = $1 AND c.id = i.id
    AND (coalesce(i.name, c.name), coalesce(i.email, c.email), coalesce(i.birthday, c.birthday), coalesce(i.source, c.source),
      coalesce(i.opted_out, false) OR c.opted_out_at IS NOT NULL)
    IS DISTINCT FROM (c.name, c.email, c.birthday, c.source, c.opted_out_at IS NOT NULL)
  RETURNING c.id`;
const TAG = `INSERT INTO contact_tag (store_id, contact_id, tag_id)
  SELECT DISTINCT $1::varchar, i.id, t.id FROM jsonb_to_recordset($2::jsonb) AS i (id uuid, tag text)
  JOIN tag t ON t.store_id = $1 AND lower(t.name) = ${sameTag('i.tag')} AND ${LIVE} ON CONFLICT DO NOTHING RETURNING contact_id AS id`;

type Held = ContactItem & { readonly id: string };

const failed = (item: ContactItem, tag: string, message: string, field = ''): Written => [
  { row: item.rows[0] ?? 0, field, tag, message },
];
const phonesOf = (items: readonly ContactItem[]): string[] => items.map(({ phone }) => phone);

/** Writes a batch of contacts in a handful of statements, however many they are. */
export class ContactWriter {
  constructor(private readonly touched: Touched) {}

  async write(tx: Sql, by: Writer, items: readonly ContactItem[], mode: ImportMode): Promise<Written[]> {
    const written = new Map<ContactItem, Written>();
    const fresh = await this.roomFor(tx, by, items, written);
    await this.tags(tx, by, items, written);
    const open = (some: readonly ContactItem[]) => some.filter((item) => !written.has(item));
    const made = await this.made(tx, by, open(fresh));
    // Its counter is locked already, or not at all
    if (made.length < fresh.length) await limits.giveBack(tx, by.storeId, 'contacts', fresh.length - made.length);
    for (const { item } of made) written.set(item, 'created');
    const known = mode === 'create' ? [] : await this.known(tx, by, open(items));
    const changed = await this.changed(
      tx,
      by,
      known.map(({ held }) => held),
    );
    const tagged = await this.tagged(
      tx,
      by,
      [...made, ...known].map(({ held }) => held),
    );
    const touched = new Set([...made.map(({ held }) => held.id), ...changed, ...tagged]);
    for (const { item, held } of known) written.set(item, touched.has(held.id) ? 'updated' : 'unchanged');
    await this.touched(tx, by, [...touched]);
    return items.map((item) => written.get(item) ?? failed(item, 'unique', 'phone is taken', 'phone'));
  }

  /** Items of unknown numbers as far as the plan has room. Before any contact is locked, as whoever makes one does. */
  private async roomFor(
    tx: Sql,
    { storeId }: Writer,
    items: readonly ContactItem[],
    written: Map<ContactItem, Written>,
  ): Promise<ContactItem[]> {
    const owners = await tx.query<{ phone: string }>(OWNERS, [storeId, phonesOf(items)]);
    const taken = new Set(owners.map(({ phone }) => phone));
    const fresh = items.filter(({ phone }) => !taken.has(phone));
    const room = fresh.length === 0 ? 0 : await limits.upTo(tx, storeId, 'contacts', fresh.length);
    if (room < fresh.length) {
      const { message } = refusals.planLimit('contacts', await limits.allowed(tx, storeId, 'contacts'));
      for (const item of fresh.slice(room)) written.set(item, failed(item, 'planLimit', message));
    }
    return fresh.slice(0, room);
  }

  /** Makes the tags that are new, as far as there is room; whoever should have one of the others is not written. */
  private async tags(tx: Sql, by: Writer, items: readonly ContactItem[], written: Map<ContactItem, Written>) {
    const open = items.filter((item) => !written.has(item));
    const missing = await makeTags(tx, by, [...new Set(open.flatMap(({ tags }) => tags))]);
    const { message } = tagRefusals.tooMany();
    for (const item of open)
      if (item.tags.some((name) => missing.has(name)))
        written.set(item, failed(item, 'too_many_tags', message, 'tags'));
  }

  private async made(tx: Sql, { storeId, at }: Writer, items: readonly ContactItem[]) {
    const wanted = items.map((item) => ({ item, held: { ...item, id: uuidv7() } as Held }));
    const rows = JSON.stringify(wanted.map(({ held }) => held));
    const claims = await tx.query<{ phone: string }>(CLAIM, [storeId, rows, at]);
    const claimed = new Set(claims.map(({ phone }) => phone));
    const made = wanted.filter(({ item }) => claimed.has(item.phone));
    await tx.query(INSERT, [storeId, JSON.stringify(made.map(({ held }) => held)), at]);
    return made;
  }

  private async known(tx: Sql, { storeId }: Writer, items: readonly ContactItem[]) {
    const rows = await tx.query<{ id: string; phone: string }>(LOCK, [storeId, phonesOf(items)]);
    const ids = new Map(rows.map(({ id, phone }) => [phone, id]));
    return items.flatMap((item) => {
      const id = ids.get(item.phone);
      return id === undefined ? [] : [{ item, held: { ...item, id } as Held }];
    });
  }

  /** Two numbers of one merged contact are one row: what the later says counts. */
  private async changed(tx: Sql, { storeId, at }: Writer, held: readonly Held[]): Promise<string[]> {
    const rows = new Map<string, Held>();
    for (const row of held) rows.set(row.id, { ...rows.get(row.id), ...row });
    const changed = await tx.query<{ id: string }>(UPDATE, [storeId, JSON.stringify([...rows.values()]), at]);
    return changed.map(({ id }) => id);
  }

  private async tagged(tx: Sql, { storeId }: Writer, held: readonly Held[]): Promise<string[]> {
    const wanted = held.flatMap(({ id, tags }) => tags.map((tag) => ({ id, tag })));
    if (wanted.length === 0) return [];
    return (await tx.query<{ id: string }>(TAG, [storeId, JSON.stringify(wanted)])).map(({ id }) => id);
  }
}
