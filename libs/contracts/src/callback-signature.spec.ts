import { createHmac } from 'node:crypto';
import { callbackHeaders, callbackSignature, openCallbackCheck, verifyCallbackSignature } from './callback-signature';

const now = new Date('2026-11-20T07:05:00Z');
const stamp = { timestamp: now.getTime(), eventId: '0199aaaa-0000-7000-8000-000000000001' };
const rawBody = Buffer.from('--x\r\ninstanceID=toko-1\r\n\xff', 'latin1');

const received = (secret: string, at: object = {}) =>
  Object.fromEntries(
    Object.entries(callbackHeaders(secret, { ...stamp, attempt: 1, rawBody, ...at })).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]),
  );
const accepts = (secrets: string, headers: Record<string, string>, body: Buffer | string = rawBody) =>
  verifyCallbackSignature(secrets, { headers, rawBody: body, now });

describe('signing a callback', () => {
  it('signs timestamp, event id and the raw body, joined by dots', () => {
    const expected = createHmac('sha256', 'k')
      .update(`${stamp.timestamp}.${stamp.eventId}.`)
      .update(rawBody)
      .digest('hex');
    expect(callbackSignature('k', { ...stamp, rawBody })).toBe(`sha256=${expected}`);
  });

  it('writes the four headers', () => {
    expect(callbackHeaders('k', { ...stamp, attempt: 3, rawBody: 'a' })).toEqual({
      'X-Gateway-Event-Id': stamp.eventId,
      'X-Gateway-Attempt': '3',
      'X-Gateway-Timestamp': String(stamp.timestamp),
      'X-Gateway-Signature': callbackSignature('k', { ...stamp, rawBody: 'a' }),
    });
  });

  it('leaves the signature out without a secret', () => {
    expect(callbackHeaders(undefined, { ...stamp, attempt: 1, rawBody })).not.toHaveProperty('X-Gateway-Signature');
  });
});

describe('checking a callback', () => {
  it('accepts what was signed, whole or in chunks', () => {
    expect(accepts('k', received('k'))).toBe(true);
    const check = openCallbackCheck('k', received('k'), now);
    for (const byte of rawBody) check.update(Buffer.from([byte]));
    expect(check.valid()).toBe(true);
  });

  it('accepts the old and the new secret during a rotation', () => {
    expect(accepts('new, old', received('old'))).toBe(true);
    expect(accepts('new, old', received('new'))).toBe(true);
    expect(accepts('new', received('old'))).toBe(false);
  });

  it('refuses another body, event id or timestamp', () => {
    expect(accepts('k', received('k'), 'other')).toBe(false);
    expect(accepts('k', { ...received('k'), 'x-gateway-event-id': 'other' })).toBe(false);
    expect(accepts('k', { ...received('k'), 'x-gateway-timestamp': String(stamp.timestamp + 1) })).toBe(false);
  });

  it('refuses a timestamp more than ten minutes off, in both directions', () => {
    const minutes = (n: number) => received('k', { timestamp: stamp.timestamp + n * 60_000 });
    expect([-10, 10].map((n) => accepts('k', minutes(n)))).toEqual([true, true]);
    expect([-10.1, 10.1].map((n) => accepts('k', minutes(n)))).toEqual([false, false]);
  });

  it.each(['x-gateway-signature', 'x-gateway-timestamp', 'x-gateway-event-id'])(
    'refuses a callback without %s',
    (name) => {
      const { [name]: _, ...headers } = received('k');
      expect(accepts('k', headers)).toBe(false);
    },
  );

  it('refuses malformed signatures and an empty secret list', () => {
    for (const signature of ['', 'sha256=', 'sha256=zz', 'md5=00', `sha256=${'0'.repeat(63)}`])
      expect(accepts('k', { ...received('k'), 'x-gateway-signature': signature })).toBe(false);
    expect(accepts(' , ', received(''))).toBe(false);
  });
});
