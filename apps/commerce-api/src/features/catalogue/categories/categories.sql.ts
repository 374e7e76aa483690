import type { Sql } from '@platform/data';
import { Conflict, InvalidInput, NotFound, type Failure } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { audited, type Writer } from '../../../by';
import type { Queue } from '../../../jobs';
import { demandSeen } from '../../../web/seen';
import { slugOf } from '../slugs/public';
import type { Category, CategoryChange, CategoryPlace, NewCategory } from './categories.dto';
import { refusals } from '../../../refusals';

const DEEPEST = 3;
const MOST_CATEGORIES = 1_000;

export const categoryRefusals = {
  notEmpty: (): Failure => new Conflict('There are products or categories in it', { code: 'not_empty' }),
  slugTaken: (): Failure => new Conflict('The slug is taken', { code: 'slug_taken' }),
  tooMany: (): Failure =>
    new Conflict(`A store has at most ${MOST_CATEGORIES} categories`, { code: 'too_many_categories' }),
} as const;

type Row = Omit<Category, 'children'>;
const SELECT = `SELECT c.id, c.parent_id, c.name, c.slug, c.position,
  (SELECT count(*)::int FROM product p WHERE p.store_id = $1 AND p.category_id = c.id AND p.status <> 'archived') AS products
  FROM category c WHERE c.store_id = $1`;

const IN_ORDER = 'ORDER BY c.position, c.name, c.id';

type Tree<T> = T & { readonly children: Tree<T>[] };
const treeOf = <T extends Pick<Row, 'id' | 'parent_id'>>(rows: readonly T[]): Tree<T>[] => {
  const nodes = new Map(rows.map((row): [string, Tree<T>] => [row.id, { ...row, children: [] }]));
  const all = [...nodes.values()];
  for (const node of all) if (node.parent_id) nodes.get(node.parent_id)?.children.push(node);
  return all.filter(({ parent_id }) => parent_id === null);
};

/** All categories of a store, each with its children, in their order. */
export const categoryTree = async (sql: Sql, storeId: string): Promise<Category[]> =>
  treeOf(await sql.prepared<Row>('category tree', `${SELECT} ${IN_ORDER}`, [storeId]));

type Name = Pick<Row, 'id' | 'parent_id' | 'name'>;
const NAMES = `SELECT c.id, c.parent_id, c.name FROM category c WHERE c.store_id = $1 ${IN_ORDER}`;
const listed = (tree: readonly Tree<Name>[], depth = 0): (readonly [string, string])[] =>
  tree.flatMap(({ id, name, children }) => [
    [id, `${'– '.repeat(depth)}${name}`] as const,
    ...listed(children, depth + 1),
  ]);

/** What a product may be put in: ids and names, children under their parents with a sign before their name. Counts nothing. */
export const categoryChoices = async (sql: Sql, storeId: string): Promise<(readonly [string, string])[]> =>
  listed(treeOf(await sql.prepared<Name>('category names', NAMES, [storeId])));

const categoryById = async (sql: Sql, storeId: string, id: string): Promise<Category> => {
  const [row] = await sql.prepared<Row>('category by id', `${SELECT} AND c.id = $2`, [storeId, id]);
  if (row) return { ...row, children: [] };
  throw new NotFound('Category not found');
};

/** The tree is decided on as a whole, so one at a time changes it. */
const lockTree = (tx: Sql, storeId: string) =>
  tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('categories ' || $1, 0))`, [storeId]);

const wrong = (field: string, tag: string, text: string): InvalidInput =>
  new InvalidInput([{ field, tag, message: `${field} ${text}` }]);

type Parents = Map<string, string | null>;
const parentsOf = async (tx: Sql, storeId: string): Promise<Parents> => {
  const rows = await tx.query<Row>('SELECT id, parent_id FROM category WHERE store_id = $1', [storeId]);
  return new Map(rows.map(({ id, parent_id }) => [id, parent_id]));
};

/** How many categories stand above it, itself included; beyond the depth that a tree may have for a circle. */
const depthOf = (parents: Parents, id: string): number => {
  let depth = 0;
  for (let at: string | null | undefined = id; at && depth <= DEEPEST; at = parents.get(at)) depth += 1;
  return depth;
};

const refuseMisplaced = (parents: Parents, id: string, field: string): void => {
  const parent = parents.get(id);
  if (parent && !parents.has(parent)) throw refusals.notHere(field, 'is not a category of this store');
  if (depthOf(parents, id) > DEEPEST)
    throw wrong(field, 'depth', `must not make a tree deeper than ${DEEPEST}, or a circle`);
};

const told = async (tx: Sql, by: Writer, before: Category | undefined, after: Category): Promise<Category> => {
  await audited(tx, by, { action: 'category.write', type: 'category', id: after.id, before, after });
  return after;
};

/** A taken slug is refused when it was asked for, and gets an ending when it was made from the name. */
export const createCategory = async (tx: Sql, by: Writer, given: NewCategory): Promise<Category> => {
  const { storeId, at } = by;
  await lockTree(tx, storeId);
  const [id, parents] = [uuidv7(), await parentsOf(tx, storeId)];
  if (parents.size >= MOST_CATEGORIES) throw categoryRefusals.tooMany();
  parents.set(id, given.parent_id?.toLowerCase() ?? null);
  refuseMisplaced(parents, id, 'parent_id');
  const insert = `INSERT INTO category (store_id, id, parent_id, name, slug, position, created_at, updated_at)
    SELECT $1::varchar, $2, $3, $4, $5, (SELECT count(*) FROM category c WHERE c.store_id = $1 AND c.parent_id IS NOT DISTINCT FROM $3::uuid), $6, $6
    ON CONFLICT DO NOTHING RETURNING id`;
  const add = (slug: string) => tx.query(insert, [storeId, id, given.parent_id ?? null, given.name, slug, at]);
  const slugs = given.slug === undefined ? slugOf(given.name, id) : [given.slug];
  for (const slug of slugs)
    if ((await add(slug)).length > 0) return told(tx, by, undefined, await categoryById(tx, storeId, id));
  throw categoryRefusals.slugTaken();
};

const TAKEN = 'SELECT 1 FROM category WHERE store_id = $1 AND slug = $3 AND id <> $2';

/** Its products are found by its name: a job tells them, for they may be more than one statement can change in its time. */
export const changeCategory = async (
  tx: Sql,
  by: Writer,
  queue: Queue,
  [id, { name, slug }]: [string, CategoryChange],
): Promise<Category> => {
  const { storeId, at } = by;
  await lockTree(tx, storeId);
  if (slug !== undefined && (await tx.query(TAKEN, [storeId, id, slug])).length > 0) throw categoryRefusals.slugTaken();
  const before = await categoryById(tx, storeId, id);
  const update = `UPDATE category SET name = coalesce($3, name), slug = coalesce($4, slug), updated_at = $5 WHERE store_id = $1 AND id = $2`;
  await tx.query(update, [storeId, id, name ?? null, slug ?? null, at]);
  const category = await categoryById(tx, storeId, id);
  if (name !== undefined)
    await queue.enqueue(tx, 'category.renamed', { storeId, id }, { key: `category:${storeId}:${id}` });
  return told(tx, by, before, category);
};

const INSIDE = `SELECT 1 FROM category WHERE store_id = $1 AND parent_id = $2
  UNION ALL SELECT 1 FROM product WHERE store_id = $1 AND category_id = $2 LIMIT 1`;

/** Archived products count too: they still name it. */
export const deleteCategory = async (tx: Sql, by: Writer, id: string): Promise<void> => {
  const { storeId } = by;
  await lockTree(tx, storeId);
  // Products that are about to be put into it hold their lock on it until they are there
  const lock = 'SELECT 1 FROM category WHERE store_id = $1 AND id = $2 FOR UPDATE';
  if ((await tx.query(lock, [storeId, id])).length === 0) throw new NotFound('Category not found');
  if ((await tx.query(INSIDE, [storeId, id])).length > 0) throw categoryRefusals.notEmpty();
  const before = await categoryById(tx, storeId, id);
  await audited(tx, by, { action: 'category.write', type: 'category', id, before });
  await tx.query('DELETE FROM category WHERE store_id = $1 AND id = $2', [storeId, id]);
};

const PLACE = `UPDATE category c SET parent_id = i.parent_id, position = i.position, updated_at = $5
  FROM unnest($2::uuid[], $3::uuid[], $4::int[]) AS i(id, parent_id, position) WHERE c.store_id = $1 AND c.id = i.id`;

/** Moves the named ones; the others stay. Throws `InvalidInput` for a circle and a tree that is too deep, `NotFound` for what is not the store's. */
export const orderCategories = async (
  tx: Sql,
  { storeId, at }: Writer,
  items: readonly CategoryPlace[],
): Promise<Category[]> => {
  await lockTree(tx, storeId);
  const parents = await parentsOf(tx, storeId);
  const ids = items.map(({ id }) => id.toLowerCase());
  const unknown = ids.findIndex((id) => !parents.has(id));
  if (unknown >= 0) throw refusals.notHere(`items[${unknown}].id`, 'is not a category of this store');
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (twice >= 0) throw wrong(`items[${twice}].id`, 'unique', 'is given twice');
  for (const [index, { parent_id }] of items.entries()) parents.set(ids[index] ?? '', parent_id?.toLowerCase() ?? null);
  for (const id of parents.keys()) refuseMisplaced(parents, id, `items[${Math.max(0, ids.indexOf(id))}].parent_id`);
  const columns = [ids, items.map(({ parent_id }) => parent_id ?? null), items.map(({ position }) => position)];
  await tx.query(PLACE, [storeId, ...columns, at]);
  return categoryTree(tx, storeId);
};

export interface Placed {
  readonly category: Category;
  readonly depth: number;
  /** Among those of the same parent, counted from 1. */
  readonly place: number;
}

/** A tree as a list, children under their parents. */
export const flat = (tree: readonly Category[], depth = 0): readonly Placed[] =>
  tree.flatMap((category, at) => [{ category, depth, place: at + 1 }, ...flat(category.children, depth + 1)]);

/** What a form shows of it. */
export const editableOf = ({ category: { name, slug, parent_id }, place }: Placed): object => ({
  ...{ name, slug, parent_id, place },
});

const SIBLINGS = `SELECT id FROM category WHERE store_id = $1 AND parent_id IS NOT DISTINCT FROM $2::uuid AND id <> $3
  ORDER BY position, name, id`;

/** Puts a category at a place among others, counted from 1; they move up for it. Throws as `orderCategories` does. */
export const placeCategory = async (tx: Sql, by: Writer, { id, parent_id, position }: CategoryPlace): Promise<void> => {
  await lockTree(tx, by.storeId);
  const others = await tx.query<{ id: string }>(SIBLINGS, [by.storeId, parent_id ?? null, id]);
  const ids = others.map((other) => other.id);
  ids.splice(Math.max(0, position - 1), 0, id);
  await orderCategories(
    tx,
    by,
    ids.map((each, at) => ({ id: each, parent_id, position: at })),
  );
};

/** What people change of a category in one form. */
export interface CategoryEdit extends CategoryPlace, CategoryChange {
  readonly seen: string;
}

/** All of it at once. Throws as `placeCategory` and `changeCategory` do, and `version_conflict` when it is not any more what was `seen`. */
export const editCategory = async (tx: Sql, by: Writer, queue: Queue, edit: CategoryEdit): Promise<Category> => {
  const { id, parent_id, position, seen, ...change } = edit;
  await lockTree(tx, by.storeId);
  const placed = flat(await categoryTree(tx, by.storeId)).find(({ category }) => category.id === id.toLowerCase());
  if (!placed) throw new NotFound('Category not found');
  demandSeen(seen, editableOf(placed));
  await placeCategory(tx, by, { id, parent_id, position });
  return changeCategory(tx, by, queue, [id, change]);
};
