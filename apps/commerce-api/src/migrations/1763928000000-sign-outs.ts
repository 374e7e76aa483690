import { ForwardMigration } from '@platform/data';

/** Who gives a browser is asked for at store-auth before the transaction that keeps it: it sees by this whether they have signed out since. */
export class SignOuts1763928000000 extends ForwardMigration {
  readonly steps = [
    `ALTER TABLE person ADD COLUMN sign_outs integer NOT NULL DEFAULT 0`,
    `COMMENT ON COLUMN person.sign_outs IS 'how often logins of theirs have ended here'`,
  ];
}
