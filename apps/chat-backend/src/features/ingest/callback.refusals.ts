import { callbackRefusals } from '@platform/contracts';
import { Rejected, Unauthenticated, type Failure } from '@platform/errors';

/** What the contract documents of callbacks: texts without codes. */
export const callbackFailures = {
  resultFalse: (): Failure => new Rejected(callbackRefusals.resultFalse),
  missingFields: (): Failure => new Rejected(callbackRefusals.missingFields),
  invalidNumber: (): Failure => new Rejected(callbackRefusals.invalidNumber),
  statusNotValid: (): Failure => new Rejected(callbackRefusals.statusNotValid),
  wrongSignature: (): Failure => new Unauthenticated({ reason: 'invalid' }),
} as const;
