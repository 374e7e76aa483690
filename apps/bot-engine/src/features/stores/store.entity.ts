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
}
