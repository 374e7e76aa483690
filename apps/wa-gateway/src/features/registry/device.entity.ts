import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SealedCloudAccount } from '../../engines/cloud/cloud.account';
import type { DeviceState, EngineKind } from '../../engines/engine.types';

/** One linked WhatsApp account, or one that waits to be linked. */
@Entity('device')
export class Device {
  @PrimaryColumn('text', { name: 'instance_id' }) instanceId!: string;
  @Column('text') name!: string;
  @Column('text') engine!: EngineKind;
  @Column('text') status!: DeviceState;
  @Column('text', { name: 'webhook_url' }) webhookUrl!: string;
  /** Sealed with WA_AUTH_KEY. */
  @Column('text', { name: 'secret_enc', nullable: true }) sealedSecret!: string | null;
  @Column('boolean') online!: boolean;
  /** Of a device on the Cloud API; none after a logout. */
  @Column('jsonb', { name: 'cloud_enc', nullable: true }) cloudAccount!: SealedCloudAccount | null;
  @Column('text', { nullable: true }) number!: string | null;
  @Column('text', { name: 'push_name', nullable: true }) pushName!: string | null;
  @Column('text', { nullable: true }) platform!: string | null;
  @Column('timestamptz', { name: 'connected_at', nullable: true }) connectedAt!: Date | null;
  @Column('timestamptz', { name: 'last_seen', nullable: true }) lastSeen!: Date | null;
  @Column('text', { name: 'last_error', nullable: true }) lastError!: string | null;
  @Column('int') reconnects!: number;
  @Column('timestamptz', { name: 'restricted_until', nullable: true }) restrictedUntil!: Date | null;
  @Column({ type: 'timestamptz', name: 'created_at', insert: false, update: false }) createdAt!: Date;
}

/** What a device's sealed secret is bound to. */
export const devicePurpose = (instanceId: string): string => `device ${instanceId}`;
