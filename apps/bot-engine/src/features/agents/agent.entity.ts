import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The bot of a store: its prompt and settings. Owned by this service. */
@Entity('bot_agents')
export class Agent {
  @PrimaryColumn('text', { name: 'store_id' }) storeId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text') name!: string;
  @Column('text') prompt!: string;
  /** Null: the setting LLM_MODEL. */
  @Column('text', { nullable: true }) model!: string | null;
  @Column('text', { name: 'fallback_model', nullable: true }) fallbackModel!: string | null;
  @Column('real') temperature!: number;
  @Column('text', { name: 'fallback_text' }) fallbackText!: string;
  @Column('boolean') enabled!: boolean;
  @Column('integer') version!: number;
}
