import type { HttpClient } from '@platform/http';
import { pixelLine } from './pixel.call';
import type { PixelFact, PixelNetwork } from './pixel.port';

const VERSION = 'v24.0';
/** Temporary and rate-limiting errors: https://developers.facebook.com/docs/graph-api/guides/error-handling */
const AGAIN: ReadonlySet<unknown> = new Set([1, 2, 4, 17, 32, 341, 613, 80_004]);

const customOf = ({ order }: PixelFact): object => {
  if (!order) return {};
  const contents = order.items.map(({ id, quantity, price: item_price }) => ({ id, quantity, item_price }));
  const { currency, value, number: order_id } = order;
  return { custom_data: { currency, value, order_id, content_type: 'product', contents } };
};

/** Of a website Meta wants to know the page and the browser; without them it is what a system has seen. */
const sourceOf = ({ url, userAgent }: PixelFact): object =>
  url !== undefined && userAgent !== undefined
    ? { action_source: 'website', event_source_url: url }
    : { action_source: 'system_generated' };

const eventOf = (fact: PixelFact): object => ({
  event_name: fact.name,
  event_time: Math.floor(Date.parse(fact.at) / 1000),
  event_id: fact.eventId,
  ...sourceOf(fact),
  user_data: {
    ...(fact.email && { em: [fact.email] }),
    ...(fact.phone && { ph: [fact.phone] }),
    ...(fact.userAgent && { client_user_agent: fact.userAgent }),
    // An event that names nobody is refused
    external_id: [fact.eventId],
  },
  ...customOf(fact),
});

/** The Conversions API: https://developers.facebook.com/docs/marketing-api/conversions-api/using-the-api */
export const metaPixel = (http: HttpClient): PixelNetwork => {
  const call = pixelLine('meta', http, (status, { events_received: received, error }) => {
    if (status === 200 && received === 1) return 'taken';
    // A page of whoever stands before it is no word of Meta's
    if (typeof error !== 'object' || error === null) return 'later';
    const { code, is_transient: passes } = error as { code?: unknown; is_transient?: unknown };
    return passes === true || AGAIN.has(code) ? 'later' : 'refused';
  });
  return {
    send: ({ ref, token, testCode }, fact, signal) =>
      call({
        path: `/${VERSION}/${encodeURIComponent(ref)}/events`,
        json: { data: [eventOf(fact)], ...(testCode && { test_event_code: testCode }), access_token: token },
        secret: token,
        signal,
      }),
  };
};
