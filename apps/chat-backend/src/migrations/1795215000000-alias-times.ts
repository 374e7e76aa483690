import { ForwardMigration } from '@platform/data';

/** When the message was written that told whose a hidden id is, and which hidden ids are a number's (ADR 190). */
export class AliasTimes1795215000000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    'ALTER TABLE conversation_aliases ADD COLUMN IF NOT EXISTS said_at timestamptz',
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS conversation_aliases_nohp ON conversation_aliases (store_id, instance, nohp)',
  ];
}
