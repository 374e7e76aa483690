import type { Feed } from '@platform/http';
import type { JSX } from 'preact';
import type { Reader } from '../../web/i18n/reader';
import type { Shown } from '../../web/page.types';
import { FeedPager, FeedViews } from '../../web/ui/feed';
import { Icon } from '../../web/ui/icon';
import { Away, Empty, Moment } from '../../web/ui/parts';
import { Way } from '../../web/ui/reading';
import { Table, type Column } from '../../web/ui/table';
import { State } from './broadcast.report';
import { broadcastStates, type Broadcast, type BroadcastsQuery } from './broadcasts.dto';
import { broadcastTexts } from './broadcasts.texts';

const PATH = '/broadcasts';

const columnsFor = (t: Reader): readonly Column<Broadcast>[] => {
  const say = broadcastTexts(t);
  return [
    { title: say.name, main: true, cell: ({ id, name }) => <a href={`${PATH}/${id}`}>{name}</a> },
    { title: say.status, plain: true, cell: (broadcast) => <State broadcast={broadcast} t={t} /> },
    {
      title: say.sentOf,
      cell: ({ counts }) => say.progressOf({ done: t.count(counts.sent), all: t.count(counts.total - counts.skipped) }),
    },
    { title: say.when, cell: ({ schedule_at: at }) => (at === null ? say.now : <Moment at={at} brief />) },
  ];
};

const Create = ({ t }: { readonly t: Reader }): JSX.Element => (
  <Way class="button button-main" to={`${PATH}/create`}>
    <Icon name="plus" />
    {broadcastTexts(t).create}
  </Way>
);

/** Undefined while chat-backend is away. */
export const BroadcastsView = ({ data, query, t }: Shown<Feed<Broadcast> | undefined, BroadcastsQuery>) => {
  const say = broadcastTexts(t);
  const isAll = query.status === undefined && query.cursor === undefined;
  const views = broadcastStates.map((status) => ({ text: say.states[status], set: { status } }));
  return (
    <div class="rows">
      <div class="row-actions">
        <Create t={t} />
      </div>
      {data === undefined ? (
        <Away />
      ) : (
        <>
          {isAll && data.rows.length === 0 ? null : (
            <FeedViews {...{ path: PATH, query }} views={[{ text: t.list.all, set: {} }, ...views]} />
          )}
          {data.rows.length === 0 ? (
            <Empty text={isAll ? say.none : say.noneHere} />
          ) : (
            <Table caption={t.nav.places.broadcasts} rows={data.rows} columns={columnsFor(t)} />
          )}
          <FeedPager {...{ path: PATH, query }} next={data.nextCursor} />
        </>
      )}
    </div>
  );
};
