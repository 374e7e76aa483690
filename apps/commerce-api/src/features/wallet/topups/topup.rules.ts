import { Conflict, type Failure } from '@platform/errors';
import { methodRefusals } from '../../paying/methods/public';

export const topupRefusals = {
  keyUsed: (): Failure =>
    new Conflict('Idempotency-Key was used with a different request', { code: 'idempotency_mismatch' }),
  /** The platform has no account there. */
  noProvider: methodRefusals.noProvider,
} as const;
