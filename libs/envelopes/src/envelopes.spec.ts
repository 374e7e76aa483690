import {
  Conflict,
  Forbidden,
  Gone,
  InvalidInput,
  Malformed,
  NotFound,
  PaymentRequired,
  Rejected,
  TooLarge,
  TooMany,
  Unauthenticated,
  Unavailable,
  Unexpected,
  UnsupportedMedia,
  UpstreamFailed,
  UpstreamTimedOut,
  type AnyFailure,
} from '@platform/errors';
import {
  adsEnvelope,
  botStatusCodeEnvelope,
  botStatusEnvelope,
  botTextEnvelope,
  chatCallbackEnvelope,
  chatEnvelope,
  chatInboundEnvelope,
  chatSchedulerEnvelope,
  chatServiceEnvelope,
  commerceEnvelope,
  gatewayEnvelope,
  plainEnvelope,
  storeAuthEnvelope,
  type Envelope,
} from './index';

const failures: Record<string, AnyFailure> = {
  malformed: new Malformed('bad body'),
  invalid: new InvalidInput([{ field: 'a[0].b', tag: 'required', message: 'a[0].b is a required field' }]),
  unauthenticated: new Unauthenticated({ reason: 'invalid' }),
  expired: new Unauthenticated({ reason: 'expired' }),
  forbidden: new Forbidden('no right'),
  notFound: new NotFound('not there', { code: 'thing_not_found' }),
  conflict: new Conflict('taken'),
  rejected: new Rejected('refused'),
  paymentRequired: new PaymentRequired('upgrade first'),
  gone: new Gone('used up'),
  tooLarge: new TooLarge('too big'),
  unsupportedMedia: new UnsupportedMedia('no pictures'),
  tooMany: new TooMany('slow down', { retryAfterSeconds: 7 }),
  unavailable: new Unavailable('away', { retryAfterSeconds: 2.5 }),
  upstreamFailed: new UpstreamFailed('provider said no', { cause: new Error('secret detail') }),
  upstreamTimedOut: new UpstreamTimedOut('provider silent'),
  unexpected: new Unexpected('bug', { cause: new Error('secret detail') }),
};

const statuses = (envelope: Envelope) =>
  Object.fromEntries(Object.entries(failures).map(([name, failure]) => [name, envelope.failure(failure).status]));
const bodies = (envelope: Envelope) =>
  Object.fromEntries(Object.entries(failures).map(([name, failure]) => [name, envelope.failure(failure).body]));

const business = {
  forbidden: 200,
  notFound: 200,
  conflict: 200,
  rejected: 200,
  paymentRequired: 200,
  gone: 200,
  unsupportedMedia: 200,
};
const upstream = (status: number) => ({ upstreamFailed: status, upstreamTimedOut: status });
const usual = {
  malformed: 400,
  invalid: 422,
  unauthenticated: 401,
  expired: 401,
  forbidden: 403,
  notFound: 404,
  conflict: 409,
  rejected: 422,
  paymentRequired: 402,
  gone: 410,
  tooLarge: 413,
  unsupportedMedia: 415,
  tooMany: 429,
  unavailable: 503,
  upstreamFailed: 502,
  upstreamTimedOut: 504,
  unexpected: 500,
};

describe('statuses of every failure kind by envelope', () => {
  it.each<[string, Envelope, Record<string, number>]>([
    ['chat', chatEnvelope, { ...usual, ...business, ...upstream(500), unavailable: 500 }],
    [
      'chat inbound',
      chatInboundEnvelope,
      { ...usual, ...business, ...upstream(200), unavailable: 200, unexpected: 200 },
    ],
    [
      'chat callback',
      chatCallbackEnvelope,
      { ...usual, ...business, ...upstream(503), unavailable: 503, unexpected: 200 },
    ],
    ['chat scheduler', chatSchedulerEnvelope, { ...usual, ...business, ...upstream(500), unavailable: 500 }],
    ['chat pushes', chatServiceEnvelope, { ...usual, ...business, ...upstream(503), unavailable: 503 }],
    ['store-auth', storeAuthEnvelope, { ...usual, rejected: 401 }],
    ['bot', botStatusCodeEnvelope, { ...usual, rejected: 502 }],
    ['gateway', gatewayEnvelope({ production: false }), usual],
    ['commerce', commerceEnvelope({ production: true }), usual],
    ['plain', plainEnvelope, usual],
    [
      'ads',
      adsEnvelope,
      {
        malformed: 400,
        invalid: 400,
        unauthenticated: 401,
        expired: 401,
        forbidden: 401,
        notFound: 404,
        conflict: 400,
        rejected: 400,
        paymentRequired: 400,
        gone: 404,
        tooLarge: 400,
        unsupportedMedia: 400,
        tooMany: 500,
        unavailable: 500,
        ...upstream(500),
        unexpected: 500,
      },
    ],
  ])('%s', (_, envelope, expected) => expect(statuses(envelope)).toEqual(expected));
});

describe('bodies of refusals by envelope', () => {
  const envelopes: [string, Envelope][] = [
    ['chat', chatEnvelope],
    ['store-auth', storeAuthEnvelope],
    ['bot', botStatusEnvelope],
    ['bot text', botTextEnvelope],
    ['gateway', gatewayEnvelope({ production: false })],
    ['commerce', commerceEnvelope({ production: true })],
    ['ads', adsEnvelope],
    ['plain', plainEnvelope],
  ];
  it.each(envelopes)('%s never shows the cause of a failure', (_, envelope) =>
    expect(JSON.stringify(bodies(envelope))).not.toContain('secret detail'),
  );
  it.each(envelopes)('%s answers when to retry', (_, envelope) => {
    expect(envelope.failure(failures.tooMany as AnyFailure).headers).toMatchObject({ 'Retry-After': '7' });
    const running = envelope.failure(new Conflict('still running', { retryAfterSeconds: 1 }));
    expect(running.headers).toMatchObject({ 'Retry-After': '1' });
    expect(envelope.failure(new Conflict('taken')).headers ?? {}).not.toHaveProperty('Retry-After');
  });

  it('chat: refusals have the shapes of the contract', () =>
    expect(bodies(chatEnvelope)).toMatchObject({
      malformed: { error: 'bad body' },
      invalid: { errors: [{ field: 'a[0].b', tag: 'required', message: 'a[0].b is a required field' }] },
      unauthenticated: { status: 'error', message: 'Unauthenticated' },
      notFound: { result: false, message: 'not there', code: 'thing_not_found' },
      tooMany: { status: 'error', message: 'Too Many Requests' },
      unexpected: { result: false, message: 'terjadi kesalahan, coba lagi', code: 'internal' },
    }));

  it('chat scheduler: refusals have `status` instead of `result`, and otherwise the usual shape', () => {
    expect(chatSchedulerEnvelope.success({ message: 'ok' }, 200).body).toEqual({ status: 'success', message: 'ok' });
    expect(bodies(chatSchedulerEnvelope)).toMatchObject({
      malformed: { error: 'bad body' },
      invalid: { errors: [{ field: 'a[0].b', tag: 'required', message: 'a[0].b is a required field' }] },
      unauthenticated: { status: 'error', message: 'Unauthenticated' },
      notFound: { status: 'error', message: 'not there', code: 'thing_not_found' },
      unexpected: { status: 'error', message: 'terjadi kesalahan, coba lagi', code: 'internal' },
    });
  });

  it('chat: a token is a 503 everywhere, not a 401, until keys have been loaded', () =>
    expect(chatInboundEnvelope.failure(new Unavailable('no keys', { code: 'keys_not_loaded' }))).toMatchObject({
      status: 503,
      headers: { 'Retry-After': '5' },
    }));

  it('store-auth: an expired token has the status ekspired, spelled as in the contract', () =>
    expect(bodies(storeAuthEnvelope)).toMatchObject({
      expired: { status: 'ekspired', message: 'token ekspired' },
      unauthenticated: { status: 'invalid', message: 'token tidak valid' },
    }));

  it('gateway: a refusal has no `error` in production', () => {
    expect(bodies(gatewayEnvelope({ production: false })).conflict).toEqual({
      success: false,
      message: 'taken',
      error: { code: 'DEVICE_STATE', retryable: true },
    });
    expect(bodies(gatewayEnvelope({ production: true })).conflict).toEqual({ success: false, message: 'taken' });
    expect(gatewayEnvelope({ production: true }).unknownRoute().body).toEqual({
      success: false,
      message: 'route not found',
    });
  });

  it('commerce: errors name nested fields with dots', () =>
    expect(bodies(commerceEnvelope({ production: true })).invalid).toEqual({
      status: 'error',
      message: 'a[0].b is a required field',
      code: 'validation',
      errors: { 'a.0.b': ['a[0].b is a required field'] },
    }));

  it('ads: refusals have the texts of the contract', () =>
    expect(bodies(adsEnvelope)).toMatchObject({
      unauthenticated: { status: false, message: '401 Unauthorized' },
      malformed: { status: false, message: 'Invalid JSON body' },
    }));
});
