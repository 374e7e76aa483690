import {
  Conflict,
  Forbidden,
  NotFound,
  Rejected,
  TooMany,
  Unauthenticated,
  Unavailable,
  UnsupportedMedia,
  UpstreamFailed,
  type Failure,
} from '@platform/errors';

/** Trying the same again does not help. */
const FOR_GOOD = { details: { retryable: false } };

/** What this service refuses (design 2.1); codes that are not said here are those of the kind. */
export const refusals = {
  deviceNotFound: (): Failure => new NotFound('device not found'),
  notConnected: (status?: string): Failure => new Conflict('device not connected', { details: { status } }),
  alreadyConnected: (): Failure => new Conflict('device already connected', FOR_GOOD),
  codeNotReady: (status?: string): Failure => new Conflict('qrcode not ready', { details: { status } }),
  codeExpired: (): Failure => new Conflict('qrcode expired'),
  engineStays: (): Failure => new Conflict('engine cannot be changed', FOR_GOOD),
  unsupported: (what: string, reason?: Readonly<Record<string, unknown>>): Failure =>
    new Rejected(`engine does not support ${what}`, { code: 'UNSUPPORTED', details: reason }),
  engineRefused: (words: string, reason: string, cause: unknown): Failure =>
    new UpstreamFailed(`engine refused: ${words}`, { details: { reason }, cause }),
  sendsFull: (): Failure => new TooMany('send queue is full', { retryAfterSeconds: 5 }),
  broadcastsFull: (retryAfterSeconds: number): Failure => new TooMany('broadcast queue is full', { retryAfterSeconds }),
  pesanIdTaken: (): Failure => new Rejected('pesan_id already used', { code: 'CONFLICT' }),
  downloadFailed: (cause: unknown): Failure =>
    new UpstreamFailed('media download failed', { details: { retryable: true }, cause }),
  mediaType: (): Failure => new UnsupportedMedia('media type not supported'),
  fileNotFound: (): Failure => new NotFound('file not found'),
  filePromised: (): Failure => new Unavailable('file not there yet', { code: 'UNAVAILABLE', retryAfterSeconds: 60 }),
  groupNotFound: (): Failure => new NotFound('group not found'),
  broadcastNotFound: (): Failure => new NotFound('broadcast not found'),
  phoneNotFound: (): Failure => new NotFound('phone not found'),
  verifyToken: (): Failure => new Forbidden('the verify token is not known here'),
  wrongSignature: (): Failure => new Unauthenticated({ reason: 'invalid', message: 'the signature is not right' }),
  headRefused: (): Failure => new NotFound('method not allowed', { code: 'METHOD_NOT_ALLOWED' }),
  prefetchRefused: (): Failure => new Conflict('prefetch refused', FOR_GOOD),
} as const;

/** Of `ReadyDevices.find`: a device that takes sends. */
export const readyRefusals = [refusals.deviceNotFound, refusals.notConnected, refusals.sendsFull] as const;
/** Of `AcceptanceService.accept`: a send. */
export const sendRefusals = [
  ...readyRefusals,
  refusals.unsupported,
  refusals.pesanIdTaken,
  refusals.broadcastsFull,
] as const;
/** Of a file that somebody names. */
export const mediaRefusals = [refusals.downloadFailed, refusals.mediaType] as const;
/** Of `DeviceCalls`: what WhatsApp answers at once. */
export const callRefusals = [
  refusals.deviceNotFound,
  refusals.notConnected,
  refusals.unsupported,
  refusals.engineRefused,
] as const;
