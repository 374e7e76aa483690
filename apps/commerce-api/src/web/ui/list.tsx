import type { ComponentChildren, JSX } from 'preact';
import type { ListedPage } from '@platform/data';
import { addressOf, hxList, LIST, type ListParts } from './address';
import { BULK, BulkBar, type BulkOf } from './bulk';
import { isBack } from './form';
import { Icon } from './icon';
import { Pager } from './pager';
import { Alert } from './parts';
import { useReader } from './reading';
import { Table, type Column, type Heading } from './table';

/** A ready-made filter: what it sets in the query; the first of a list sets nothing. */
export interface ListView {
  readonly text: string;
  readonly set: Readonly<Record<string, string>>;
}

interface AllParts<Row> extends ListParts {
  /** Names it, for who does not see the heading. */
  readonly caption: string;
  readonly listed: ListedPage<Row>;
  readonly columns: readonly Column<Row>[];
  /** What its search field is for; undefined: it has none. */
  readonly search?: string;
  readonly views?: readonly ListView[];
  /** Inputs that filter it, beside the search field. */
  readonly filters?: ComponentChildren;
  /** Names of the query by which `filters` filter. */
  readonly filteredBy?: readonly string[];
  /** What can be done with several rows at once. */
  readonly bulk?: BulkOf<Row>;
  /** Over the rows. */
  readonly notice?: ComponentChildren;
  /** What stands there as long as the shop has no such thing. */
  readonly empty: ComponentChildren;
}

type Asked = Readonly<Record<string, unknown>>;

/** What its ready-made filters set, each as long as it is not chosen. */
const unsetBy = (views: readonly ListView[]): Readonly<Record<string, undefined>> =>
  Object.fromEntries(views.flatMap(({ set }) => Object.keys(set)).map((name) => [name, undefined]));

/** The one that is chosen: the last whose members the query has. */
const chosenOf = (views: readonly ListView[], query: object): ListView | undefined =>
  views.findLast(({ set }) => Object.entries(set).every(([name, value]) => String((query as Asked)[name]) === value));

const Views = ({ list, views }: { readonly list: ListParts; readonly views: readonly ListView[] }): JSX.Element => {
  const t = useReader();
  const chosen = chosenOf(views, list.query);
  return (
    <nav class="views" aria-label={t.list.views}>
      {views.map((view) => {
        const href = addressOf(list, { ...unsetBy(views), ...view.set, page: undefined });
        return (
          <a href={href} aria-current={view === chosen ? 'true' : undefined} {...hxList(href)}>
            {view.text}
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
const Search = ({ list, views = [], search, headings, filters }: SearchParts): JSX.Element => {
  const t = useReader();
  return (
    <form
      class="search"
      role="search"
      action={list.path}
      {...hxList(list.path, 'input changed delay:300ms from:"find input[type=search]", change, submit')}
    >
      {Object.entries(chosenOf(views, list.query)?.set ?? {}).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <div class="input">
        <Icon name="search" />
        <input type="search" name="q" value={list.query.q} placeholder={search} aria-label={search} maxLength={200} />
      </div>
      {filters}
      <Sorting list={list} headings={headings} />
      <button class="button">{t.list.search}</button>
    </form>
  );
};

interface SearchParts {
  readonly list: ListParts;
  readonly views?: readonly ListView[];
  readonly filters?: ComponentChildren;
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
const isFiltered = ({ query }: ListParts, names: readonly string[], { page }: ListedPage<unknown>): boolean =>
  page > 1 || ['q', ...names].some((name) => (query as Asked)[name] !== undefined);

/** A list with search, ready-made filters, sorting and pages; without script its links and its form do the same. */
export const List = <Row,>(parts: AllParts<Row>): JSX.Element => {
  const { search, views, listed, columns, caption, notice, empty, filters, filteredBy = [], bulk, ...list } = parts;
  const hasNone = listed.rows.length === 0;
  const names = [...filteredBy, ...Object.keys(unsetBy(views ?? []))];
  if (hasNone && !isFiltered(list, names, listed)) return <div id={LIST}>{empty}</div>;
  return (
    <div id={LIST} class="list">
      {search === undefined ? null : <Search {...{ list, views, search, filters }} headings={columns} />}
      {views === undefined ? null : <Views list={list} views={views} />}
      {notice}
      {bulk !== undefined && isBack(bulk.form, BULK) ? (
        <Alert text={bulk.form.alert ?? Object.values(bulk.form.errors)[0]} />
      ) : null}
      {hasNone ? (
        <Nothing path={list.path} />
      ) : (
        <>
          <Table caption={caption} rows={listed.rows} columns={columns} list={list} pick={bulk} />
          <Pager list={list} listed={listed} isPart />
        </>
      )}
      {bulk === undefined || hasNone ? null : <BulkBar {...bulk} />}
    </div>
  );
};
