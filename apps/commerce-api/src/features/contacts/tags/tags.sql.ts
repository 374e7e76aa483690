import { isUniqueViolation, listingOf, type Sql, type Transaction } from '@platform/data';
import { Conflict, NotFound, type Failure } from '@platform/errors';
import { isUuid, uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import type { Queue } from '../../../jobs';
import { refusals } from '../../../refusals';
import { TagsQuery, type Tag, type TagBody, type TagChange } from './tags.dto';

const MOST_TAGS = 1_000;
const COLUMNS = `t.id, t.name, t.color,
  (SELECT count(*)::int FROM contact_tag x WHERE x.store_id = t.store_id AND x.tag_id = t.id) AS contacts`;

export const tagRefusals = {
  tooMany: (): Failure => new Conflict(`A store has at most ${MOST_TAGS} tags`, { code: 'too_many_tags' }),
} as const;

/** SQL condition: the tag `t` was not deleted. */
export const LIVE = 't.deleted_at IS NULL';

/**
 * SQL: what is the same for two names of tags, and the only place that says so: JavaScript's small letters are not PostgreSQL's (İ, Σ). Composed
 * and decomposed letters are the same; names are kept composed.
 */
const kept = (name: string): string => `normalize(${name}::text)`;
export const sameTag = (name: string): string => `lower(${kept(name)})`;

export const tagListing = listingOf(TagsQuery, {
  from: 'tag t',
  tenant: 't.store_id',
  select: COLUMNS,
  sort: { name: 'lower(t.name)', created_at: 't.created_at' },
  usualSort: 'name',
  tie: 't.id',
  only: LIVE,
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
  const [row] = await tx.query<{ tags: number }>(
    `SELECT count(*)::int AS tags FROM tag t WHERE t.store_id = $1 AND ${LIVE}`,
    [storeId],
  );
  if ((row?.tags ?? 0) + added > MOST_TAGS) throw tagRefusals.tooMany();
};

const INSERT = `INSERT INTO tag AS t (store_id, id, name, color, created_at, updated_at) VALUES ($1, $2, ${kept('$3')}, $4, $5, $5)
  RETURNING ${COLUMNS}`;

export const createTag = async (tx: Sql, { storeId, at }: By, { name, color }: TagBody): Promise<Tag> => {
  await lockTags(tx, storeId);
  await refuseTooMany(tx, storeId, 1);
  const [row] = await named(tx.query<Tag>(INSERT, [storeId, uuidv7(), name, color ?? null, at]));
  return row as Tag;
};

const UPDATE = `UPDATE tag t SET name = ${kept('$3')}, color = CASE WHEN $6 THEN $4 ELSE t.color END, updated_at = $5
  WHERE t.store_id = $1 AND t.id = $2 AND ${LIVE} RETURNING ${COLUMNS}, old.name <> new.name AS renamed`;

const tell = (tx: Transaction, queue: Queue, storeId: string, id: string): Promise<string> =>
  queue.enqueue(tx, 'tag.changed', { storeId, id }, { key: `tag:${storeId}:${id}` });

/** With its name its contacts have changed too, for chat-backend knows tags by name: a job tells them, who may be all of a store. */
export const changeTag = async (
  tx: Transaction,
  by: By,
  queue: Queue,
  [id, body]: [string, TagChange],
): Promise<Tag> => {
  const values = [by.storeId, id, body.name, body.color ?? null, by.at, body.color !== undefined];
  const [row] = await named(tx.query<Tag & { readonly renamed: boolean }>(UPDATE, values));
  if (!row) throw new NotFound('Tag not found');
  const { renamed, ...tag } = row;
  if (renamed) await tell(tx, queue, by.storeId, id);
  return tag;
};

const DELETE = `UPDATE tag t SET deleted_at = $3, updated_at = $3, name = t.id::text WHERE t.store_id = $1 AND t.id = $2 AND ${LIVE}
  RETURNING t.id`;

/** It is nobody's from the commit on, and its name is free; a job takes it from its contacts. */
export const deleteTag = async (tx: Transaction, { storeId, at }: By, queue: Queue, id: string): Promise<void> => {
  // Whoever is giving it to somebody holds a lock that an UPDATE alone does not wait for
  const lock = `SELECT 1 FROM tag t WHERE t.store_id = $1 AND t.id = $2 AND ${LIVE} FOR UPDATE`;
  if ((await tx.query(lock, [storeId, id])).length === 0) throw new NotFound('Tag not found');
  await tx.query(DELETE, [storeId, id, at]);
  await tell(tx, queue, storeId, id);
};

const FOUND = `SELECT t.id FROM tag t WHERE t.store_id = $1 AND t.id = ANY ($2::uuid[]) AND ${LIVE} ORDER BY t.id FOR KEY SHARE`;

/** The same ids once each, all of tags of the store. Throws `NotFound` for the first that is not. */
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
  throw refusals.notHere(`${field}[${unknown}]`, 'is not a tag of this store');
};

/** Each name once, with the tag that has it. */
const BY_NAME = `SELECT DISTINCT ON (${sameTag('w.name')}) w.name, t.id FROM unnest($2::text[]) WITH ORDINALITY AS w (name, place)
  LEFT JOIN tag t ON t.store_id = $1 AND lower(t.name) = ${sameTag('w.name')} AND ${LIVE} ORDER BY ${sameTag('w.name')}, w.place`;

/** Ids of tags with these names, in any case; those that nobody has are made. */
export const tagsNamed = async (tx: Sql, by: By, names: readonly string[]): Promise<string[]> => {
  if (names.length === 0) return [];
  await lockTags(tx, by.storeId);
  const wanted = await tx.query<{ name: string; id: string | null }>(BY_NAME, [by.storeId, names]);
  const fresh = wanted.filter(({ id }) => id === null);
  if (fresh.length > 0) await refuseTooMany(tx, by.storeId, fresh.length);
  const ids = wanted.flatMap(({ id }) => id ?? []);
  for (const { name } of fresh) {
    const id = uuidv7();
    await tx.query(INSERT, [by.storeId, id, name, null, by.at]);
    ids.push(id);
  }
  return ids;
};
