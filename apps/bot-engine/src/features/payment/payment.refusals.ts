import { NotFound, type Failure } from '@platform/errors';

/** What this room refuses; the contract knows texts only. */
export const paymentRefusals = {
  orderNotFound: (): Failure => new NotFound('order not found'),
} as const;
