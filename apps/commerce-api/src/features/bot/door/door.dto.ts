import { Choice, Flag, Int, List, Nested, Phone, Text } from '@platform/validation';

/* The names are those of the bot engine, which calls. */

export class BotItem {
  @Text({ max: 64, trim: true }) sku!: string;
  @Int({ min: 1, max: 999 }) quantity!: number;
}

export class BotCustomer {
  @Text({ max: 200, trim: true }) name!: string;
  @Text({ max: 300, trim: true, description: 'Street and number' }) address!: string;
  @Text({ max: 80, trim: true, description: 'An area id, or names of the place: `Coblong, Bandung`' })
  destination!: string;
}

export class BotCheckout {
  @Text({ max: 36, trim: true }) idStore!: string;
  @Phone({ description: 'The number of the buyer' }) idUser!: string;
  @Text({ optional: true, max: 100, trim: true, description: 'The device over which they chat' }) instanceID?: string;
  @List(() => BotItem, { min: 1, max: 20 }) items!: BotItem[];
  @Nested(() => BotCustomer) customer!: BotCustomer;
  @Text({ optional: true, max: 120, trim: true, description: 'One of the ways to send it; the cheapest unless given' })
  courier?: string;
  @Text({ optional: true, max: 32, trim: true }) coupon?: string;
  @Int({ optional: true, min: 0, description: 'What the buyer has agreed to: another total is refused' })
  expectedTotal?: number;
  @Flag({ optional: true, description: 'What it would cost: nothing is written' }) dryRun?: boolean;
  @Text({
    optional: true,
    max: 128,
    trim: true,
    description: 'Of this checkout, for ever: the same again is the same order. Required unless `dryRun`',
  })
  idempotencyKey?: string;
}

export const botStates = ['pending', 'paid', 'expired', 'cancelled'] as const;
export type BotState = (typeof botStates)[number];

export class BotOrder {
  @Text({ nullable: true, description: 'null: a dry run' }) orderNumber!: string | null;
  @Text({ nullable: true, description: 'null: a dry run, or nothing is to be paid any more' })
  paymentUrl!: string | null;
  @Int() subtotal!: number;
  @Int() discount!: number;
  @Int() shipping!: number;
  @Int() fee!: number;
  @Int() total!: number;
  @Text() currency!: string;
  @Text({ format: 'instant', nullable: true }) expiresAt!: string | null;
  @Choice(botStates) status!: BotState;
}

export class BotOrderState {
  @Text() orderNumber!: string;
  @Choice(botStates) status!: BotState;
  @Int() total!: number;
  @Text() currency!: string;
  @Text({ format: 'instant', nullable: true }) paidAt!: string | null;
  @Text({ nullable: true }) waybill!: string | null;
}
