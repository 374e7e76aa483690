import type { JSX } from 'preact';
import type { AreaParts } from '../../../area';
import type { Pages } from '../../../web/kit';
import { page } from '../../../web/page';
import type { Shown } from '../../../web/page.types';
import type { Reader } from '../../../web/i18n/reader';
import { StepChart } from '../../../web/ui/chart';
import { Empty, Money, Section } from '../../../web/ui/parts';
import { SpanForm } from '../../../web/ui/span';
import { Facts, Table, type Column } from '../../../web/ui/table';
import { DaysQuery, daysOf, type Days } from '../counting/public';
import { analyticsTexts } from './analytics.texts';
import type { Funnel, SourceRow } from './visits.dto';
import { funnelOf, sourcesOf } from './visits.sql';

interface Seen {
  readonly days: Days;
  readonly funnel: Funnel;
  readonly sources: readonly SourceRow[];
}

/** Of the sources that brought most. */
const DRAWN = 8;
const BASIS_POINTS = 100;

const nameOf = (source: string, t: Reader): string => (source === 'direct' ? analyticsTexts(t).direct : source);

const columnsFor = (t: Reader): readonly Column<SourceRow>[] => {
  const say = analyticsTexts(t);
  return [
    { title: say.source, main: true, cell: ({ source }) => <bdi>{nameOf(source, t)}</bdi> },
    { title: say.visits, cell: ({ visits }) => t.count(visits) },
    { title: say.anonymous, cell: ({ anonymous }) => t.count(anonymous) },
    { title: say.chats, cell: ({ chats }) => t.count(chats) },
    { title: say.orders, cell: ({ orders }) => t.count(orders) },
    { title: say.revenue, number: true, cell: ({ revenue }) => <Money amount={revenue} /> },
  ];
};

const Sources = ({ data: { sources }, t }: Shown<Seen>): JSX.Element => {
  const say = analyticsTexts(t);
  if (sources.length === 0) return <Empty text={say.none} />;
  const best = sources.filter(({ revenue }, at) => revenue > 0 && at < DRAWN);
  return (
    <>
      {best.length === 0 ? null : (
        <section class="panel">
          <StepChart
            title={say.revenueBy}
            points={best.map(({ source, revenue }) => ({ label: nameOf(source, t), value: revenue }))}
            format={t.money}
          />
        </section>
      )}
      <Table caption={say.sources} rows={sources} columns={columnsFor(t)} />
    </>
  );
};

const AnalyticsView = (shown: Shown<Seen>): JSX.Element => {
  const { data, t } = shown;
  const { steps, conversion_bp: conversion } = data.funnel;
  const say = analyticsTexts(t);
  const points = steps.map(({ step, count }) => ({ label: say.steps[step], value: count }));
  return (
    <>
      <SpanForm path="/analytics" days={data.days} />
      <section class="panel">
        <StepChart title={say.funnel} points={points} format={t.count} />
        <Facts facts={[[say.conversion, `${t.count(conversion / BASIS_POINTS)}%`]]} />
        <p class="hint">{say.consent}</p>
      </section>
      <Section title={say.sources}>
        <Sources {...shown} />
      </Section>
    </>
  );
};

/** From where visitors come, how far they go, and what of it is paid. */
export const analyticsPage = ({ database, clock }: Pick<AreaParts, 'database' | 'clock'>): Pages =>
  page({
    get: '/analytics',
    ability: 'report.read',
    query: DaysQuery,
    title: ({ t }) => t.nav.places.analytics,
    load: async ({ viewer: { caller }, query }): Promise<Seen> => {
      const { storeId } = caller;
      const days = await daysOf(database, storeId, query, clock.now());
      const [funnel, sources] = await Promise.all([
        funnelOf(database, storeId, days),
        sourcesOf(database, storeId, days),
      ]);
      return { days, funnel, sources };
    },
    view: AnalyticsView,
    own: 'market',
  });
