import { Conflict, type Failure } from '@platform/errors';

export const topupRefusals = {
  keyUsed: (): Failure =>
    new Conflict('Idempotency-Key was used with a different request', { code: 'idempotency_mismatch' }),
  /** As of a method that nobody can pay by. */
  noProvider: (): Failure => new Conflict('The wallet cannot be topped up here', { code: 'provider_unavailable' }),
} as const;
