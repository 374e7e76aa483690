import { internalEndpoint } from '../../endpoint';
import type { EventFeed } from './event-feed';
import { EventsQuery, EventsReply } from './events.dto';

export const eventEndpoints = (feed: EventFeed) => [
  internalEndpoint({
    get: '/internal/events',
    summary: 'Revocations and membership changes, for verifiers',
    guard: 'events',
    query: EventsQuery,
    reply: EventsReply,
    examples: [
      {
        summary: 'nothing new',
        request: { since: '999999' },
        status: 200,
        response: { status: 'success', message: 'peristiwa', data: { items: [], cursor: '999999' } },
      },
    ],
    handle: async ({ query }) => ({
      status: 'success' as const,
      message: 'peristiwa',
      data: await feed.since(query.since),
    }),
  }),
];
