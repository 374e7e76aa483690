import { Choice, Int, Text, Texts } from '@platform/validation';
import { attemptStates, type AttemptState } from '../../sales/payments/public';

const gatewayCodes = ['a', 'b', 'c'] as const;

export class CheckoutRequest {
  @Text({ max: 200, description: 'Of the order, as it was placed' }) pay_token!: string;
  @Choice(gatewayCodes, { optional: true, description: "The order's own unless given" })
  method?: (typeof gatewayCodes)[number];
}

/** An attempt that a buyer can pay. */
export class OpenedCheckout {
  @Text({ format: 'uuid' }) payment_id!: string;
  @Text({ nullable: true, description: 'Where the buyer pays; null: its provider has not answered yet' })
  url!: string | null;
  @Choice(attemptStates) status!: AttemptState;
  @Text({ format: 'instant', nullable: true }) expires_at!: string | null;
}

export class PaymentRequest {
  @Text({ format: 'uuid' }) order_id!: string;
  @Texts({ optional: true, max: 20, maxLength: 40, description: "The provider's names; all unless given" })
  channels?: string[];
}

/** What a provider says now. */
export class ProviderStatus {
  @Choice(['pending', 'paid', 'failed', 'expired']) state!: 'pending' | 'paid' | 'failed' | 'expired';
  @Int() amount!: number;
  @Text() currency!: string;
  @Text({ format: 'instant', nullable: true }) paid_at!: string | null;
  @Text({ nullable: true }) channel!: string | null;
  @Text({ description: "In the provider's words" }) raw_status!: string;
}
