import {
  Conflict,
  InvalidInput,
  Malformed,
  NotFound,
  Rejected,
  TooLarge,
  TooMany,
  Unavailable,
  Unexpected,
  UnsupportedMedia,
  UpstreamFailed,
  type AnyFailure,
} from '@platform/errors';
import { gatewayEnvelope } from './gateway.envelope';

const envelope = gatewayEnvelope({ production: false });
const violation = (field: string, tag: string, message = `${field} breaks ${tag}`) => ({ field, tag, message });

describe('the gateway’s envelope', () => {
  it('puts message and data beside success', () => {
    expect(envelope.success({ message: 'device info', data: { a: 1 } }, 200)).toEqual({
      status: 200,
      body: { success: true, message: 'device info', data: { a: 1 } },
    });
  });

  it.each<[AnyFailure, number, string, string, boolean]>([
    [new Malformed('Unexpected token'), 400, 'malformed request body', 'MALFORMED', false],
    [new NotFound('device not found'), 404, 'device not found', 'NOT_FOUND', false],
    [
      new NotFound('method not allowed', { code: 'METHOD_NOT_ALLOWED' }),
      405,
      'method not allowed',
      'METHOD_NOT_ALLOWED',
      false,
    ],
    [new Conflict('device not connected'), 409, 'device not connected', 'DEVICE_STATE', true],
    [new Rejected('pesan_id already used', { code: 'CONFLICT' }), 422, 'pesan_id already used', 'CONFLICT', false],
    [new TooLarge('request too large'), 413, 'request too large', 'TOO_LARGE', false],
    [new UnsupportedMedia('media type not supported'), 415, 'media type not supported', 'MEDIA_TYPE', false],
    [new UpstreamFailed('media download failed'), 502, 'media download failed', 'ENGINE', false],
    [
      new Rejected('engine does not support groups', { code: 'UNSUPPORTED' }),
      501,
      'engine does not support groups',
      'UNSUPPORTED',
      false,
    ],
    [new Unexpected('secret detail'), 500, 'internal server error', 'INTERNAL', true],
    [new Unavailable('The database cannot be reached.'), 503, 'store unavailable', 'UNAVAILABLE', true],
    [new TooMany('send queue is full', { retryAfterSeconds: 5 }), 429, 'send queue is full', 'RATE_LIMIT', true],
  ])('answers %s with %d', (failure, status, message, code, retryable) => {
    const { headers, ...answer } = envelope.failure(failure);
    expect(answer).toEqual({ status, body: { success: false, message, error: { code, retryable } } });
    expect(Object.keys(headers ?? {})).toEqual(status === 429 || status === 503 ? ['Retry-After'] : []);
  });

  it('lists every invalid field with the text of design 2.1, and leads with the first', () => {
    const failure = new InvalidInput([
      violation('pesan_id', 'required', 'pesan_id is a required field'),
      violation('role', 'max'),
      violation('number', 'number_format', 'number format not valid'),
    ]);
    expect(envelope.failure(failure).body).toEqual({
      success: false,
      message: 'pesan_id is required',
      error: {
        code: 'VALIDATION',
        retryable: false,
        errors: [
          violation('pesan_id', 'required', 'pesan_id is required'),
          violation('role', 'max', 'role is not valid'),
          violation('number', 'number_format', 'number format not valid'),
        ],
      },
    });
  });

  it('hides the error in production', () => {
    expect(gatewayEnvelope({ production: true }).failure(new NotFound('device not found')).body).toEqual({
      success: false,
      message: 'device not found',
    });
  });
});
