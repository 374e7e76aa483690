import { Expose } from 'class-transformer';
import { Choice, Int, Text, Decimal } from '@platform/validation';
import { paymentProviders, type PaymentProvider } from '../../sales/payments/public';

export const groups = ['day', 'channel', 'agent'] as const;
export type Group = (typeof groups)[number];

export class SpanQuery {
  @Text({ format: 'date', description: 'First day, on the clock of the store', example: '2026-03-01' }) from!: string;
  @Text({ format: 'date', description: 'Last day, counted whole; at most 366 days in all', example: '2026-03-31' })
  to!: string;
}

/** More goods than that are read as a file. */
export const MOST_PRODUCTS = 1_000;

export class ProductsQuery extends SpanQuery {
  @Int({ optional: true, min: 1, max: MOST_PRODUCTS, description: `${MOST_PRODUCTS} unless given` }) limit?: number;
}

export class SalesQuery extends SpanQuery {
  @Choice(groups, { optional: true, description: '`day` unless given' }) group?: Group;
}

/** An order is a sale of the day on which it was paid whole; money that goes back counts on the day on which it has gone. */
export class SalesRow {
  @Text({ nullable: true, description: 'The day, the channel or the member; null: nobody was assigned' }) key!:
    string | null;
  @Int() orders!: number;
  @Int({ description: 'What their buyers paid' }) sales!: number;
  @Int({ description: 'What went back to buyers' }) refunded!: number;
  @Int({ description: 'Sales less what was refunded' }) net!: number;
}

export class ProductFigures {
  @Text({ nullable: true, description: 'Null: the product is gone' }) product_id!: string | null;
  @Text() name!: string;
  @Int({ description: 'Pieces sold' }) units!: number;
  @Int({ description: 'After discounts, without tax' }) revenue!: number;
  @Int({ description: 'Of it what went back to buyers' }) refunded!: number;
  @Expose({ groups: ['product.cost'] })
  @Int({ nullable: true, description: 'By the cost at the sale; null where one is not known' })
  cost!: number | null;
  @Expose({ groups: ['product.cost'] })
  @Int({ nullable: true, description: 'Revenue less what was refunded and the cost; null where a cost is not known' })
  margin!: number | null;
}

export class PaymentsRow {
  @Choice(paymentProviders) provider!: PaymentProvider;
  @Int() payments!: number;
  @Int({ description: 'What buyers paid' }) amount!: number;
  @Int({ description: 'Of it what the provider or the platform kept' }) fee!: number;
  @Int({ description: 'Of it what the store can dispose of' }) settled!: number;
  @Int({ description: 'Of it what waits to be settled' }) pending!: number;
  @Int({ description: 'What went back to buyers meanwhile, of whichever payments' }) refunded!: number;
}

export class AgentFigures {
  @Text() user_id!: string;
  @Text({ nullable: true, description: 'As the chats know them; null: they have none' }) name!: string | null;
  @Int({ description: 'Chats that they took or were given' }) handled!: number;
  @Int({ description: 'Chats that they ended' }) finished!: number;
  @Int({ nullable: true, description: 'Median of seconds; null: theirs was never the first answer' })
  first_response_s!: number | null;
  @Int({ description: 'Orders that were paid and assigned to them' }) orders!: number;
  @Int() sales!: number;
  @Decimal({ nullable: true, description: 'Paid orders by chat handled; null without chats' }) conversion!:
    number | null;
}
