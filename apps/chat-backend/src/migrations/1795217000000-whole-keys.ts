import { ForwardMigration } from '@platform/data';

/**
 * A device and a campaign are one store's, but the planner takes both for independent of the store: among many stores it expects no row of
 * a device, so that any index that begins with the two looks as good as the whole key. Whoever looked for one chat or one recipient
 * by its key read all of a large device or campaign. It is told of both, and can use that where the two are known before a
 * table is looked at; recipients are also found by rows that are joined: what finds the next one begins with the campaign alone.
 */
export class WholeKeys1795217000000 extends ForwardMigration {
  // Builds from before find the next recipient by the new index as well
  override readonly contract = { suits: 'Broadcasts1795203000000' };
  readonly transaction = false;
  readonly steps = [
    'CREATE STATISTICS IF NOT EXISTS conversations_owner (dependencies) ON store_id, instance FROM conversations',
    'ANALYZE conversations',
    'CREATE STATISTICS IF NOT EXISTS conversation_aliases_owner (dependencies) ON store_id, instance FROM conversation_aliases',
    'ANALYZE conversation_aliases',
    'CREATE STATISTICS IF NOT EXISTS broadcast_recipients_owner (dependencies) ON store_id, broadcast_id FROM broadcast_recipients',
    'ANALYZE broadcast_recipients',
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS broadcast_recipients_next ON broadcast_recipients (broadcast_id, ord)',
    'DROP INDEX CONCURRENTLY IF EXISTS broadcast_recipients_order',
  ];
}
