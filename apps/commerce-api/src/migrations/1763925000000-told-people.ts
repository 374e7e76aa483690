import { ForwardMigration } from '@platform/data';

/** Whom messages may reach, and what a member was told by name. */
export class ToldPeople1763925000000 extends ForwardMigration {
  readonly steps = [
    `ALTER TABLE person ADD COLUMN phone_verified boolean NOT NULL DEFAULT false`,
    `COMMENT ON COLUMN person.phone_verified IS 'whether the person has proved the number; false until the next sign-in after it was proved elsewhere'`,
    `ALTER TABLE notification ADD COLUMN named boolean NOT NULL DEFAULT false`,
    `COMMENT ON COLUMN notification.named IS 'told to this member by name, whatever their abilities'`,
  ];
}
