import { isUniqueViolation, listingOf, type Sql } from '@platform/data';
import { Conflict, InvalidInput, NotFound, type Failure } from '@platform/errors';
import { isUuid, uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import { refusals } from '../../../refusals';
import type { Touched } from '../copies/public';
import { TagsQuery, type Tag, type TagBody } from './tags.dto';

const MOST_TAGS = 1_000;
const COLUMNS = `t.id, t.name, t.color,
  (SELECT count(*)::int FROM contact_tag x WHERE x.store_id = t.store_id AND x.tag_id = t.id) AS contacts`;

export const tagRefusals = {
  tooMany: (): Failure => new Conflict(`A store has at most ${MOST_TAGS} tags`, { code: 'too_many_tags' }),
} as const;

export const tagListing = listingOf(TagsQuery, {
  from: 'tag t',
  tenant: 't.store_id',
  select: COLUMNS,
  sort: { name: 'lower(t.name)', created_at: 't.created_at' },
  usualSort: 'name',
  tie: 't.id',
  where: {},
  read: (row: Tag) => row,
});

const named = async <T>(written: Promise<T>): Promise<T> =>
  written.catch((cause: unknown) => {
    throw isUniqueViolation(cause) ? refusals.nameTaken() : cause;
  });

/** One at a time, so that the limit holds. */
const lockTags = (tx: Sql, storeId: string) =>
  tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('tags ' || $1, 0))`, [storeId]);

const refuseTooMany = async (tx: Sql, storeId: string, added: number): Promise<void> => {
  const [row] = await tx.query<{ tags: number }>('SELECT count(*)::int AS tags FROM tag WHERE store_id = $1', [
    storeId,
  ]);
  if ((row?.tags ?? 0) + added > MOST_TAGS) throw tagRefusals.tooMany();
};

const INSERT = `INSERT INTO tag AS t (store_id, id, name, color, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)
  RETURNING ${COLUMNS}`;

export const createTag = async (tx: Sql, { storeId, at }: By, { name, color }: TagBody): Promise<Tag> => {
  await lockTags(tx, storeId);
  await refuseTooMany(tx, storeId, 1);
  const [row] = await named(tx.query<Tag>(INSERT, [storeId, uuidv7(), name, color ?? null, at]));
  return row as Tag;
};

const WITH_TAG = 'SELECT contact_id AS id FROM contact_tag WHERE store_id = $1 AND tag_id = $2';
const contactsWith = async (tx: Sql, storeId: string, id: string): Promise<string[]> =>
  (await tx.query<{ id: string }>(WITH_TAG, [storeId, id])).map((row) => row.id);

const UPDATE = `UPDATE tag t SET name = $3, color = coalesce($4, t.color), updated_at = $5
  WHERE t.store_id = $1 AND t.id = $2 RETURNING ${COLUMNS}`;

/** Its contacts have changed too: chat-backend knows tags by name. */
export const changeTag = async (tx: Sql, by: By, touched: Touched, [id, body]: [string, TagBody]): Promise<Tag> => {
  const values = [by.storeId, id, body.name, body.color ?? null, by.at];
  const [row] = await named(tx.query<Tag>(UPDATE, values));
  if (!row) throw new NotFound('Tag not found');
  await touched(tx, by, await contactsWith(tx, by.storeId, id));
  return row;
};

/** Takes it from its contacts. */
export const deleteTag = async (tx: Sql, by: By, touched: Touched, id: string): Promise<void> => {
  const lock = 'SELECT 1 FROM tag WHERE store_id = $1 AND id = $2 FOR UPDATE';
  if ((await tx.query(lock, [by.storeId, id])).length === 0) throw new NotFound('Tag not found');
  const contacts = await contactsWith(tx, by.storeId, id);
  await tx.query('DELETE FROM tag WHERE store_id = $1 AND id = $2', [by.storeId, id]);
  await touched(tx, by, contacts);
};

const FOUND = 'SELECT id FROM tag WHERE store_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR KEY SHARE';

/** The same ids once each, all of tags of the store. Throws `InvalidInput` for the first that is not. */
export const knownTags = async (
  tx: Sql,
  storeId: string,
  given: readonly string[],
  field: string,
): Promise<string[]> => {
  const ids = [...new Set(given.map((id) => id.toLowerCase()))];
  const known = new Set((await tx.query<{ id: string }>(FOUND, [storeId, ids.filter(isUuid)])).map(({ id }) => id));
  const unknown = given.findIndex((id) => !known.has(id.toLowerCase()));
  if (unknown < 0) return ids;
  const name = `${field}[${unknown}]`;
  throw new InvalidInput([{ field: name, tag: 'exists', message: `${name} is not a tag of this store` }]);
};

const BY_NAME = 'SELECT id, lower(name) AS name FROM tag WHERE store_id = $1 AND lower(name) = ANY ($2::text[])';

/** Ids of tags with these names, in any case; those that nobody has are made. */
export const tagsNamed = async (tx: Sql, by: By, names: readonly string[]): Promise<string[]> => {
  const wanted = new Map(names.map((name) => [name.toLowerCase(), name]));
  if (wanted.size === 0) return [];
  await lockTags(tx, by.storeId);
  const found = await tx.query<{ id: string; name: string }>(BY_NAME, [by.storeId, [...wanted.keys()]]);
  for (const { name } of found) wanted.delete(name);
  if (wanted.size > 0) await refuseTooMany(tx, by.storeId, wanted.size);
  const ids = found.map(({ id }) => id);
  for (const name of wanted.values()) {
    const id = uuidv7();
    await tx.query(INSERT, [by.storeId, id, name, null, by.at]);
    ids.push(id);
  }
  return ids;
};
