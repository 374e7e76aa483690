import { bigintNumber } from '@platform/data';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export interface ProductFact {
  readonly sku: string;
  readonly name: string;
  readonly category?: string;
  readonly description?: string;
  /** Whole units of the store's currency. */
  readonly price: number;
  readonly stock: number;
}

/** What the bot may tell about a shop. */
export interface StoreFacts {
  readonly description?: string;
  readonly phone?: string;
  readonly address?: string;
  readonly hours?: string;
  readonly products?: readonly ProductFact[];
}

/** Copy of a store of commerce-api. */
@Entity('bot_stores')
export class Store {
  @PrimaryColumn('text', { name: 'store_id' }) id!: string;
  @Column('text') name!: string;
  @Column('text') timezone!: string;
  @Column('text') currency!: string;
  @Column('text') status!: 'active' | 'suspended';
  @Column('jsonb') facts!: StoreFacts;
  /** AI replies that its plan allows from `periodStart` to `periodEnd`; null: no limit. */
  @Column('integer', { name: 'reply_limit', nullable: true }) replyLimit!: number | null;
  @Column('timestamptz', { name: 'period_start', nullable: true }) periodStart!: Date | null;
  @Column('timestamptz', { name: 'period_end', nullable: true }) periodEnd!: Date | null;
  /** Its own cost caps; null: the settings. */
  @Column('bigint', { name: 'day_cap_micros', nullable: true, transformer: bigintNumber }) dayCapMicros!: number | null;
  @Column('bigint', { name: 'month_cap_micros', nullable: true, transformer: bigintNumber })
  monthCapMicros!: number | null;
}
