import { ForwardMigration } from '@platform/data';

/** What became of a customer's message at the bot: see `toBot` of automation. Empty: it was never the bot's. */
export class PutToBot1795211000000 extends ForwardMigration {
  readonly steps = ['ALTER TABLE messages ADD COLUMN to_bot smallint'];
}
