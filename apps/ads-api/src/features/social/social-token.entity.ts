import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A connected social account. The upstream token itself (`ciphertext`) is not selected with the rest. */
@Entity('social_tokens')
export class SocialTokenEntity {
  @PrimaryColumn('uuid', { name: 'application_id' }) applicationId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('text', { name: 'social_user_id' }) socialUserId!: string;
  @Column('text', { name: 'social_user_name' }) socialUserName!: string;
  @Column('text', { nullable: true, select: false }) ciphertext!: string | null;
  @Column('text', { array: true }) scopes!: string[];
  @Column('timestamptz', { name: 'expires_at', nullable: true }) expiresAt!: Date | null;
  @Column('boolean', { name: 'is_active' }) isActive!: boolean;
  @Column('text', { name: 'inactive_reason', nullable: true }) inactiveReason!: string | null;
  @Column('timestamptz', { name: 'connected_at' }) connectedAt!: Date;
}
