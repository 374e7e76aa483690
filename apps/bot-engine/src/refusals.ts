import { NotFound, TooMany, type Failure } from '@platform/errors';

/** What this service refuses; the contract knows texts only, no codes. */
export const refusals = {
  storeNotFound: (): Failure => new NotFound('store not found'),
  agentNotFound: (): Failure => new NotFound('agent not found'),
  storeBusy: (retryAfterSeconds: number): Failure => new TooMany('too many turns of this store', { retryAfterSeconds }),
} as const;
