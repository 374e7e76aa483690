import type { ComponentChildren, JSX } from 'preact';
import type { ListedPage } from '@platform/data';
import { pageMeta } from '@platform/http';
import { addressOf, hxList, LIST, type ListParts } from './address';
import { Icon } from './icon';
import { useReader } from './reading';
import { Table, type Column, type Heading } from './table';

/** Ready-made filters: values of one member of the query. */
export interface ListViews {
  readonly name: string;
  readonly current: string | undefined;
  readonly options: readonly (readonly [value: string | undefined, text: string])[];
}

interface AllParts<Row> extends ListParts {
  /** Names it, for who does not see the heading. */
  readonly caption: string;
  readonly listed: ListedPage<Row>;
  readonly columns: readonly Column<Row>[];
  /** What its search field is for; undefined: it has none. */
  readonly search?: string;
  readonly views?: ListViews;
  /** What stands there as long as the shop has no such thing. */
  readonly empty: ComponentChildren;
}

const Pager = ({ list, listed }: { readonly list: ListParts; readonly listed: ListedPage<unknown> }): JSX.Element => {
  const t = useReader();
  const { current_page: page, last_page: last, from, to, total } = pageMeta(listed);
  const [before, after] = [page === 2 ? undefined : page - 1, page + 1].map((at) => addressOf(list, { page: at }));
  return (
    <nav class="pager" aria-label={t.list.pages}>
      <span>{t.list.of({ from: t.count(from ?? 0), to: t.count(to ?? 0), total: t.count(total) })}</span>
      {page > 1 && before !== undefined ? (
        <a href={before} rel="prev" {...hxList(before)}>
          {t.list.previous}
        </a>
      ) : null}
      {page < last && after !== undefined ? (
        <a href={after} rel="next" {...hxList(after)}>
          {t.list.next}
          <Icon name="chevron-right" />
        </a>
      ) : null}
    </nav>
  );
};

const Views = ({ list, views }: { readonly list: ListParts; readonly views: ListViews }): JSX.Element => {
  const t = useReader();
  return (
    <nav class="views" aria-label={t.list.views}>
      {views.options.map(([value, text]) => {
        const href = addressOf(list, { [views.name]: value, page: undefined });
        return (
          <a href={href} aria-current={value === views.current ? 'true' : undefined} {...hxList(href)}>
            {text}
          </a>
        );
      })}
    </nav>
  );
};

/** Cards have no headings to sort by. */
const Sorting = ({ list, headings }: { readonly list: ListParts; readonly headings: readonly Heading[] }) => {
  const t = useReader();
  const current = list.query.sort ?? list.usualSort;
  const ways = headings.flatMap(({ sort, title }) =>
    sort === undefined ? [] : [[sort, `${title} ↑`] as const, [`-${sort}`, `${title} ↓`] as const],
  );
  if (ways.length === 0) return null;
  const known = ways.some(([sort]) => sort === current);
  return (
    <div class="input sorting">
      <select name="sort" aria-label={t.list.sort}>
        {known ? null : <option value="">{t.list.sort}</option>}
        {ways.map(([sort, text]) => (
          <option value={sort} selected={sort === current}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
};

/** Filters by what is typed; what else it is filtered by stays. */
const Search = ({ list, views, search, headings }: SearchParts): JSX.Element => {
  const t = useReader();
  return (
    <form
      class="search"
      role="search"
      action={list.path}
      {...hxList(list.path, 'input changed delay:300ms from:find input, change, submit')}
    >
      {views?.current === undefined ? null : <input type="hidden" name={views.name} value={views.current} />}
      <div class="input">
        <Icon name="search" />
        <input type="search" name="q" value={list.query.q} placeholder={search} aria-label={search} maxLength={200} />
      </div>
      <Sorting list={list} headings={headings} />
      <button class="button">{t.list.search}</button>
    </form>
  );
};

interface SearchParts {
  readonly list: ListParts;
  readonly views?: ListViews;
  readonly search: string;
  readonly headings: readonly Heading[];
}

const Nothing = ({ path }: Pick<ListParts, 'path'>): JSX.Element => {
  const t = useReader();
  return (
    <div class="panel empty">
      <p>{t.list.nothingFound}</p>
      <a class="button" href={path} {...hxList(path)}>
        {t.list.showAll}
      </a>
    </div>
  );
};

/** Whether it shows less than everything. */
const isFiltered = ({ query }: ListParts, views: ListViews | undefined, { page }: ListedPage<unknown>): boolean =>
  query.q !== undefined || views?.current !== undefined || page > 1;

/** A list with search, ready-made filters, sorting and pages; without script its links and its form do the same. */
export const List = <Row,>({ search, views, listed, columns, caption, empty, ...list }: AllParts<Row>): JSX.Element => {
  const filtered = isFiltered(list, views, listed);
  const hasNone = listed.rows.length === 0;
  if (hasNone && !filtered) return <div id={LIST}>{empty}</div>;
  return (
    <div id={LIST} class="list">
      {search === undefined ? null : <Search list={list} views={views} search={search} headings={columns} />}
      {views === undefined ? null : <Views list={list} views={views} />}
      {hasNone ? (
        <Nothing path={list.path} />
      ) : (
        <>
          <Table caption={caption} rows={listed.rows} columns={columns} list={list} />
          <Pager list={list} listed={listed} />
        </>
      )}
    </div>
  );
};
