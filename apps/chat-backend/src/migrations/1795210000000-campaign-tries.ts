import { ForwardMigration } from '@platform/data';

/** How often a campaign was tried in vain since it last came on: one that never does is stopped. */
export class CampaignTries1795210000000 extends ForwardMigration {
  readonly steps = ['ALTER TABLE broadcasts ADD COLUMN tries smallint NOT NULL DEFAULT 0'];
}
