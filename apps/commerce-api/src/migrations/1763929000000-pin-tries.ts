import { ForwardMigration } from '@platform/data';

/** By which a wrong PIN that is sent again with its request is known: nobody guesses twice with one try. */
export class PinTries1763929000000 extends ForwardMigration {
  readonly steps = ['ALTER TABLE wallet ADD COLUMN IF NOT EXISTS pin_tried text'];
}
