import { fixedClock } from '@platform/runtime';
import { internalVerifier, signInternalCall, type InternalCall } from './internal-hmac';

const at = new Date(1_795_157_100_000);
const checkStatus: InternalCall = { method: 'GET', path: '/api/payment/engine-bot/check-status/INV-261120-ABC234' };
const createCheckout: InternalCall = {
  method: 'POST',
  path: '/api/payment/engine-bot/create-checkout',
  body: '{"idStore":"7","dryRun":true}',
};

const sign = (call: InternalCall, { secret = 'test-secret', service = 'bot-engine' } = {}) =>
  signInternalCall({ service, secret, clock: fixedClock(at) }, call);
const received = (headers: Record<string, string>) => ({
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
});
const verifier = (minutesLater = 0) => {
  const seen = new Set<string>();
  const firstUse = (key: string) => Promise.resolve(!seen.has(key) && seen.add(key) !== undefined);
  return internalVerifier({
    secrets: { 'bot-engine': 'next-secret,test-secret' },
    firstUse,
    clock: fixedClock(new Date(at.getTime() + minutesLater * 60_000)),
  });
};

describe('a signed call', () => {
  it('a signature matches the test vectors of the bot-engine design, section 2.8', () => {
    expect(sign(checkStatus)).toEqual({
      'X-Service': 'bot-engine',
      'X-Timestamp': '1795157100000',
      'X-Signature': '756c1590aea6f223c8ac045c439b23fb9877dee6515fe47e0064e841ab0af534',
    });
    expect(sign(createCheckout)['X-Signature']).toBe(
      'f7d667dac236fe923cc0a8240980efc64678c03c41e68c650271d9e615c81c0d',
    );
  });

  it('a signed call is accepted with the new and with the old secret', async () => {
    expect(await verifier()(received(sign(createCheckout)), createCheckout)).toEqual({ service: 'bot-engine' });
    expect(await verifier()(received(sign(createCheckout, { secret: 'next-secret' })), createCheckout)).toEqual({
      service: 'bot-engine',
    });
  });

  it('a signed call is accepted up to five minutes before and after its timestamp', async () => {
    const verdicts = [-5.01, -5, 5, 5.01].map((minutes) =>
      verifier(minutes)(received(sign(checkStatus)), checkStatus).then(
        () => true,
        () => false,
      ),
    );
    expect(await Promise.all(verdicts)).toEqual([false, true, true, false]);
  });

  it('a signed call is refused when repeated, and accepted when signed again', async () => {
    const verify = verifier();
    await verify(received(sign(createCheckout)), createCheckout);
    await expect(verify(received(sign(createCheckout)), createCheckout)).rejects.toMatchObject({
      reason: 'invalid',
      cause: new Error('the signature was used before'),
    });
    const later = signInternalCall(
      { service: 'bot-engine', secret: 'test-secret', clock: fixedClock(new Date(at.getTime() + 1)) },
      createCheckout,
    );
    expect(await verify(received(later), createCheckout)).toEqual({ service: 'bot-engine' });
  });

  it('a signed call is refused when method, path, query, body, service or secret differ', async () => {
    const headers = received(sign(createCheckout));
    const wrong = [
      [headers, { ...createCheckout, method: 'PUT' }],
      [headers, { ...createCheckout, path: `${createCheckout.path}?a=1` }],
      [headers, { ...createCheckout, body: '{}' }],
      [received(sign(createCheckout, { service: 'constructor' })), createCheckout],
      [received(sign(createCheckout, { secret: 'other' })), createCheckout],
    ] as const;
    for (const [request, call] of wrong)
      await expect(verifier()(request, call)).rejects.toMatchObject({
        reason: 'invalid',
        cause: new Error('the service is unknown or the signature is wrong'),
      });
  });

  it('a signed call is refused without its headers or with malformed ones', async () => {
    const good = sign(checkStatus);
    await expect(verifier()({ headers: {} }, checkStatus)).rejects.toMatchObject({ reason: 'missing' });
    const lackings: Record<string, string>[] = [{ 'X-Service': '' }, { 'X-Signature': '' }];
    for (const lacking of lackings)
      await expect(verifier()(received({ ...good, ...lacking }), checkStatus)).rejects.toMatchObject({
        reason: 'missing',
      });
    const twice = { ...received(good).headers, 'x-service': ['bot-engine'] };
    await expect(verifier()({ headers: twice }, checkStatus)).rejects.toMatchObject({ reason: 'missing' });
    const [time, digest] = [good['X-Timestamp'] as string, good['X-Signature'] as string];
    const malformed: [Record<string, string>, string][] = [
      ...['now', '', `x${time}`, `${time}x`].map((wrong): [Record<string, string>, string] => [
        { 'X-Timestamp': wrong },
        'the timestamp is not in epoch milliseconds',
      ]),
      ...['zz', `0${digest}`, `${digest}0`].map((wrong): [Record<string, string>, string] => [
        { 'X-Signature': wrong },
        'the signature is not 64 hexadecimal digits',
      ]),
      [{ 'X-Timestamp': String(Number(time) + 300_001) }, 'the timestamp is more than five minutes off'],
    ];
    for (const [broken, why] of malformed)
      await expect(verifier()(received({ ...good, ...broken }), checkStatus)).rejects.toMatchObject({
        reason: 'invalid',
        cause: new Error(why),
      });
  });

  it('a signature is remembered for as long as it could be used again', async () => {
    const kept: [string, number][] = [];
    const verify = internalVerifier({
      secrets: { 'bot-engine': 'new, test-secret' },
      firstUse: async (key, seconds) => kept.push([key, seconds]) > 0,
      clock: fixedClock(at),
    });
    const headers = sign(checkStatus);
    await verify(received(headers), checkStatus);
    expect(kept).toEqual([[`hmac:bot-engine:${headers['X-Signature']}`, 600]]);
  });

  it('an empty secret is refused, even when the configured secrets are missing or contain an empty one', async () => {
    const rings: Record<string, string>[] = [{ 'bot-engine': '' }, { 'bot-engine': 'one,,two' }, {}];
    for (const secrets of rings) {
      const verify = internalVerifier({ secrets, firstUse: async () => true, clock: fixedClock(at) });
      await expect(verify(received(sign(checkStatus, { secret: '' })), checkStatus)).rejects.toMatchObject({
        reason: 'invalid',
      });
    }
  });
});
