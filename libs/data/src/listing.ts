import { createHash } from 'node:crypto';
import { InvalidInput } from '@platform/errors';
import { RevalidatingCache, SharedPlaces } from '@platform/runtime';
import type { Sql } from './database.types';
import { formOf, type Form, type Parts, type Shape } from './listing.forms';
import type { Feed, FilterField, ListedPage, Listing, ListingDefinition, Statement } from './listing.types';
import type { PageCursor } from './page-cursor';
import type { StreamOptions, StreamsRows } from './streams';

/** Most prepared statements of one listing; later forms are parsed every time. */
const MOST_PREPARED = 96;
/** Texts of one listing that are built once. */
const MOST_FORMS = 500;
/** Words of a search beyond these are ignored. */
const MOST_WORDS = 8;
const MOST_PAGES = 1_000_000;
/** To count so many rows takes longer than to read a page of them, and nobody sees whether one has come meanwhile. */
const LARGE_TOTAL = 10_000;
/** Behind all lists of a process no more is counted at once, and for a tenant one: the connections are for those who wait. */
const places = new SharedPlaces({ places: 3, most: 1 });
const LARGE_TOTALS = { limit: 1_000, freshMs: 10_000, staleMs: 50_000, places };
const LONG_QUESTION = 256;
const PAGE = { usual: 15, most: 100 };
const FEED = { usual: 50, most: 200 };

/** Of a DTO only the fields that the definition names are read. */
const valueIn = (query: object, field: string): unknown => (query as Record<string, unknown>)[field];
type PageRecord = { readonly page_total: number | null } & Record<string, unknown>;
type FeedRecord = { readonly feed_key: string; readonly feed_id: string } & Record<string, unknown>;

const refused = (field: string, tag: string, message: string): InvalidInput =>
  new InvalidInput([{ field, tag, message: `${field} ${message}` }]);

/** The DTO promises the same to callers; this applies where a DTO forgot to. */
const bounded = (field: string, value: unknown, usual: number, most: number): number => {
  const number = value ?? usual;
  if (Number.isInteger(number) && (number as number) >= 1 && (number as number) <= most) return number as number;
  throw refused(field, 'max', `must be an integer from 1 to ${most}`);
};

/** `%`, `_` and `\` match literally. */
const anywhere = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`;

/**
 * Texts are compared as texts are stored (architecture section 6), whatever a DTO let through: U+0000 is refused in the words of
 * `@Text`, half of a surrogate pair is U+FFFD. What PostgreSQL cannot hold never reaches it.
 */
const storable = (field: string, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((each) => storable(field, each));
  if (typeof value !== 'string') return value;
  if (value.includes('\0')) throw refused(field, 'excludesrune', "cannot contain the following 'U+0000'");
  return value.replace(/\p{Surrogate}/gu, '\uFFFD');
};

const wordsOf = (text: unknown): string[] =>
  typeof text === 'string' ? text.split(/\s+/).filter(Boolean).slice(0, MOST_WORDS) : [];

const isNumber = (word: string): boolean => /[0-9]{4}/.test(word);

/** Without a name it is planned anew for its values each time. */
type AskedForm = Partial<Form> & Pick<Form, 'text'>;

/** Turns a query into shape and values, and builds the text of each shape once. */
class Statements {
  private readonly forms = new Map<string, AskedForm>();
  private prepared = 0;
  private readonly filters: Parts['where'];

  constructor(private readonly parts: Parts) {
    this.filters = { ...parts.where, ...parts.some?.where };
  }

  of(kind: Shape['kind'], tenant: string, query: object, more: readonly unknown[] = [], behind = false): Statement {
    // Names come from the definition: any other field of a query is never read
    const given = Object.keys(this.filters).filter((field) => this.filters[field] && valueIn(query, field) != null);
    const { soughtAs = (word: string) => word } = this.parts;
    const words = this.parts.words ? wordsOf(storable('q', valueIn(query, 'q'))).map(soughtAs) : [];
    const sort = kind === 'count' || kind === 'feed' ? this.parts.usualSort : this.sortOf(query);
    const form = this.form({
      kind,
      sort,
      given,
      words: words.map((word) => this.parts.numbers !== undefined && isNumber(word)),
      behind,
    });
    return {
      ...form,
      values: [
        tenant,
        ...given.map((field) => this.parameter(field, storable(field, valueIn(query, field)))),
        ...words.map(anywhere),
        ...more,
      ],
    };
  }

  page(query: object): { page: number; perPage: number; position: readonly [limit: number, offset: number] } {
    const page = bounded('page', valueIn(query, 'page'), 1, MOST_PAGES);
    const perPage = bounded('per_page', valueIn(query, 'per_page'), PAGE.usual, this.parts.most ?? PAGE.most);
    return { page, perPage, position: [perPage, (page - 1) * perPage] };
  }

  /** A cursor is valid for the same list, tenant and filter only. */
  feed(tenant: string, query: object): { binding: string; cursor: unknown; limit: number } {
    const { text, values } = this.of('feed', tenant, query);
    const limit = bounded('limit', valueIn(query, 'limit'), FEED.usual, this.parts.most ?? FEED.most);
    return { binding: JSON.stringify([text, values]), cursor: valueIn(query, 'cursor') ?? undefined, limit };
  }

  private sortOf(query: object): string {
    const { sort: columns, usualSort } = this.parts;
    const sort = valueIn(query, 'sort');
    if (sort == null) return usualSort;
    if (typeof sort === 'string' && Object.hasOwn(columns, sort.replace(/^-/, ''))) return sort;
    throw refused('sort', 'oneof', `must be one of [${Object.keys(columns).join(' ')}], with - for descending`);
  }

  private parameter(field: string, value: unknown): unknown {
    const where = this.filters[field];
    return typeof where === 'object' && where.value ? where.value(value as never) : value;
  }

  private isWeighed(field: string): boolean {
    const where = this.filters[field];
    return typeof where === 'object' && where.weighed === true;
  }

  private form(shape: Shape): AskedForm {
    const key = JSON.stringify(shape);
    const known = this.forms.get(key);
    if (known) return known;
    const { given, words } = shape;
    // A word that everybody has in common is sought otherwise than one that nobody has
    const isWeighed = this.parts.weighed === true || words.length > 0 || given.some((field) => this.isWeighed(field));
    const { name, text } = formOf(this.parts, shape);
    const isPrepared = !isWeighed && this.prepared < MOST_PREPARED;
    const form = isPrepared ? { name, text } : { text };
    // Words come in more forms than are kept, and one that is prepared must be counted once
    if (isPrepared || this.forms.size < MOST_FORMS) this.forms.set(key, form);
    if (isPrepared) this.prepared += 1;
    return form;
  }
}

const run = <Row>(sql: Sql, { name, text, values }: Statement): Promise<Row[]> =>
  name === undefined ? sql.query<Row>(text, values) : sql.prepared<Row>(name, text, values);

/** What a statement asks; a digest where filters are long, because it is kept. */
const questionOf = ({ name, text, values }: Statement): string => {
  const question = JSON.stringify([name ?? text, values]);
  return question.length <= LONG_QUESTION ? question : createHash('sha256').update(question).digest('base64');
};

/** Of small lists nothing is remembered. */
const kept = (total: number): number | undefined => (total >= LARGE_TOTAL ? total : undefined);

/** Behind the back of one the count would come before its page on the same connection, and whoever fails there ends both. */
const isTransaction = (sql: Sql): boolean => 'afterCommit' in sql;

const withoutTotal = ({ page_total: _total, ...record }: PageRecord): object => record;

class TenantListing<Q extends object, Row> implements Listing<Q, Row> {
  /** By what was asked. */
  private readonly totals = new RevalidatingCache<string, number>(LARGE_TOTALS);

  constructor(
    private readonly asked: Statements,
    private readonly read: (record: object) => Row,
  ) {}

  async page(sql: Sql, tenant: string, query: Q): Promise<ListedPage<Row>> {
    const { page, perPage, position } = this.asked.page(query);
    const counting = this.asked.of('count', tenant, query);
    const asked = questionOf(counting);
    const again = { tenant, ask: async () => kept(await this.count(sql, counting)) };
    const known = this.totals.get(asked, isTransaction(sql) ? undefined : again);
    const statement = this.asked.of(known === undefined ? 'counted page' : 'page', tenant, query, position);
    const records = await run<PageRecord>(sql, statement);
    const rows = (known === undefined ? records.map(withoutTotal) : records).map(this.read);
    const before = position[1];
    // A page that is not full already gives the total; one behind the last has no row to tell it
    const last = rows.length < perPage && (rows.length > 0 || page === 1);
    const counted = known ?? records[0]?.page_total;
    const total = last ? before + rows.length : (counted ?? (await this.count(sql, counting)));
    if (known === undefined) this.totals.set(asked, kept(total));
    return { rows, total, page, perPage };
  }

  async feed(sql: Sql, tenant: string, query: Q, cursors: PageCursor): Promise<Feed<Row>> {
    const { binding, cursor, limit } = this.asked.feed(tenant, query);
    const after = cursor === undefined ? undefined : cursors.read(binding, cursor);
    const begin = after ? [after.lastAt, after.id] : [];
    const statement = this.asked.of('feed', tenant, query, [...begin, limit + 1], after !== undefined);
    const records = await run<FeedRecord>(sql, statement);
    const shown = records.slice(0, limit);
    const last = records.length > limit ? shown.at(-1) : undefined;
    return {
      rows: shown.map(({ feed_key: _key, feed_id: _id, ...record }) => this.read(record)),
      nextCursor: last ? cursors.write(binding, { lastAt: last.feed_key, id: last.feed_id }) : null,
    };
  }

  async *stream(database: StreamsRows, tenant: string, query: Q, options?: StreamOptions): AsyncGenerator<Row, void> {
    const { text, values } = this.asked.of('all', tenant, query);
    const rows = database.stream<object>(text, values, { ...options, tenant });
    for await (const record of rows) yield this.read(record);
  }

  statements(tenant: string, query: Q): ReturnType<Listing<Q, Row>['statements']> {
    const { position } = this.asked.page(query);
    return {
      rows: this.asked.of('page', tenant, query, position),
      counted: this.asked.of('counted page', tenant, query, position),
      count: this.asked.of('count', tenant, query),
    };
  }

  private async count(sql: Sql, statement: Statement): Promise<number> {
    const [{ total }] = (await run(sql, statement)) as [{ total: number }];
    return total;
  }
}

/**
 * A list of rows of one tenant, as data: what it reads, how it may be filtered, searched, sorted and paged. The
 * tenant is the first condition of every statement, values travel as parameters only, and no name of a request ever becomes
 * SQL. Each form of query has a statement with only the conditions it needs, prepared for the first 96 forms
 * unless it seeks words or a condition is to be weighed.
 *
 * `query` is the DTO of the endpoint: each of its fields must have its condition here, and no other may.
 */
export const listingOf = <Q extends object, S extends FilterField<Q> = never, Raw = Record<string, unknown>, Row = Raw>(
  _query: abstract new () => Q,
  definition: ListingDefinition<Q, S, Raw, Row>,
): Listing<Q, Row> => {
  const { read = (record: Raw) => record as unknown as Row } = definition;
  return new TenantListing<Q, Row>(new Statements(definition as unknown as Parts), read as (record: object) => Row);
};
