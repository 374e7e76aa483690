import { ForwardMigration } from '@platform/data';

/**
 * A conversation is one store's, but the planner takes the two for independent: among many stores it expects no line of a conversation, so that an index of
 * conversations looks as good as the whole key. Whoever looked for a message or a leader's run read all of a long conversation.
 */
export class WholeKeys1763905500000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    'CREATE STATISTICS IF NOT EXISTS bot_messages_owner (dependencies) ON store_id, conv_id FROM bot_messages',
    'ANALYZE bot_messages',
    'CREATE STATISTICS IF NOT EXISTS bot_runs_owner (dependencies) ON store_id, conv_id FROM bot_runs',
    'ANALYZE bot_runs',
  ];
}
