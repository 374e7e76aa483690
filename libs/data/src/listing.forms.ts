import { createHash } from 'node:crypto';
import type { Condition, Given, ListingParts, Piece, Where } from './listing.types';

/** Decides the text of a statement: which fields are given, not their values. */
export interface Shape {
  readonly kind: 'page' | 'counted page' | 'count' | 'feed' | 'all';
  /** Column; with `-` descending. */
  readonly sort: string;
  /** Fields of the filter, in the order of their definition. */
  readonly given: readonly string[];
  /** Of each word whether it is sought as a number. */
  readonly words: readonly boolean[];
  /** Whether a feed begins after a row. */
  readonly behind?: boolean;
}

/** A statement without values. */
export interface Form {
  readonly name: string;
  readonly text: string;
}

// The parts of a listing are type-checked where it is defined; here the query's type is no longer known
type Query = Record<string, unknown>;
type AnyWhere = Where<Query, string>;
export interface Parts extends Omit<ListingParts<Query, never, unknown, unknown>, 'where' | 'some'> {
  readonly where: { readonly [field: string]: AnyWhere | false };
  readonly some?: { readonly from: Piece<Query>; readonly where: { readonly [field: string]: AnyWhere } };
  readonly words?: readonly string[];
  readonly numbers?: string;
  readonly soughtAs?: (word: string) => string;
}

/** The given fields, and whether the statement counts. */
type Asked = readonly [given: Given<Query>, counts: boolean];

const sqlOf = (piece: Piece<Query>, asked: Asked): string => (typeof piece === 'string' ? piece : piece(...asked));

const conditionOf = (where: AnyWhere, parameter: string, asked: Asked): string => {
  const sql: Condition<Query> = typeof where === 'object' ? where.sql : where;
  return typeof sql === 'string' ? sql.replaceAll('?', parameter) : sql(parameter, ...asked);
};

/** Hands out `$2`, `$3`, in the order of the values; `$1` is the tenant. */
class Parameters {
  private last = 1;
  readonly next = (): string => `$${(this.last += 1)}`;
}

/** Conditions of the given fields; those of `some` are one condition, which the same related row must fulfil. */
const filtersOf = ({ where, some }: Parts, asked: Asked): string[] => {
  const [given] = asked;
  const conditions = (of: Parts['where']): string[] =>
    Object.entries(of).flatMap(([field, each]) => {
      const parameter = given[field];
      return parameter === undefined || each === false ? [] : [conditionOf(each, parameter, asked)];
    });
  const related = some ? conditions(some.where) : [];
  return [
    ...conditions(where),
    ...(some && related.length > 0 ? [`EXISTS (SELECT ${sqlOf(some.from, asked)} AND ${related.join(' AND ')})`] : []),
  ];
};

const wordIn =
  ({ words = [], numbers }: Parts, next: () => string) =>
  (isNumber: boolean): string => {
    const parameter = next();
    const columns = isNumber && numbers ? [numbers] : words;
    return `(${columns.map((column) => (column.includes('?') ? column : `${column} ILIKE ?`).replaceAll('?', parameter)).join(' OR ')})`;
  };

/** The rows that are asked for, described for a page or for the total. */
const rowsOf = (parts: Parts, asked: Asked, words: readonly string[]): { from: string; conditions: string } => {
  const only = parts.only === undefined ? [] : [sqlOf(parts.only, asked)];
  const conditions = [`${parts.tenant} = $1`, ...only, ...filtersOf(parts, asked), ...words].join(' AND ');
  return { from: sqlOf(parts.from, asked), conditions };
};

const countOf = ({ from, conditions }: ReturnType<typeof rowsOf>): string =>
  `SELECT count(*)::int AS total FROM ${from} WHERE ${conditions}`;

const textOf = (parts: Parts, shape: Shape): string => {
  const { next } = new Parameters();
  const given: Given<Query> = Object.fromEntries(shape.given.map((field) => [field, next()]));
  const words = shape.words.map(wordIn(parts, next));
  const count = countOf(rowsOf(parts, [given, true], words));
  if (shape.kind === 'count') return count;
  const direction = shape.sort.startsWith('-') ? 'DESC' : 'ASC';
  const asked: Asked = [given, false];
  const key = sqlOf(parts.sort[shape.sort.replace(/^-/, '')] as Piece<Query>, asked);
  const { tie, tenant } = parts;
  const select = sqlOf(parts.select, asked);
  const behind = shape.behind ? [`(${key}, ${tie}) ${direction === 'ASC' ? '>' : '<'} (${next()}, ${next()})`] : [];
  const { from, conditions } = rowsOf(parts, asked, [...words, ...behind]);
  const order = `ORDER BY ${key} ${direction}, ${tie} ${direction}`;
  if (shape.kind === 'all') return `SELECT ${select} FROM ${from} WHERE ${conditions} ${order}`;
  const [limit, offset] = [next(), next()];
  if (shape.kind === 'feed')
    return `SELECT ${select}, (${key})::text AS feed_key, ${tie}::text AS feed_id FROM ${from} WHERE ${conditions} ${order} LIMIT ${limit}`;
  // CASE: PostgreSQL runs a subquery when its value is needed, so nothing is counted behind a page that is not full
  const total = `, CASE WHEN (SELECT count(*) FROM page) = ${limit} THEN (${count}) END AS page_total`;
  // Ids first: subqueries of `select` then run for the rows of the page only, not for those before it
  return `WITH page AS (
      SELECT ${tie} AS id, ${key} AS key FROM ${from} WHERE ${conditions} ${order} LIMIT ${limit} OFFSET ${offset}
    ) SELECT ${select}${shape.kind === 'counted page' ? total : ''} FROM ${from} JOIN page ON page.id = ${tie}
    WHERE ${tenant} = $1 ORDER BY page.key ${direction}, page.id ${direction}`;
};

/** The statement of a shape; equal texts have equal names, so a connection never sees two texts under one name. */
export const formOf = (parts: Parts, shape: Shape): Form => {
  const text = textOf(parts, shape);
  return { name: `listing ${createHash('sha256').update(text).digest('hex').slice(0, 24)}`, text };
};
