import { InvalidInput } from '@platform/errors';
import { area, dataOf, listOf, type Endpoint } from '@platform/http';
import { cut } from '@platform/runtime';
import type { AreaParts } from '../../../area';
import { ofSlug, rowEndpoint as endpoint } from '../../../endpoint';
import { utmNames, type Utm } from '../attribution/public';
import { isPerson } from '../../../person';
import { DaysQuery, daysOf } from '../counting/public';
import { Accepted, Funnel, SourceRow, VisitorEvent, VisitorHeaders } from './visits.dto';
import { keeping, type PurchaseObserver } from './purchases';
import type { VisitorEvents } from './visitor.events';
import { funnelOf, sourcesOf } from './visits.sql';

const MOST_BYTES = 4096;
const MOST_DATA = 2048;
const LONGEST = 200;

/** What an address says of where its visitor came from. */
const utmIn = (address: string): Utm => {
  const { searchParams } = new URL(address);
  return Object.fromEntries(
    utmNames.flatMap((name) => {
      const value = searchParams.get(`utm_${name}`)?.replaceAll('\0', '').trim();
      return value ? [[name, cut(value, LONGEST)]] : [];
    }),
  );
};

const refuseTooMuch = (data: object | undefined): void => {
  if (data === undefined || Buffer.byteLength(JSON.stringify(data)) <= MOST_DATA) return;
  throw new InvalidInput([{ field: 'data', tag: 'max', message: `data must have at maximum ${MOST_DATA} bytes` }]);
};

interface Parts extends Pick<AreaParts, 'database' | 'clock'> {
  readonly events: VisitorEvents;
  readonly purchased: PurchaseObserver;
}

export const visitsEndpoints = ({ database, clock, events, purchased }: Parts): Endpoint[] => {
  const keep = keeping(database, events, purchased);
  const days = (storeId: string, query: DaysQuery) => daysOf(database, storeId, query, clock.now());
  return area({ prefix: '/api/tracking', tag: 'Marketing' }, [
    endpoint({
      post: '/event',
      summary: 'Record visitor event from our pages',
      description:
        'What a program sends is accepted and not counted. A `purchase` names its order as `data.order_number`, so that advertising networks hear of it when it is paid, under the same event id; it counts for them where `visitor_id` is that with which the cart of the order began.',
      guard: 'none',
      status: 202,
      rate: { requests: 120, perSeconds: 60, by: 'address' },
      tenantOf: ({ body }) => ofSlug((body as VisitorEvent).store_slug),
      bodyLimit: MOST_BYTES,
      headers: VisitorHeaders,
      body: VisitorEvent,
      reply: dataOf(Accepted, 'Event accepted'),
      refuses: ['notFound'],
      handle: async ({ headers, body }) => {
        refuseTooMuch(body.data);
        const { store_slug: slug, event, event_id: eventId, visitor_id: visitorId, consent } = body;
        const told = {
          slug,
          event,
          eventId,
          visitorId,
          consent,
          utm: body.utm ?? utmIn(body.url),
          at: clock.now(),
        };
        if (isPerson(headers['user-agent'])) await keep(told, body, headers['user-agent']);
        return { accepted: true };
      },
    }),
    endpoint({
      get: '/sources',
      summary: 'Visits and revenue by source',
      guard: 'report.read',
      query: DaysQuery,
      reply: listOf(SourceRow),
      refuses: [],
      handle: async ({ caller: { storeId }, query }) => sourcesOf(database, storeId, await days(storeId, query)),
    }),
    endpoint({
      get: '/funnel',
      summary: 'Visit to paid conversion',
      guard: 'report.read',
      query: DaysQuery,
      reply: dataOf(Funnel),
      refuses: [],
      handle: async ({ caller: { storeId }, query }) => funnelOf(database, storeId, await days(storeId, query)),
    }),
  ]);
};
