import { Conflict, Forbidden, InvalidInput, type Failure } from '@platform/errors';
import { machine } from '../../../machine';
import type { WithdrawalState } from './withdrawals.dto';

/** Whoever decides moves it, then the provider does (design 3.3). */
export const withdrawalMachine = machine<
  WithdrawalState,
  'approve' | 'reject' | 'cancel' | 'send' | 'succeed' | 'fail' | 'reverse'
>({
  requested: { approve: 'approved', reject: 'rejected', cancel: 'cancelled' },
  approved: { send: 'processing', succeed: 'paid', fail: 'failed', reverse: 'failed' },
  processing: { send: 'processing', succeed: 'paid', fail: 'failed', reverse: 'failed' },
  paid: { reverse: 'reversed' },
  cancelled: {},
  rejected: {},
  failed: {},
  reversed: {},
});

export const withdrawalRefusals = {
  kycRequired: (): Failure => new Forbidden('The identity check must be approved first', { code: 'kyc_required' }),
  accountTooNew: (): Failure =>
    new Conflict('The account must have been verified for 24 hours', { code: 'account_too_new' }),
  hold: (): Failure =>
    new Conflict('The PIN was reset: nothing is withdrawn for 24 hours', {
      code: 'withdraw_hold',
    }),
  askedJustNow: (): Failure =>
    new Conflict('The provider was asked a moment ago: look there again in a minute', { code: 'asked_just_now' }),
  keyUsed: (): Failure =>
    new Conflict('Idempotency-Key was used with a different request', { code: 'idempotency_mismatch' }),
} as const;

export const tooLarge = (most: number): InvalidInput =>
  new InvalidInput([{ field: 'amount', tag: 'max', message: `amount must be ${most} or less for this account` }]);
