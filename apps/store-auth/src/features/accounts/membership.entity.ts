import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { UserRole } from '@platform/contracts';

export type MembershipStatus = 'active' | 'disabled';
/** Removed ones are kept, so that a change from before the removal is recognised as old. */
export type StoredStatus = MembershipStatus | 'removed';

/** The role and teams of a person in one store. */
@Entity('memberships')
export class Membership {
  @PrimaryColumn('text', { name: 'store_id' }) storeId!: string;
  @PrimaryColumn('uuid', { name: 'user_id' }) userId!: string;
  @Column('text') role!: UserRole;
  @Column('text', { array: true, default: () => `'{}'` }) teams!: string[];
  @Column('text', { default: 'active' }) status!: StoredStatus;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' }) updatedAt!: Date;
}
