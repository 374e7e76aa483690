import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import { BarChart, type ChartBar } from '../../../web/ui/chart';
import { Empty, Money, Notice } from '../../../web/ui/parts';
import { Way } from '../../../web/ui/reading';
import { Table, type Column } from '../../../web/ui/table';
import type { AgentFigures, PaymentsRow, ProductFigures, SalesRow } from '../figures/public';
import { reportTexts } from './reports.texts';

/** Rows that a page shows. */
export const MOST_ROWS = 100;

interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly t: Reader;
}

/** A table of the first rows, or what to do where there are none. */
const Figures = <Row,>({ rows, columns, caption, t }: Rows<Row> & FiguresOf<Row>): JSX.Element => {
  const say = reportTexts(t);
  if (rows.length === 0) return <Empty text={say.none} />;
  return (
    <>
      {rows.length > MOST_ROWS ? <Notice text={say.most({ count: t.count(MOST_ROWS) })} /> : null}
      <Table {...{ caption, columns }} rows={rows.slice(0, MOST_ROWS)} />
    </>
  );
};

interface FiguresOf<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
}

const sum = (rows: readonly SalesRow[], name: 'orders' | 'sales' | 'refunded' | 'net'): number =>
  rows.reduce((all, row) => all + row[name], 0);

const keyOf = (key: string | null, group: 'day' | 'channel', t: Reader): string => {
  if (group === 'day' && key !== null) return t.day(key);
  const { channels } = reportTexts(t);
  return channels[key as keyof typeof channels] ?? key ?? '-';
};

const barOf = ({ key, net }: SalesRow, t: Reader): ChartBar => {
  const day = t.day(key ?? '');
  return { label: day, short: day, value: Math.max(net, 0) };
};

export const Sales = ({ rows, group, t }: Rows<SalesRow> & { readonly group: 'day' | 'channel' }): JSX.Element => {
  const say = reportTexts(t);
  const totals = [
    [say.net, <Money amount={sum(rows, 'net')} />],
    [say.orders, t.count(sum(rows, 'orders'))],
    [say.sales, <Money amount={sum(rows, 'sales')} />],
    [say.refunded, <Money amount={sum(rows, 'refunded')} />],
  ] as const;
  // The newest first: what is looked for is mostly this week
  const listed =
    group === 'day' ? rows.filter(({ orders, refunded }) => orders > 0 || refunded > 0).toReversed() : rows;
  return (
    <>
      <div class="stats">
        {totals.map(([name, value]) => (
          <div class="stat">
            <span>{name}</span>
            <strong>{value}</strong>
          </div>
        ))}
      </div>
      {group === 'day' ? (
        <section class="panel">
          <BarChart title={say.perDay} points={rows.map((row) => barOf(row, t))} format={t.money} />
        </section>
      ) : null}
      <Figures
        {...{ rows: listed, t, caption: say.reports.sales }}
        columns={[
          { title: say[group], main: true, cell: ({ key }) => keyOf(key, group, t) },
          { title: say.orders, cell: ({ orders }) => t.count(orders) },
          { title: say.sales, cell: ({ sales }) => <Money amount={sales} /> },
          { title: say.refunded, cell: ({ refunded }) => (refunded === 0 ? null : <Money amount={refunded} />) },
          { title: say.net, number: true, cell: ({ net }) => <Money amount={net} /> },
        ]}
      />
    </>
  );
};

export const Products = ({ rows, costs, t }: Rows<ProductFigures> & { readonly costs: boolean }): JSX.Element => {
  const say = reportTexts(t);
  const margin: Column<ProductFigures> = {
    title: say.margin,
    cell: ({ margin: amount }) => (amount === null ? '-' : <Money amount={amount} />),
  };
  return (
    <Figures
      {...{ rows, t, caption: say.reports.products }}
      columns={[
        {
          ...{ title: say.product, main: true },
          cell: ({ product_id: id, name }) => (id === null ? name : <Way to={`/products/${id}`}>{name}</Way>),
        },
        { title: say.units, cell: ({ units }) => t.count(units) },
        { title: say.refunded, cell: ({ refunded }) => (refunded === 0 ? null : <Money amount={refunded} />) },
        ...(costs ? [margin] : []),
        { title: say.revenue, number: true, cell: ({ revenue }) => <Money amount={revenue} /> },
      ]}
    />
  );
};

export const Payments = ({ rows, t }: Rows<PaymentsRow>): JSX.Element => {
  const say = reportTexts(t);
  return (
    <Figures
      {...{ rows, t, caption: say.reports.payments }}
      columns={[
        { title: say.provider, main: true, cell: ({ provider }) => say.providers[provider] },
        { title: say.payments, cell: ({ payments }) => t.count(payments) },
        { title: say.fee, cell: ({ fee }) => <Money amount={fee} /> },
        { title: say.settled, cell: ({ settled }) => <Money amount={settled} /> },
        { title: say.pending, cell: ({ pending }) => (pending === 0 ? null : <Money amount={pending} />) },
        { title: say.refunded, cell: ({ refunded }) => (refunded === 0 ? null : <Money amount={refunded} />) },
        { title: say.amount, number: true, cell: ({ amount }) => <Money amount={amount} /> },
      ]}
    />
  );
};

export const Agents = ({ rows, t }: Rows<AgentFigures>): JSX.Element => {
  const say = reportTexts(t);
  return (
    <Figures
      {...{ rows, t, caption: say.reports.agents }}
      columns={[
        { title: say.agent, main: true, cell: ({ name }) => <bdi>{name ?? say.somebody}</bdi> },
        { title: say.handled, cell: ({ handled }) => t.count(handled) },
        { title: say.finished, cell: ({ finished }) => t.count(finished) },
        {
          title: say.firstAnswer,
          cell: ({ first_response_s: seconds }) => (seconds === null ? null : say.seconds({ count: t.count(seconds) })),
        },
        { title: say.orders, cell: ({ orders }) => t.count(orders) },
        { title: say.sales, number: true, cell: ({ sales }) => <Money amount={sales} /> },
      ]}
    />
  );
};
