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

/** How many more tags the store may have; for whoever holds `lockTags`. */
const roomFor = async (tx: Sql, storeId: string): Promise<number> => {
  const [row] = await tx.query<{ tags: number }>(
    `SELECT count(*)::int AS tags FROM tag t WHERE t.store_id = $1 AND ${LIVE}`,
    [storeId],
  );
  return MOST_TAGS - (row?.tags ?? 0);
};
const refuseTooMany = async (tx: Sql, storeId: string, added: number): Promise<void> => {
  if (added > (await roomFor(tx, storeId))) throw tagRefusals.tooMany();
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

const tell = (tx: Transaction, queue: Queue, storeId: string, id: string): Promise<void> =>
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

/** Each name once, with the tag that has it, in their order. */
const BY_NAME = `SELECT w.name, w.id FROM (
    SELECT DISTINCT ON (${sameTag('w.name')}) w.name, w.place, t.id FROM unnest($2::text[]) WITH ORDINALITY AS w (name, place)
    LEFT JOIN tag t ON t.store_id = $1 AND lower(t.name) = ${sameTag('w.name')} AND ${LIVE} ORDER BY ${sameTag('w.name')}, w.place) w
  ORDER BY w.place`;

interface Named {
  readonly name: string;
  readonly id: string | null;
}

/** Locks the tags of the store, and tells which of these names have one. */
const lookedUp = async (tx: Sql, storeId: string, names: readonly string[]): Promise<Named[]> => {
  await lockTags(tx, storeId);
  return tx.query<Named>(BY_NAME, [storeId, names]);
};

const made = async (tx: Sql, { storeId, at }: By, fresh: readonly Named[]): Promise<string[]> => {
  const ids: string[] = [];
  for (const { name } of fresh) {
    const id = uuidv7();
    await tx.query(INSERT, [storeId, id, name, null, at]);
    ids.push(id);
  }
  return ids;
};

/** Ids of tags with these names, in any case; those that nobody has are made. Throws `too_many_tags` when they are too many. */
export const tagsNamed = async (tx: Sql, by: By, names: readonly string[]): Promise<string[]> => {
  if (names.length === 0) return [];
  const wanted = await lookedUp(tx, by.storeId, names);
  const fresh = wanted.filter(({ id }) => id === null);
  if (fresh.length > 0) await refuseTooMany(tx, by.storeId, fresh.length);
  return [...wanted.flatMap(({ id }) => id ?? []), ...(await made(tx, by, fresh))];
};

const WITHOUT = `SELECT w.name FROM unnest($2::text[]) AS w (name)
  WHERE NOT EXISTS (SELECT FROM tag t WHERE t.store_id = $1 AND lower(t.name) = ${sameTag('w.name')} AND ${LIVE})`;

/** Makes those that nobody has, in their order, as far as there is room; resolves to the names without a tag then. */
export const makeTags = async (tx: Sql, by: By, names: readonly string[]): Promise<ReadonlySet<string>> => {
  const { storeId } = by;
  const fresh = names.length === 0 ? [] : (await lookedUp(tx, storeId, names)).filter(({ id }) => id === null);
  if (fresh.length === 0) return new Set();
  const room = Math.max(0, await roomFor(tx, storeId));
  await made(tx, by, fresh.slice(0, room));
  if (fresh.length <= room) return new Set();
  const left = await tx.query<{ name: string }>(WITHOUT, [storeId, names]);
  return new Set(left.map(({ name }) => name));
};
