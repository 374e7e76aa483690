import { area, dataOf, done, pageOf, type Endpoint } from '@platform/http';
import type { AreaParts } from '../../../area';
import { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { DaysQuery, daysOf } from '../counting/public';
import { NewTracker, Tracker, TrackerChange, TrackerClicks, TrackersQuery } from './trackers.dto';
import {
  changeTracker,
  createTracker,
  deleteTracker,
  trackerById,
  trackerClicks,
  trackerListing,
  trackerRefusals,
  type StoredTracker,
} from './trackers.sql';

export interface TrackerRoutes extends Pick<AreaParts, 'database' | 'clock'> {
  /** Of the shop's pages. */
  readonly publicUrl: string | undefined;
}

/** A link with where it opens. */
export const trackerShown =
  (publicUrl: string | undefined) =>
  (row: StoredTracker): Tracker => ({ ...row, url: publicUrl === undefined ? null : `${publicUrl}/t/${row.code}` });

export const trackersEndpoints = ({ database, clock, publicUrl }: TrackerRoutes): Endpoint[] => {
  const by = byOf(clock);
  const shown = trackerShown(publicUrl);
  return area({ prefix: '/api/tracker', tag: 'Marketing' }, [
    endpoint({
      get: '',
      summary: 'Tracked short links',
      guard: 'member',
      query: TrackersQuery,
      reply: pageOf(Tracker),
      refuses: [],
      handle: async ({ caller, query }) => {
        const page = await trackerListing.page(database, caller.storeId, query);
        return { ...page, rows: page.rows.map(shown) };
      },
    }),
    endpoint({
      post: '',
      summary: 'Create short link with UTM',
      guard: 'marketing.write',
      status: 201,
      body: NewTracker,
      reply: dataOf(Tracker, 'Short link created'),
      refuses: [trackerRefusals.codeTaken, trackerRefusals.tooMany],
      handle: async (input) => shown(await database.tx((tx) => createTracker(tx, by(input), input.body))),
    }),
    endpoint({
      get: '/{id}',
      summary: 'Link with totals',
      guard: 'member',
      reply: dataOf(Tracker),
      refuses: ['notFound'],
      handle: async ({ caller, params }) => shown(await trackerById(database, caller.storeId, params.id)),
    }),
    endpoint({
      put: '/{id}',
      summary: 'Update target',
      guard: 'marketing.write',
      body: TrackerChange,
      reply: dataOf(Tracker, 'Short link updated'),
      refuses: ['notFound'],
      handle: async (input) => shown(await database.tx((tx) => changeTracker(tx, by(input), input.params, input.body))),
    }),
    endpoint({
      delete: '/{id}',
      summary: 'Delete link',
      guard: 'marketing.write',
      reply: done('Short link deleted'),
      refuses: ['notFound'],
      handle: (input) => database.tx((tx) => deleteTracker(tx, by(input), input.params.id)),
    }),
    endpoint({
      get: '/{id}/clicks',
      summary: 'Clicks and orders by day',
      guard: 'member',
      query: DaysQuery,
      reply: dataOf(TrackerClicks),
      refuses: ['notFound'],
      handle: async ({ caller: { storeId }, params, query }) =>
        trackerClicks(database, storeId, params.id, await daysOf(database, storeId, query, clock.now())),
    }),
  ]);
};
