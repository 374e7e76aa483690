import { Choice, Int, Nested, Text } from '@platform/validation';

export const chartDays = ['7', '30', '90'] as const;
export const alertKinds = ['low_stock', 'unpaid', 'device_offline', 'withdrawal_stuck', 'review', 'plan'] as const;
export type AlertKind = (typeof alertKinds)[number];

/** One day on the clock of the store. */
export class DayFigures {
  @Int({ description: 'What the buyers of the paid orders paid' }) sales!: number;
  @Int({ description: 'Orders that were placed' }) orders!: number;
  @Int({ description: 'Orders that were paid whole' }) paid!: number;
  @Int({ nullable: true, description: 'Chats that began or came back; null: chat-backend does not tell now' })
  chats!: number | null;
}

export class PendingFigures {
  @Int({ description: 'Orders that wait for money' }) unpaid!: number;
  @Int({ description: 'Paid orders of which something is still to be sent' }) to_ship!: number;
}

export class Summary {
  @Nested(() => DayFigures) today!: DayFigures;
  @Nested(() => DayFigures) yesterday!: DayFigures;
  @Nested(() => PendingFigures) pending!: PendingFigures;
}

export class ChartQuery {
  @Choice(chartDays, { optional: true, description: 'Days to today; 30 unless given' })
  days?: (typeof chartDays)[number];
}

export class ChartPoint {
  @Text({ format: 'date', description: 'On the clock of the store' }) date!: string;
  @Int({ description: 'Orders that were paid' }) orders!: number;
  @Int() sales!: number;
}

export class TopQuery extends ChartQuery {
  @Int({ optional: true, min: 1, max: 50, description: '10 unless given' }) limit?: number;
}

export class TopProduct {
  @Text({ nullable: true, description: 'Null: the product is gone' }) product_id!: string | null;
  @Text() name!: string;
  @Int({ description: 'Pieces sold' }) units!: number;
  @Int({ description: 'After discounts, without tax' }) revenue!: number;
}

/** What somebody should look at. */
export class Alert {
  @Choice(alertKinds) kind!: AlertKind;
  @Int() count!: number;
  @Text({ description: 'The page of the shop on which they are' }) url!: string;
}
