import { ForwardMigration } from '@platform/data';

/** Who fills a campaign with its recipients: whoever began to before adds nobody to it any more, and cannot start it. */
export class CampaignFillings1795212000000 extends ForwardMigration {
  readonly steps = ['ALTER TABLE broadcasts ADD COLUMN filling uuid'];
}
