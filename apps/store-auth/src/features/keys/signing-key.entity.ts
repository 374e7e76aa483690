import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PublicJwk } from '@platform/auth';

/** next: published, does not sign yet; current: signs; previous: still verifies; retired: no longer in the JWKS. */
export type KeyState = 'next' | 'current' | 'previous' | 'retired';

@Entity('signing_keys')
export class SigningKeyEntity {
  @PrimaryColumn('text') kid!: string;
  @Column('text') state!: KeyState;
  @Column('jsonb', { name: 'public_jwk' }) publicJwk!: PublicJwk;
  /** Sealed PKCS#8; removed when the key retires. */
  @Column('text', { name: 'private_enc', nullable: true }) privateSealed!: string | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'state_since' }) stateSince!: Date;
}
