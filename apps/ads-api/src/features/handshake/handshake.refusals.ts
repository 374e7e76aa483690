import { NotFound, Rejected, TooMany, type Failure } from '@platform/errors';

/** What a handshake is refused with; the contract knows texts only, no codes (design 2.1). */
export const refusals = {
  headerMissing: (name: string): Failure => new Rejected(`${name} header is required`),
  invalidTimestamp: (): Failure => new Rejected('Invalid Timestamp'),
  invalidApp: (): Failure => new NotFound('Invalid app'),
  invalidSignature: (): Failure => new NotFound('Invalid Signature'),
  tooManyFailures: (retryAfterSeconds: number): Failure =>
    new TooMany('too many failed handshakes', { retryAfterSeconds }),
} as const;
