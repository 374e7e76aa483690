import { ForwardMigration } from '@platform/data';

/** The episode whose waiting was told of; and what files there are by age, for the timer that removes them. */
export class Timers1795202200000 extends ForwardMigration {
  readonly steps = [
    'ALTER TABLE conversations ADD COLUMN sla_episode integer;',
    `CREATE INDEX messages_files ON messages (waktu) WHERE jsonb_exists(media, 'name');`,
    `CREATE INDEX chat_histories_files ON chat_histories (waktu) WHERE lampiran @? '$[*].url ? (@ != null)';`,
  ];
}
