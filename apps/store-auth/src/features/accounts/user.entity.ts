import { Column, Entity, PrimaryColumn } from 'typeorm';

export type UserStatus = 'active' | 'disabled';

/** A person; one account for every store of the platform. */
@Entity('users')
export class User {
  @PrimaryColumn('uuid') id!: string;
  @Column('citext') email!: string;
  @Column('text', { nullable: true }) phone!: string | null;
  @Column('text', { name: 'nama' }) name!: string;
  @Column('text', { default: 'id' }) locale!: string;
  @Column('text', { default: 'Asia/Jakarta' }) timezone!: string;
  @Column('text', { name: 'password_hash' }) passwordHash!: string;
  @Column('timestamptz', { name: 'email_verified_at', nullable: true }) emailVerifiedAt!: Date | null;
  @Column('timestamptz', { name: 'phone_verified_at', nullable: true }) phoneVerifiedAt!: Date | null;
  @Column('text', { name: 'totp_enc', nullable: true }) totpSealed!: string | null;
  /** A second factor whose set-up was begun and not confirmed yet. */
  @Column('text', { name: 'totp_pending_enc', nullable: true }) totpPendingSealed!: string | null;
  @Column('text', { default: 'active' }) status!: UserStatus;
  /** Changes with every change of password, state or second factor. */
  @Column('int', { name: 'credential_version', default: 0 }) credentialVersion!: number;
  @Column('text', { name: 'last_store_id', nullable: true }) lastStoreId!: string | null;
}
