import type { ComponentChildren, JSX } from 'preact';
import { addressOf, hxList, type ListParts } from './address';
import { PickAll, PickBox, type PickOf } from './bulk';
import { Icon } from './icon';

export interface Heading {
  readonly title: string;
  /** The line of a card that names the row. */
  readonly main?: true;
  /** What is compared down the list: at the right. */
  readonly number?: true;
  /** What needs no heading beside it on a card. */
  readonly plain?: true;
  /** What `sort` is called by which the list can be sorted. */
  readonly sort?: string;
}

export interface Column<Row> extends Heading {
  readonly cell: (row: Row) => ComponentChildren;
}

interface TableParts<Row> {
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** Where it is a list that can be sorted. */
  readonly list?: ListParts;
  /** Where rows can be picked. */
  readonly pick?: PickOf<Row>;
}

const classOf = ({ main, number, plain }: Heading): string | undefined =>
  [...(main ? ['cell-main'] : []), ...(number ? ['cell-number'] : []), ...(plain ? ['cell-plain'] : [])].join(' ') ||
  undefined;

/** Each click turns the order round. */
const SortLink = ({
  title,
  sort,
  list,
}: {
  readonly title: string;
  readonly sort: string;
  readonly list: ListParts;
}) => {
  const current = list.query.sort ?? list.usualSort;
  const href = addressOf(list, { sort: current === sort ? `-${sort}` : sort, page: undefined });
  const sign = current === sort ? 'arrow-up' : current === `-${sort}` ? 'arrow-down' : undefined;
  return (
    <a href={href} {...hxList(href)}>
      {title}
      {sign === undefined ? null : <Icon name={sign} />}
    </a>
  );
};

const orderOf = ({ sort }: Heading, list: ListParts | undefined): 'ascending' | 'descending' | undefined => {
  const current = list?.query.sort ?? list?.usualSort;
  if (sort === undefined || current?.replace(/^-/, '') !== sort) return undefined;
  return current === sort ? 'ascending' : 'descending';
};

const Head = ({ heading, list }: { readonly heading: Heading; readonly list?: ListParts }): JSX.Element => (
  <th scope="col" role="columnheader" class={classOf(heading)} aria-sort={orderOf(heading, list)}>
    {heading.sort === undefined || !list ? (
      heading.title
    ) : (
      <SortLink title={heading.title} sort={heading.sort} list={list} />
    )}
  </th>
);

/** One table for every width: cards on a phone. Its roles are said, because cards would take them away from it. */
export const Table = <Row,>({ caption, rows, columns, list, pick }: TableParts<Row>): JSX.Element => (
  <table class="cards" role="table">
    <caption class="sr">{caption}</caption>
    <thead role="rowgroup">
      <tr role="row">
        {pick === undefined ? null : (
          <th scope="col" role="columnheader" class="cell-pick">
            <PickAll />
          </th>
        )}
        {columns.map((column) => (
          <Head heading={column} list={list} />
        ))}
      </tr>
    </thead>
    <tbody role="rowgroup">
      {rows.map((row) => (
        <tr role="row">
          {pick === undefined ? null : (
            <td role="cell" class="cell-pick">
              <PickBox id={pick.idOf(row)} name={pick.nameOf(row)} />
            </td>
          )}
          {columns.map((column) => (
            <td role="cell" class={classOf(column)} data-title={column.title}>
              {column.cell(row)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

type Fact = readonly [name: string, value: ComponentChildren];

/** What is to be known of one thing, each under its name. */
export const Facts = ({ facts }: { readonly facts: readonly Fact[] }): JSX.Element => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
