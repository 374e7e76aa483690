import type { Sql } from './database.types';
import type { PageCursor } from './page-cursor';
import type { StreamOptions, StreamsRows } from './streams';

/** Fields of a query that choose page and order; all others filter. */
type PageField = 'sort' | 'q' | 'page' | 'per_page' | 'cursor' | 'limit';
export type FilterField<Q> = Exclude<keyof Q & string, PageField>;

/** The parameter (`$3`) of each field's value; no member for a field that was not given. */
export type Given<Q> = { readonly [F in FilterField<Q>]?: string };

/**
 * SQL, or a function that builds it from the given fields. The tenant is always `$1`. `counts`: for the total, which reads all
 * rows at once, where a page seeks a few: the same rows may have to be described in another way.
 */
export type Piece<Q> = string | ((given: Given<Q>, counts: boolean) => string);

/** `?` stands for the value; a function is given the parameter's name instead. */
export type Condition<Q> = `${string}?${string}` | ((parameter: string, given: Given<Q>, counts: boolean) => string);

/** A condition with more than its SQL. */
export interface WhereMore<Q, F extends keyof Q> {
  readonly sql: Condition<Q>;
  /** Converts the given value for PostgreSQL, and may throw `InvalidInput`. */
  readonly value?: (given: NonNullable<Q[F]>) => unknown;
  /**
   * How many rows are left differs so much between values and tenants that each statement is planned for its own: that takes a millisecond, and
   * the plan for what is usual takes the largest tenants many.
   */
  readonly weighed?: true;
}

export type Where<Q, F extends keyof Q> = Condition<Q> | WhereMore<Q, F>;

/** Conditions by field; `false`: the field does not filter. */
export type WhereOf<Q> = { readonly [F in FilterField<Q>]: Where<Q, F> | false };

/** A column to sort by; with `-` descending. */
export type Sort<Column extends string> = Column | `-${Column}`;
/** Both directions of every column, for the `@Choice` of a DTO. */
export const sortsOf = <Column extends string>(columns: readonly Column[]): Sort<Column>[] =>
  columns.flatMap((column): Sort<Column>[] => [column, `-${column}`]);

type ColumnOf<S> = S extends `-${infer Column}` ? Column : S;
/** The union of the query's `sort` if it is one; any name otherwise. */
export type SortColumn<Q> = Q extends { readonly sort?: infer S } ? ColumnOf<NonNullable<S>> & string : string;

export interface ListingParts<Q extends object, S extends FilterField<Q>, Raw, Row> {
  /** One table or join, every table with an alias. PostgreSQL drops an unused left join by itself. */
  readonly from: Piece<Q>;
  /** Column of the tenant, such as `c.store_id`. */
  readonly tenant: string;
  readonly select: Piece<Q>;
  /** A condition of every row, such as `v.status = 'active'`. */
  readonly only?: Piece<Q>;
  /** Columns that `sort` may name. Not null where the list is read as a feed. */
  readonly sort: { readonly [Column in SortColumn<Q>]: Piece<Q> };
  readonly usualSort: Sort<SortColumn<Q>>;
  /** Unique within the tenant; makes every order total. */
  readonly tie: string;
  /** Every field of the query except those of paging, here or in `some`, so that no promise of the DTO is forgotten. */
  readonly where: Omit<WhereOf<Q>, S>;
  /** Conditions that one and the same related row must fulfil: `FROM variant v WHERE v.store_id = $1 AND v.product_id = p.id`. */
  readonly some?: { readonly from: Piece<Q>; readonly where: { readonly [F in S]: Where<Q, F> } };
  /** As of a condition (`WhereMore`), whatever is asked: a page whose rows are a join may begin with either table. */
  readonly weighed?: true;
  /** Most rows of a page: by default 100, of a feed 200. */
  readonly most?: number;
  /** Maps what PostgreSQL returned to a row. */
  readonly read?: (record: Raw) => Row;
}

/** Columns to search for the words of `q`, or conditions with `?`; one of them must contain each word, in any case. */
type Words<Q> = 'q' extends keyof Q
  ? {
      readonly words: readonly string[];
      /** In place of `words`, the condition of a word with four digits in a row: numbers may need an index of their own. */
      readonly numbers?: string;
      /** A word as the columns have it. */
      readonly soughtAs?: (word: string) => string;
    }
  : { readonly words?: undefined; readonly numbers?: undefined; readonly soughtAs?: undefined };

export type ListingDefinition<Q extends object, S extends FilterField<Q>, Raw, Row> = ListingParts<Q, S, Raw, Row> &
  Words<Q>;

export interface Statement {
  /** The same for the same text in every process; undefined when it is not worth preparing. */
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface ListedPage<Row> {
  readonly rows: Row[];
  /** Rows of all pages together; from 10,000 up as it was at most ten seconds ago. */
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
}

export interface Feed<Row> {
  readonly rows: Row[];
  /** `cursor` of the next page; null after the last row. */
  readonly nextCursor: string | null;
}

/** A list of one tenant's rows. All of its methods throw `InvalidInput` for a sort, page or cursor that does not exist. */
export interface Listing<Q extends object, Row> {
  /** One page by its number (`page`, `per_page`, `sort`), counted. */
  page(sql: Sql, tenant: string, query: Q): Promise<ListedPage<Row>>;
  /** One page by its position (`cursor`, `limit`), in the default order; rows inserted meanwhile move no row to another page. */
  feed(sql: Sql, tenant: string, query: Q, cursors: PageCursor): Promise<Feed<Row>>;
  /** Every row in the order of `sort`, as `Database.stream` reads them: one stream of a tenant at a time. */
  stream(database: StreamsRows, tenant: string, query: Q, options?: StreamOptions): AsyncGenerator<Row, void>;
  /** The statements of a page, for tests of their plans: its rows with and without the total, and what counts behind the last page. */
  statements(
    tenant: string,
    query: Q,
  ): { readonly rows: Statement; readonly counted: Statement; readonly count: Statement };
}
