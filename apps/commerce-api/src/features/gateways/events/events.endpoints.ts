import { area, cursorPage, dataOf, type Endpoint } from '@platform/http';
import type { AreaParts } from '../../../area';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { noticeRefusals, type Notices } from '../notices/public';
import { EventsQuery, ProviderEvent } from './events.dto';
import { eventById, eventListing } from './events.sql';

export const eventsEndpoints = (
  { database, cursors }: Pick<AreaParts, 'database' | 'cursors'>,
  notices: Notices,
): Endpoint[] =>
  area({ prefix: '/api/logs/webhook', tag: 'Authentication and user' }, [
    endpoint({
      get: '',
      summary: 'Inbound provider webhooks and outcome',
      guard: 'logs.read',
      query: EventsQuery,
      reply: cursorPage(ProviderEvent),
      refuses: [],
      handle: ({ caller, query }) => eventListing.feed(database, caller.storeId, query, cursors),
    }),
    endpoint({
      post: '/{id}/replay',
      summary: 'Process a stored webhook again',
      guard: 'logs.replay',
      reply: dataOf(ProviderEvent),
      refuses: ['notFound', noticeRefusals.neverVerified, 'malformed'],
      handle: async ({ caller, params }) => {
        await notices.replay(caller.storeId, params.id);
        return eventById(database, caller.storeId, params.id);
      },
    }),
  ]);
