// Vendure as its own documentation starts it, from where the bench found it installed: `migrate` fills a new database, otherwise it serves.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from '@platform/runtime';

interface App {
  get(service: object): {
    start(): Promise<void>;
    create(options: { apiType: string }): Promise<object>;
    reindex(context: object): Promise<unknown>;
  };
  close(): Promise<void>;
}
/** What is used of it; its packages are not this workspace's, so neither are their types. */
interface Vendure {
  readonly defaultConfig: object;
  mergeConfig(config: object, more: object): object;
  bootstrap(config: object): Promise<App>;
  readonly JobQueueService: object;
  readonly SearchService: object;
  readonly RequestContextService: object;
  readonly dummyPaymentHandler: object;
  readonly DefaultLogger: new (options: { level: number }) => object;
  readonly LogLevel: { readonly Warn: number };
  readonly DefaultSearchPlugin: { init(options: object): object };
  readonly DefaultJobQueuePlugin: { init(options: object): object };
}
interface Populating {
  populate(start: () => Promise<App>, initial: object, products: string): Promise<App>;
}
interface Client {
  connect(): Promise<unknown>;
  query(sql: string): Promise<{ rows: { found: number }[] }>;
  end(): Promise<unknown>;
}

const { VENDURE_DIR = '', DATABASE_URL = '', PRODUCTS = '0', PORT = '0' } = environment;
const database = new URL(DATABASE_URL);
const load = createRequire(join(VENDURE_DIR, 'package.json'));
const vendure = load('@vendure/core') as Vendure;
const isFilling = process.argv[2] === 'migrate';

const config = vendure.mergeConfig(vendure.defaultConfig, {
  apiOptions: { port: Number(PORT), hostname: '127.0.0.1' },
  authOptions: { tokenMethod: ['bearer'], requireVerification: false },
  dbConnectionOptions: {
    type: 'postgres',
    host: database.hostname,
    port: Number(database.port),
    username: database.username,
    password: database.password,
    database: database.pathname.slice(1),
    schema: 'vendure',
    synchronize: isFilling,
    logging: false,
    // As many as a service of ours has
    poolSize: 20,
  },
  paymentOptions: { paymentMethodHandlers: [vendure.dummyPaymentHandler] },
  importExportOptions: { importAssetsDir: tmpdir() },
  logger: new vendure.DefaultLogger({ level: vendure.LogLevel.Warn }),
  plugins: [vendure.DefaultSearchPlugin.init({}), vendure.DefaultJobQueuePlugin.init({})],
});

const initial = {
  defaultLanguage: 'en',
  defaultZone: 'Asia',
  countries: [{ name: 'Indonesia', code: 'ID', zone: 'Asia' }],
  taxRates: [{ name: 'Standard Tax', percentage: 11 }],
  shippingMethods: [{ name: 'Standard', price: 1000 }],
  paymentMethods: [
    {
      name: 'cash',
      handler: { code: 'dummy-payment-handler', arguments: [{ name: 'automaticSettle', value: 'true' }] },
    },
  ],
  collections: [],
};

const HEADER =
  'name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets';

/** Products of two variants, as those of our shop. */
const productRows = (count: number): string =>
  [
    HEADER,
    ...Array.from({ length: count }, (_, n) => [
      `Sepatu Lari ${n},produk-${n},"Bahan pilihan, jahitan rapi.",,,ukuran,M,SKU${n}A,100.00,standard,1000000,true,,`,
      `,,,,,,L,SKU${n}B,110.00,standard,1000000,true,,`,
    ]).flat(),
  ].join('\n');

const asked = async (sql: string): Promise<number> => {
  const { Client } = load('pg') as { Client: new (options: { connectionString: string }) => Client };
  const client = new Client({ connectionString: DATABASE_URL });
  await client.connect();
  const { rows } = await client.query(sql).finally(() => client.end());
  return rows[0]?.found ?? 0;
};
/** Drops what an interrupted run left. */
const FORGET = `
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'vendure' LOOP
      EXECUTE format('DROP TABLE IF EXISTS vendure.%I CASCADE', name);
    END LOOP;
  END $$`;
const isFilled = () =>
  asked('SELECT count(*)::int AS found FROM vendure.search_index_item').then(
    (count) => count === 2 * Number(PRODUCTS),
    () => false,
  );

/** Fills the index that its storefronts list from, which its worker does for its users: all at once instead of a job a variant. */
const index = async (app: App): Promise<void> => {
  await asked('DELETE FROM vendure.job_record');
  await app.get(vendure.JobQueueService).start();
  await app
    .get(vendure.SearchService)
    .reindex(await app.get(vendure.RequestContextService).create({ apiType: 'admin' }));
  while (!(await isFilled())) await new Promise((resolve) => setTimeout(resolve, 200));
};

const fill = async (): Promise<void> => {
  if (await isFilled()) return;
  await asked(FORGET);
  const file = join(tmpdir(), `vendure-products-${process.pid}.csv`);
  writeFileSync(file, productRows(Number(PRODUCTS)));
  const { populate } = load('@vendure/core/cli') as Populating;
  await index(await populate(() => vendure.bootstrap(config), initial, file));
};

const main = async (): Promise<void> => {
  if (!isFilling) return void (await vendure.bootstrap(config));
  await fill();
  process.exit(0);
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
