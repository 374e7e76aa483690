import { CREATE_IDEMPOTENCY_KEYS, ForwardMigration } from '@platform/data';

export const chargeSchema = 'charges';

/** What the probe service of `once.spec.ts` works on: a charge, and a row that stands for what leaves after it. */
export class CreateCharges1760000000000 extends ForwardMigration {
  readonly steps = [
    CREATE_IDEMPOTENCY_KEYS,
    `CREATE TABLE charge (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), reference text NOT NULL, amount integer NOT NULL)`,
    `CREATE TABLE notice (charge_id uuid NOT NULL)`,
  ];
}
