import { ForwardMigration } from '@platform/data';

/** Messages and events of some days. Both grow by time, so block ranges find them at next to no cost for those who write. */
export class Stats1795202100000 extends ForwardMigration {
  readonly steps = [
    'CREATE INDEX messages_time ON messages USING brin (waktu) WITH (autosummarize = on);',
    'CREATE INDEX chat_histories_time ON chat_histories USING brin (waktu) WITH (autosummarize = on);',
  ];
}
