import { dokuSignature, dokuTimestamp } from './doku.signature';

const SECRET = 'test-secret';
const NOTICE =
  '{"order":{"invoice_number":"INV-261120-ABC234-1","amount":150000},"transaction":{"status":"SUCCESS","date":"2026-11-20T07:00:00Z","original_request_id":"req-0"}}';
const LETTERS = '{"order":{"invoice_number":"INV-261120-ABC234-2","amount":1},"customer":{"name":"Ibu Siti é 🛒"}}';
const AT = '2026-11-20T07:00:00Z';

// Computed by the openssl command line, not by this code:
//   digest:    printf '%s' "$body" | openssl dgst -sha256 -binary | openssl base64 -A
//   signature: printf '%s' "$lines" | openssl dgst -sha256 -hmac test-secret -binary | openssl base64 -A
const VECTORS = [
  ['a notice', 'req-1', AT, '/api/pay_a/notification', NOTICE, 'K5sHkjcqu9Legp5E6PLCKUlBss/ZHZjUhv5yN3HlK6k='],
  [
    ...(['a GET, without a digest', 'req-2', '2026-11-20T07:00:01Z', '/orders/v1/status/INV-261120-ABC234-1'] as const),
    ...([undefined, 'a2Tt/2gKFJ3lmv5o9dFfpBS/OyDp72U5xKtgrT7F2nQ='] as const),
  ],
  [
    ...(['a GET of an escaped number', 'req-2', '2026-11-20T07:00:01Z', '/orders/v1/status/INV%2F1'] as const),
    ...([undefined, 'HJSLlhN8JuPzL5GGnVVt7Ut4MFNMBGtsClfojCeL0ZI='] as const),
  ],
  [
    ...(['letters of any language', 'req-3', '2026-11-20T23:59:59Z', '/checkout/v1/payment', LETTERS] as const),
    'QI2TtgtxMiZhbWCno8zomAI/OVG+8bpPyCX4E/uaZH0=',
  ],
  [
    ...(['a path with a query', 'req-4', AT, '/shop/api/pay_a/checkout-notification?x=1', NOTICE] as const),
    'YwueTtjPbSVT6pQOm/lstFVRpAcG+7G8AHaSNcyg0sI=',
  ],
  [
    ...(['a path behind a prefix', 'req-4', AT, '/shop/api/pay_a/checkout-notification', NOTICE] as const),
    'Ljb80mxBjT5sHbgzccUNpnVMLwZU41qzBPCMHceKwUA=',
  ],
  [
    'an empty body, digest and all',
    'req-5',
    AT,
    '/checkout/v1/payment',
    '',
    '+jgrdUFOGEGqybaa2NCO+GDTfTmryjMSnurBMrZBxgM=',
  ],
] as const;

it.each(VECTORS)('DOKU signs %s as openssl does', (_, requestId, timestamp, target, body, expected) => {
  const request = { clientId: 'MCH-0001', requestId, timestamp, target, body };
  expect(dokuSignature(request, SECRET)).toBe(`HMACSHA256=${expected}`);
  const bytes = body === undefined ? undefined : Buffer.from(body);
  expect(dokuSignature({ ...request, body: bytes }, SECRET)).toBe(`HMACSHA256=${expected}`);
});

it('its time is UTC, to the second', () => {
  expect(dokuTimestamp(new Date('2026-11-20T14:00:00.987+07:00'))).toBe(AT);
});
