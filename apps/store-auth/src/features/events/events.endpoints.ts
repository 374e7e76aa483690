import { endpoint } from '../../endpoint';
import type { EventFeed } from './event-feed';
import { EventsQuery, EventsReply } from './events.dto';
import { eventsExamples } from './events.examples';

export const eventEndpoints = (feed: EventFeed) => [
  endpoint({
    get: '/internal/events',
    summary: 'Revocations and membership changes, for verifiers',
    tag: 'internal',
    internal: true,
    guard: 'events',
    query: EventsQuery,
    reply: EventsReply,
    examples: eventsExamples,
    handle: async ({ query }) => ({
      status: 'success' as const,
      message: 'peristiwa',
      data: await feed.since(query.since),
    }),
  }),
];
