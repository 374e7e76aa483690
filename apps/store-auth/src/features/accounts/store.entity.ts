import { Column, Entity, PrimaryColumn } from 'typeorm';

export type StoreStatus = 'open' | 'closed' | 'suspended';

/** The part of a store that logins need; commerce-api owns the rest. */
@Entity('stores')
export class Store {
  @PrimaryColumn('text', { name: 'store_id' }) storeId!: string;
  @Column('text', { name: 'nama' }) name!: string;
  @Column('text', { default: 'open' }) status!: StoreStatus;
}
