import { Column, Entity, PrimaryColumn } from 'typeorm';

export type AuthEventType = 'login' | 'login_failed' | 'account_locked' | 'logout' | 'logout_all' | 'refresh_reused';

/** One line of the login history: who, when, from where; never a password, token or sid. */
@Entity('auth_events')
export class AuthEventEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'user_id', nullable: true }) userId!: string | null;
  @Column('text', { name: 'store_id', nullable: true }) storeId!: string | null;
  @Column('text', { name: 'sid_hash', nullable: true }) sidHash!: string | null;
  @Column('text') type!: AuthEventType;
  @Column('text', { nullable: true }) ip!: string | null;
  @Column('text', { name: 'user_agent', nullable: true }) userAgent!: string | null;
  @Column('timestamptz') at!: Date;
}
