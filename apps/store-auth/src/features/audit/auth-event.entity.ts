import { Column, Entity, PrimaryColumn } from 'typeorm';

export const authEventTypes = [
  'login',
  'login_failed',
  'otp_failed',
  'account_locked',
  'account_unlocked',
  'logout',
  'logout_all',
  'refresh_reused',
  'store_switched',
  'sessions_revoked',
  'user_created',
  'user_disabled',
  'user_enabled',
  'email_changed',
  'email_verified',
  'phone_verified',
  'password_changed',
  'password_reset',
  'two_factor_on',
  'two_factor_off',
  'recovery_code_used',
  'membership_changed',
  'membership_removed',
] as const;
export type AuthEventType = (typeof authEventTypes)[number];

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
