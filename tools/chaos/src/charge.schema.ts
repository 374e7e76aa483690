import { CREATE_IDEMPOTENCY_KEYS, ForwardMigration } from '@platform/data';

export const chargeSchema = 'charges';

/** Tables of the service in `once.spec.ts`: a charge, and a notice that represents a message about it. */
export class CreateCharges1760000000000 extends ForwardMigration {
  readonly steps = [
    CREATE_IDEMPOTENCY_KEYS,
    `CREATE TABLE charge (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), reference text NOT NULL, amount integer NOT NULL)`,
    `CREATE TABLE notice (charge_id uuid NOT NULL)`,
  ];
}
