import { bigintNumber } from '@platform/data';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Provider } from '../model/public';
import type { ToolName } from './tool.names';

/** The bot of a store: its prompt and settings. Owned by this service. */
@Entity('bot_agents')
export class Agent {
  @PrimaryColumn('text', { name: 'store_id' }) storeId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text') name!: string;
  @Column('text') prompt!: string;
  @Column('text') provider!: Provider;
  /** Null: the setting LLM_MODEL. */
  @Column('text', { nullable: true }) model!: string | null;
  @Column('text', { name: 'fallback_provider', nullable: true }) fallbackProvider!: Provider | null;
  @Column('text', { name: 'fallback_model', nullable: true }) fallbackModel!: string | null;
  @Column('real') temperature!: number;
  @Column('text', { array: true }) tools!: ToolName[];
  /** Null: the settings of the same name, as for the three below. */
  @Column('integer', { name: 'window_ms', nullable: true }) windowMs!: number | null;
  @Column('integer', { name: 'max_wait_ms', nullable: true }) maxWaitMs!: number | null;
  @Column('integer', { name: 'max_steps', nullable: true }) maxSteps!: number | null;
  @Column('bigint', { name: 'turn_cost_cap_micros', nullable: true, transformer: bigintNumber })
  turnCostCapMicros!: number | null;
  @Column('text', { name: 'fallback_text' }) fallbackText!: string;
  @Column('text', { name: 'handover_text' }) handoverText!: string;
  @Column('text', { name: 'welcome_text' }) welcomeText!: string;
  /** Minutes after which the bot answers again, when a person was asked for. */
  @Column('integer', { name: 'resume_after_min' }) resumeAfterMin!: number;
  /** The same, when no model could answer. */
  @Column('integer', { name: 'failure_resume_min' }) failureResumeMin!: number;
  /** Its model reads pictures. */
  @Column('boolean') vision!: boolean;
  @Column('boolean') enabled!: boolean;
  @Column('integer') version!: number;
  @Column('text', { name: 'updated_by', nullable: true }) updatedBy!: string | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
  @Column('timestamptz', { name: 'deleted_at', nullable: true }) deletedAt!: Date | null;
}
