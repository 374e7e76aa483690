import { area, dataOf, done, pageOf, type Endpoint } from '@platform/http';
import type { AreaParts } from '../../../area';
import { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { DaysQuery, daysOf } from '../counting/public';
import {
  Biolink,
  BiolinkChange,
  BiolinkRow,
  BiolinksQuery,
  BiolinkStatistics,
  NewBiolink,
  Publishing,
} from './biolinks.dto';
import {
  biolinkById,
  biolinkListing,
  biolinkRefusals,
  changeBiolink,
  createBiolink,
  deleteBiolink,
  publishBiolink,
  type Pictures,
  type StoredRow,
} from './biolinks.sql';
import { biolinkStatistics } from './statistics.sql';

export interface BiolinkRoutes extends Pick<AreaParts, 'database' | 'clock'> {
  readonly pictures: Pictures;
  /** Of the shop's pages. */
  readonly publicUrl: string | undefined;
}

const PREFIX = { prefix: '/api/biolink', tag: 'Marketing' };

const reads = ({ database, clock, publicUrl }: BiolinkRoutes) => {
  const shown = <Row extends StoredRow>(row: Row): Row & Pick<BiolinkRow, 'url'> => ({
    ...row,
    url: publicUrl === undefined ? null : `${publicUrl}/b/${row.slug}`,
  });
  const endpoints = [
    endpoint({
      get: '',
      summary: 'Biolink pages',
      guard: 'member',
      query: BiolinksQuery,
      reply: pageOf(BiolinkRow),
      refuses: [],
      handle: async ({ caller, query }) => {
        const page = await biolinkListing.page(database, caller.storeId, query);
        return { ...page, rows: page.rows.map(shown) };
      },
    }),
    endpoint({
      get: '/{id}',
      summary: 'Page with blocks',
      guard: 'member',
      reply: dataOf(Biolink),
      refuses: ['notFound'],
      handle: async ({ caller, params }) => shown(await biolinkById(database, caller.storeId, params.id)),
    }),
    endpoint({
      get: '/{id}/statistics',
      summary: 'Views and clicks per block',
      guard: 'member',
      query: DaysQuery,
      reply: dataOf(BiolinkStatistics),
      refuses: ['notFound'],
      handle: async ({ caller: { storeId }, params, query }) =>
        biolinkStatistics(database, storeId, params.id, await daysOf(database, storeId, query, clock.now())),
    }),
  ];
  return { shown, endpoints };
};

/** Pages of links. */
export const biolinksEndpoints = (routes: BiolinkRoutes): Endpoint[] => {
  const { database, clock, pictures } = routes;
  const by = byOf(clock);
  const { shown, endpoints } = reads(routes);
  return area(PREFIX, [
    ...endpoints,
    endpoint({
      post: '',
      summary: 'Create page',
      description: 'Nobody but the store sees it before it is published.',
      guard: 'marketing.write',
      status: 201,
      body: NewBiolink,
      reply: dataOf(Biolink, 'Page created'),
      refuses: ['notFound', biolinkRefusals.slugTaken, biolinkRefusals.tooMany],
      handle: async (input) => shown(await database.tx((tx) => createBiolink(tx, pictures, by(input), input.body))),
    }),
    endpoint({
      put: '/{id}',
      summary: 'Update slug, theme, profile',
      description:
        'A slug that the page gives up leads nowhere. No other store can have the last 200 that this one has given up.',
      guard: 'marketing.write',
      body: BiolinkChange,
      reply: dataOf(Biolink, 'Page updated'),
      refuses: ['notFound', biolinkRefusals.slugTaken],
      handle: async (input) =>
        shown(await database.tx((tx) => changeBiolink(tx, pictures, by(input), [input.params.id, input.body]))),
    }),
    endpoint({
      put: '/{id}/publish',
      summary: 'Publish or unpublish',
      guard: 'marketing.write',
      body: Publishing,
      reply: dataOf(Biolink, 'Page updated'),
      refuses: ['notFound'],
      handle: async (input) =>
        shown(await database.tx((tx) => publishBiolink(tx, by(input), input.params.id, input.body.published))),
    }),
    endpoint({
      delete: '/{id}',
      summary: 'Delete page',
      guard: 'marketing.write',
      reply: done('Page deleted'),
      refuses: ['notFound'],
      handle: (input) => database.tx((tx) => deleteBiolink(tx, pictures, by(input), input.params.id)),
    }),
  ]);
};
