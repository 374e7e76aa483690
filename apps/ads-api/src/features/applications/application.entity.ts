import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A machine that may call: its id is the client key of the handshake. */
@Entity('applications')
export class ApplicationEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') name!: string;
  @Column('boolean', { name: 'is_active' }) isActive!: boolean;
  @Column('text', { name: 'topup_policy' }) topupPolicy!: 'trusted' | 'verified_payment';
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
}

@Entity('application_keys')
export class ApplicationKeyEntity {
  @PrimaryColumn('uuid', { name: 'application_id' }) applicationId!: string;
  /** Hex SHA-256 of the key's SPKI DER. */
  @PrimaryColumn('text') fingerprint!: string;
  @Column('text', { name: 'spki_pem' }) spkiPem!: string;
  @Column('text') state!: 'current' | 'previous' | 'revoked';
  /** End of a previous key's acceptance. */
  @Column('timestamptz', { name: 'valid_until', nullable: true }) validUntil!: Date | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
}
