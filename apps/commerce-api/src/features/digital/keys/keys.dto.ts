import { Choice, Int, Nested, Text, Texts } from '@platform/validation';

export const MOST_KEYS = 5_000;
/** Characters. */
export const LONGEST_KEY = 200;

export class KeysBody {
  @Texts({ optional: true, min: 1, max: MOST_KEYS, maxLength: LONGEST_KEY, description: 'Or `file`, one key a line' })
  keys?: string[];
}

export class KeysAdded {
  @Int() added!: number;
  @Int({ description: 'Given twice, or there already' }) duplicates!: number;
}

export const keyStates = ['free', 'held', 'assigned', 'revoked'] as const;
export type KeyState = (typeof keyStates)[number];

export class KeysQuery {
  @Text({ optional: true, max: 500 }) cursor?: string;
  @Int({ optional: true, min: 1, max: 200, description: '50 unless given' }) limit?: number;
  @Choice(keyStates, { optional: true }) state?: KeyState;
}

class OrderOfKey {
  @Text({ format: 'uuid' }) id!: string;
  @Text() number!: string;
}

export class LicenseKey {
  @Text({ format: 'uuid' }) id!: string;
  @Text({ description: 'Its last four characters at most, and never more than half of it: `****7K3Q`' }) key!: string;
  @Choice(keyStates, {
    description:
      '`held` by an order that waits for its payment; `revoked`: its buyer gave it back, nobody gets it again',
  })
  state!: KeyState;
  @Nested(() => OrderOfKey, { nullable: true }) order!: OrderOfKey | null;
  @Text({ format: 'instant' }) created_at!: string;
}
