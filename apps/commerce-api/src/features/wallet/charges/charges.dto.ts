import { Choice, Int, Money, Text } from '@platform/validation';

/** What a service may take money of a wallet for. */
export const chargePurposes = ['ads_topup'] as const;

export class NewCharge {
  @Money({ min: 1 }) amount!: number;
  @Choice(chargePurposes) purpose!: (typeof chargePurposes)[number];
  @Text({ format: 'uuid', description: 'The application at ads-api that may use the credit' }) application_id!: string;
  @Text({
    pattern: /^(act_)?[0-9]{1,20}$/,
    mismatch: { tag: 'account', text: 'must be the id of an ad account' },
    description: 'The ad account that is topped up',
  })
  account_id!: string;
  @Text({ optional: true, trim: true, max: 200 }) description?: string;
}

export class ChargeReversal {
  @Text({ trim: true, max: 200 }) reason!: string;
}

/** Money of a wallet that a service was given to spend. */
export class Charge {
  @Text({ format: 'uuid' }) id!: string;
  @Text({ description: 'By which it is known at ads-api' }) reference!: string;
  @Int() amount!: number;
  @Text() currency!: string;
  @Text({ format: 'instant', nullable: true }) reversed_at!: string | null;
}

export class MadeCharge extends Charge {
  @Int({ description: 'What the wallet still has' }) available_after!: number;
  @Text({
    description:
      'A signed statement of payment for ads-api: for this application, account and amount, good once, for 7 days',
  })
  credit!: string;
}
