import type { Sql } from '@platform/data';
import { InvalidInput, NotFound } from '@platform/errors';
import { isUuid } from '@platform/runtime';
import { audited, type By, type Writer } from '../../../by';
import { limits } from '../../../limits';
import { ordersMove } from '../../sales/buyers/public';
import { countOrders } from '../buyers/public';
import type { Touched } from '../copies/public';
import { contactById, type Contact } from '../people/public';
import { knownTags } from '../tags/public';
import type { BulkTag, BulkTagged, Merge, TagSet } from './merging.dto';
import { refusals } from '../../../refusals';

const LOCK = 'SELECT id FROM contact WHERE store_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR UPDATE';

/** $2 the kept one, $3 the others in their order. What the kept one has stays; what any of them said against messages holds for all. */
const JOIN_ROWS = `
  UPDATE contact k SET name = coalesce(k.name, m.name), email = coalesce(k.email, m.email), birthday = coalesce(k.birthday, m.birthday),
    source = coalesce(k.source, m.source), blocked = k.blocked OR m.blocked, block_reason = coalesce(k.block_reason, m.block_reason),
    opted_out_at = greatest(k.opted_out_at, m.opted_out_at), version = greatest(k.version, m.version),
    created_at = least(k.created_at, m.created_at)
  FROM (SELECT
      (array_agg(c.name ORDER BY i.at) FILTER (WHERE c.name IS NOT NULL))[1] AS name,
      (array_agg(c.email ORDER BY i.at) FILTER (WHERE c.email IS NOT NULL))[1] AS email,
      (array_agg(c.birthday ORDER BY i.at) FILTER (WHERE c.birthday IS NOT NULL))[1] AS birthday,
      (array_agg(c.source ORDER BY i.at) FILTER (WHERE c.source IS NOT NULL))[1] AS source,
      (array_agg(c.block_reason ORDER BY i.at) FILTER (WHERE c.block_reason IS NOT NULL))[1] AS block_reason,
      bool_or(c.blocked) AS blocked, max(c.opted_out_at) AS opted_out_at, max(c.version) AS version,
      min(c.created_at) AS created_at
    FROM unnest($3::uuid[]) WITH ORDINALITY AS i (id, at) JOIN contact c ON c.store_id = $1 AND c.id = i.id) m
  WHERE k.store_id = $1 AND k.id = $2`;

const OF_OTHERS = 'WHERE store_id = $1 AND contact_id = ANY ($3::uuid[])';
/** In this order: what belongs to the others moves before they go. */
const MOVES = [
  JOIN_ROWS,
  `UPDATE contact_phone SET contact_id = $2, is_main = false ${OF_OTHERS}`,
  `UPDATE contact_address SET contact_id = $2 ${OF_OTHERS}`,
  `UPDATE contact_note SET contact_id = $2 ${OF_OTHERS}`,
  `INSERT INTO contact_tag (store_id, contact_id, tag_id) SELECT store_id, $2, tag_id FROM contact_tag ${OF_OTHERS} ON CONFLICT DO NOTHING`,
  `DELETE FROM contact WHERE store_id = $1 AND id <> $2 AND id = ANY ($3::uuid[])`,
];

const once = (ids: readonly string[]): string[] => [...new Set(ids.map((id) => id.toLowerCase()))];

/** Makes one contact of several; every number of theirs leads to the kept one from now on. Throws `NotFound` when one is unknown. */
export const mergeContacts = async (
  tx: Sql,
  by: Writer,
  touched: Touched,
  { keep_id, merge_ids }: Merge,
): Promise<Contact> => {
  const { storeId } = by;
  const [keep, others] = [keep_id.toLowerCase(), once(merge_ids)];
  if (others.includes(keep))
    throw new InvalidInput([{ field: 'merge_ids', tag: 'excludes', message: 'merge_ids must not contain keep_id' }]);
  const ids = [keep, ...others];
  // Before the contacts, as whoever makes one does
  await limits.giveBack(tx, storeId, 'contacts', others.length);
  const found = ids.every(isUuid) ? await tx.query(LOCK, [storeId, ids]) : [];
  if (found.length < ids.length) throw new NotFound('Contact not found');
  for (const move of MOVES) await tx.query(move, [storeId, keep, others]);
  // What tells chat-backend of contacts is locked before orders
  await touched(tx, by, [keep]);
  await ordersMove(tx, storeId, keep, others);
  await countOrders(tx, storeId, keep);
  await audited(tx, by, { action: 'contact.write', type: 'contact', id: keep, after: { merged: others } });
  return contactById(tx, storeId, keep);
};

const ADD = `INSERT INTO contact_tag (store_id, contact_id, tag_id)
  SELECT $1::varchar, c, t FROM unnest($2::uuid[]) c, unnest($3::uuid[]) t ON CONFLICT DO NOTHING RETURNING contact_id AS id`;
const REMOVE = `DELETE FROM contact_tag WHERE store_id = $1 AND contact_id = ANY ($2::uuid[]) AND tag_id = ANY ($3::uuid[])
  RETURNING contact_id AS id`;

/** What is both added and removed is removed. Throws `NotFound` when a contact or a tag is unknown. */
export const bulkTag = async (
  tx: Sql,
  by: By,
  touched: Touched,
  { ids, add = [], remove = [] }: BulkTag,
): Promise<BulkTagged> => {
  if (add.length + remove.length === 0)
    throw new InvalidInput([{ field: 'add', tag: 'required', message: 'add or remove must name a tag' }]);
  const { storeId } = by;
  const added = await knownTags(tx, storeId, add, 'add');
  const removed = await knownTags(tx, storeId, remove, 'remove');
  const contacts = (await tx.query<{ id: string }>(LOCK, [storeId, once(ids).filter(isUuid)])).map(({ id }) => id);
  const unknown = ids.findIndex((id) => !contacts.includes(id.toLowerCase()));
  if (unknown >= 0) throw refusals.notHere(`ids[${unknown}]`, 'is not a contact of this store');
  const gained = await tx.query<{ id: string }>(ADD, [storeId, contacts, added.filter((id) => !removed.includes(id))]);
  const lost = await tx.query<{ id: string }>(REMOVE, [storeId, contacts, removed]);
  const changed = once([...gained, ...lost].map(({ id }) => id));
  await touched(tx, by, changed);
  return { changed: changed.length };
};

const OTHER_TAGS = `DELETE FROM contact_tag WHERE store_id = $1 AND contact_id = $2 AND tag_id <> ALL ($3::uuid[]) RETURNING 1`;

/** These and no others. */
export const setTags = async (
  tx: Sql,
  by: By,
  touched: Touched,
  [id, { tag_ids }]: [string, TagSet],
): Promise<Contact> => {
  const { storeId } = by;
  const tags = await knownTags(tx, storeId, tag_ids, 'tag_ids');
  if ((await tx.query(LOCK, [storeId, [id]])).length === 0) throw new NotFound('Contact not found');
  const lost = await tx.query(OTHER_TAGS, [storeId, id, tags]);
  const gained = await tx.query(ADD, [storeId, [id], tags]);
  if (lost.length + gained.length > 0) await touched(tx, by, [id]);
  return contactById(tx, storeId, id);
};
