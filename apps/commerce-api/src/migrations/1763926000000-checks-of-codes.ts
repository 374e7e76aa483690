import { ForwardMigration } from '@platform/data';

/** By which a wrong code is told apart without trying it where five tries burn the right one. */
export class ChecksOfCodes1763926000000 extends ForwardMigration {
  readonly steps = [
    'ALTER TABLE code_request ADD COLUMN code_check text',
    `COMMENT ON COLUMN code_request.code_check IS 'HMAC of the code, by a key that is not in the database'`,
  ];
}
