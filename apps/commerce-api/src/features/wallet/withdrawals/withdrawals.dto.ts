import { sortsOf } from '@platform/data';
import { Choice, Flag, Int, Money, Nested, Text, Texts } from '@platform/validation';
import { PageQuery } from '../../../paging';
import { LEAST } from '../accounts/public';

export const withdrawalStates = [
  ...(['requested', 'approved', 'processing', 'paid', 'cancelled', 'rejected', 'failed', 'reversed'] as const),
] as const;
export type WithdrawalState = (typeof withdrawalStates)[number];
const sorts = sortsOf(['created_at']);

/** Why a store cannot withdraw now; more than one may apply. */
export const obstacles = [
  ...(['kyc_required', 'pin_not_set', 'pin_locked', 'withdraw_hold'] as const),
  ...(['account_unverified', 'account_too_new', 'amount_too_large', 'insufficient_balance'] as const),
] as const;
export type Obstacle = (typeof obstacles)[number];

export class WithdrawalWish {
  @Money({ min: LEAST }) amount!: number;
  @Text({ format: 'uuid' }) bank_account_id!: string;
}

export class NewWithdrawal extends WithdrawalWish {
  @Text({ pattern: /^[0-9]{6}$/, mismatch: { tag: 'pin', text: 'must be 6 digits' } }) pin!: string;
}

export class WithdrawalInquiry {
  @Int() amount!: number;
  @Int({ description: 'Taken from the wallet on top of the amount' }) fee!: number;
  @Int({ description: 'What arrives' }) received!: number;
  @Text() bank!: string;
  @Text() holder!: string;
  @Flag() allowed!: boolean;
  @Texts({ description: `Of ${obstacles.join(', ')}` }) reasons!: string[];
}

export class WithdrawalAccount {
  @Text() bank!: string;
  @Text() last4!: string;
  @Text() holder!: string;
}

/** Money on its way out of a wallet (design 2.2). */
export class Withdrawal {
  @Text({ format: 'uuid' }) id!: string;
  @Int() amount!: number;
  @Int({ description: 'Taken from the wallet on top of the amount' }) fee!: number;
  @Int({ description: 'What arrives' }) received!: number;
  @Nested(() => WithdrawalAccount) account!: WithdrawalAccount;
  @Choice(withdrawalStates) status!: WithdrawalState;
  @Text({ nullable: true, description: 'Why it was rejected or has failed' }) failure!: string | null;
  @Text({ format: 'instant' }) created_at!: string;
  @Text({ format: 'instant', nullable: true }) paid_at!: string | null;
}

export class WithdrawalsQuery extends PageQuery {
  @Choice(sorts, { optional: true, description: '`-created_at` unless given' }) sort?: (typeof sorts)[number];
  @Choice(withdrawalStates, { optional: true }) status?: WithdrawalState;
}
