import type { HttpClient } from '@platform/http';
import { pixelLine } from './pixel.call';
import type { PixelFact, PixelNetwork } from './pixel.port';

const eventOf = ({ name, eventId, order }: PixelFact): object => {
  if (!order) return { name: name === 'Purchase' ? 'purchase' : 'test_event', params: { transaction_id: eventId } };
  const items = order.items.map(({ id: item_id, quantity, price }) => ({ item_id, quantity, price }));
  const { currency, value } = order;
  // By this id it knows that the browser told of the same
  return { name: 'purchase', params: { transaction_id: eventId, currency, value, items } };
};

/** Who they are may be told of a known user only. */
const personOf = ({ email, phone }: PixelFact): object => {
  const known = phone ?? email;
  if (known === undefined) return {};
  const hashes = { ...(email && { sha256_email_address: [email] }), ...(phone && { sha256_phone_number: [phone] }) };
  return { user_id: known, user_data: hashes };
};

/**
 * The Measurement Protocol of GA4, which takes whatever it is sent; what is wrong with a test its debug server tells:
 * https://developers.google.com/analytics/devguides/collection/protocol/ga4
 */
export const googlePixel = (http: HttpClient): PixelNetwork => {
  const call = pixelLine('google', http, (status, { validationMessages: faults }) => {
    const isFaulty = Array.isArray(faults) && faults.length > 0;
    return status >= 200 && status < 300 && !isFaulty ? 'taken' : 'refused';
  });
  return {
    send: ({ ref, token }, fact, signal) => {
      const place = fact.name === 'TestEvent' ? '/debug/mp/collect' : '/mp/collect';
      const query = new URLSearchParams({ measurement_id: ref, api_secret: token });
      return call({
        path: `${place}?${String(query)}`,
        json: {
          client_id: fact.eventId,
          timestamp_micros: Date.parse(fact.at) * 1000,
          ...personOf(fact),
          events: [eventOf(fact)],
        },
        secret: token,
        signal,
      });
    },
  };
};
