import { Choice, Flag, Int, Text } from '@platform/validation';
import { MOMENT } from '../../../moment';

export const buckets = ['available', 'pending', 'locked'] as const;
export type Bucket = (typeof buckets)[number];

/** The money of a store (design 2.2), in the settlement unit of its currency. */
export class Wallet {
  @Int({ description: 'Can be withdrawn and spent' }) available!: number;
  @Int({ description: 'Of payments that are not settled yet' }) pending!: number;
  @Int({ description: 'On its way out' }) locked!: number;
  @Text() currency!: string;
  @Flag() pin_set!: boolean;
  @Text({ nullable: true }) kyc_status!: string | null;
  @Text({ format: 'instant', nullable: true, description: 'Until when nothing is withdrawn' }) withdraw_hold_until!:
    string | null;
}

export class LinesQuery {
  @Text({ optional: true, max: 500 }) cursor?: string;
  @Int({ optional: true, min: 1, max: 200, description: '50 unless given' }) limit?: number;
  @Choice(buckets, { optional: true }) bucket?: Bucket;
  @Text({ optional: true, max: 40 }) kind?: string;
  @Text({ optional: true, format: 'instant', description: MOMENT }) from?: string;
  @Text({ optional: true, format: 'instant', description: MOMENT }) to?: string;
}

/** One change of the wallet (design 2.2). */
export class LedgerLine {
  @Text() id!: string;
  @Text({ format: 'instant' }) at!: string;
  @Text({ description: 'Such as `order_paid`, `settlement`, `withdrawal_requested`' }) kind!: string;
  @Text({ description: 'Id of what it was for' }) ref!: string;
  @Int({ description: 'Below 0 what went out' }) amount!: number;
  @Choice(buckets) bucket!: Bucket;
  @Int({ description: 'Of the bucket' }) balance_after!: number;
  @Text() note!: string;
}

export class StatementQuery {
  @Text({
    pattern: /^20[0-9]{2}-(0[1-9]|1[0-2])$/,
    mismatch: { tag: 'month', text: 'must be a month such as 2026-03' },
    description: 'On the clock of the store',
  })
  month!: string;
}
