// A service that charges, on a database that its parent has migrated: `node -r ./tools/swc-hook.cjs charge.child.ts` with DATABASE_URL and PORT.
import { openDatabase, pgIdempotency, type Transaction } from '@platform/data';
import { plainEnvelope } from '@platform/envelopes';
import {
  commonSettings,
  endpointsOf,
  publicGuard,
  Redirect,
  runProgram,
  type IdempotencyStore,
  type Program,
} from '@platform/http';
import { databaseUrl } from '@platform/runtime';
import { Int, Text } from '@platform/validation';
import { chargeSchema, CreateCharges1760000000000 } from './charge.schema';

class Charge {
  @Text() reference!: string;
  @Int() amount!: number;
}

class Charged {
  @Text() id!: string;
}

const endpoint = endpointsOf<{ public: undefined }, Transaction>();

const charge = async (tx: Transaction, { reference, amount }: Charge): Promise<Charged> => {
  const [row] = await tx.query<Charged>('INSERT INTO charge (reference, amount) VALUES ($1, $2) RETURNING id', [
    reference,
    amount,
  ]);
  // A window in which a kill may hit between the charge and its notice
  await tx.query('SELECT pg_sleep(random() / 50)');
  await tx.query('INSERT INTO notice (charge_id) VALUES ($1)', [row?.id]);
  return row as Charged;
};

const common = { guard: 'public', body: Charge, idempotency: 'required' } as const;

const endpoints = [
  endpoint({
    ...common,
    post: '/pay',
    summary: 'Charges once a key',
    status: 201,
    reply: Charged,
    handle: ({ body, once }) => once((tx) => charge(tx, body)),
  }),
  endpoint({
    ...common,
    post: '/pay/page',
    summary: 'Charges once a key and leads to the receipt',
    reply: 'redirect',
    handle: ({ body, once }) => once(async (tx) => new Redirect(`/receipts/${(await charge(tx, body)).id}`, 303)),
  }),
];

const settings = { ...commonSettings(0), DATABASE_URL: databaseUrl() };

const program: Program<typeof settings> = {
  name: 'charges',
  settings,
  create: ({ DATABASE_URL: url }, logger) => {
    const database = openDatabase({ url, schema: chargeSchema, migrations: [CreateCharges1760000000000], logger });
    return {
      name: 'charges',
      description: 'A service for one test',
      endpoints,
      guards: { public: publicGuard },
      envelope: plainEnvelope,
      components: [database],
      callerKey: () => 'S1',
      idempotency: pgIdempotency(database) as IdempotencyStore,
    };
  },
};

void runProgram(program);
