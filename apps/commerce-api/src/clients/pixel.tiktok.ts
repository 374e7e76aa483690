import type { HttpClient } from '@platform/http';
import { pixelLine } from './pixel.call';
import type { PixelFact, PixelNetwork } from './pixel.port';

/** Too many requests, and what is TikTok's own: https://business-api.tiktok.com/portal/docs?id=1737172488964097 */
const AGAIN: ReadonlySet<unknown> = new Set([40_016, 40_100, 40_133, 40_202, 50_000, 50_002, 51_305, 60_001]);

const propertiesOf = ({ order }: PixelFact): object => {
  if (!order) return {};
  const contents = order.items.map(({ id: content_id, quantity, price }) => ({ content_id, quantity, price }));
  const { currency, value, number: order_id } = order;
  return { properties: { currency, value, order_id, content_type: 'product', contents } };
};

const eventOf = (fact: PixelFact): object => ({
  event: fact.name,
  event_time: Math.floor(Date.parse(fact.at) / 1000),
  event_id: fact.eventId,
  user: {
    ...(fact.email && { email: fact.email }),
    ...(fact.phone && { phone: fact.phone }),
    ...(fact.userAgent && { user_agent: fact.userAgent }),
  },
  ...(fact.url && { page: { url: fact.url } }),
  ...propertiesOf(fact),
});

/** The Events API 2.0, which answers 200 also to what it refuses: https://business-api.tiktok.com/portal/docs?id=1771100865818625 */
export const tiktokPixel = (http: HttpClient): PixelNetwork => {
  const call = pixelLine('tiktok', http, (status, { code }) => {
    if (status === 200 && code === 0) return 'taken';
    return AGAIN.has(code) ? 'later' : 'refused';
  });
  return {
    send: ({ ref, token, testCode }, fact, signal) =>
      call({
        path: '/open_api/v1.3/event/track/',
        headers: { 'access-token': token },
        json: {
          ...{ event_source: 'web', event_source_id: ref, data: [eventOf(fact)] },
          ...(testCode && { test_event_code: testCode }),
        },
        secret: token,
        signal,
      }),
  };
};
