import { internalEndpoint } from '../../endpoint';
import type { EventFeed } from './event-feed';
import { EventsQuery, EventsReply } from './events.dto';
import { eventsExamples } from './events.examples';

export const eventEndpoints = (feed: EventFeed) => [
  internalEndpoint({
    get: '/internal/events',
    summary: 'Revocations and membership changes, for verifiers',
    guard: 'events',
    query: EventsQuery,
    reply: EventsReply,
    refuses: [],
    examples: eventsExamples,
    handle: async ({ query }) => ({
      status: 'success' as const,
      message: 'peristiwa',
      data: await feed.since(query.since),
    }),
  }),
];
