import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCommerce, type Commerce } from 'commerce-api/src/commerce.fixture';
import { systemClock } from '@platform/runtime';
import { fill, startProgram, useOpened, type RunningProgram } from '@platform/testing';
import { bundle } from './bundle/bundle';
import { makeCodeCache } from './bundle/code-cache';
import { heapOptions } from './heap';
import { workspaceRoot } from './workspace';

let directory: string;
beforeAll(async () => {
  mkdirSync(join(workspaceRoot, 'dist'), { recursive: true });
  directory = mkdtempSync(join(workspaceRoot, 'dist/exports-'));
  writeFileSync(join(directory, 'package.json'), '{ "name": "commerce-api" }');
  await bundle('apps/commerce-api/src/main.ts', directory);
  await makeCodeCache('commerce-api', directory);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const opened = useOpened();
const STORE = 'S1';
const VARIANTS = 100_000;
const IS_NEW_NODE = Number(process.versions.node.split('.')[0]) >= 24;
/** What the process has at most, from its start to the end of a second export; it is 140 to 146, by Node 24, which images have, 156 to 180. */
const MOST_MB = IS_NEW_NODE ? 200 : 150;

/** Products of ten variants with prices and stock, by one statement a table. */
const FILL = [
  `INSERT INTO product (store_id, id, kind, name, slug, status, description, options, weight_g, created_at, updated_at)
   SELECT $1, md5('p' || n)::uuid, 'physical', 'Kaos ' || n, 'kaos-' || n, 'active', repeat('Nyaman dipakai. ', 12),
     '[{"name":"Ukuran","values":["S"]}]', 200, now(), now() FROM generate_series(1, $2::int / 10) n`,
  `INSERT INTO variant (store_id, id, product_id, sku, option_values, price, created_at, updated_at)
   SELECT $1, md5('v' || n)::uuid, md5('p' || (n + 9) / 10)::uuid, 'KAOS-' || n, json_build_object('Ukuran', n % 10), 50000, now(), now()
   FROM generate_series(1, $2::int) n`,
  `INSERT INTO stock_level (store_id, variant_id, warehouse_id, on_hand, updated_at)
   SELECT v.store_id, v.id, w.id, 3, now() FROM variant v JOIN warehouse w ON w.store_id = v.store_id WHERE v.store_id = $1 AND $2::int > 0
   ON CONFLICT DO NOTHING`,
];

/** What a process has had at most, in MB, as Linux counts it; elsewhere nobody does. */
const mostOf = (pid: number): number => {
  if (process.platform !== 'linux') return 0;
  const [, kilobytes = ''] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
};

/** As an image starts it. */
const startImage = ({ database, storeAuth }: Commerce): Promise<RunningProgram> =>
  startProgram({
    main: join(directory, 'main.cjs'),
    env: {
      ...{ NODE_ENV: 'production', NODE_OPTIONS: heapOptions('commerce-api') },
      ...{ APP_ENV: 'test', PORT: '0', HOST: '127.0.0.1', ...database.settings },
      ...{ STORE_AUTH_URL: storeAuth.url, SERVICE_CLIENT_SECRET: storeAuth.client.secret },
    },
  });

const exported = async (url: string, token: string): Promise<{ status: number; lines: number; bytes: number }> => {
  const answer = await fetch(`${url}/api/products/export`, { headers: { authorization: `Bearer ${token}` } });
  let [lines, bytes] = [0, 0];
  for await (const part of answer.body as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    lines += part.reduce((count, byte) => count + Number(byte === 10), 0);
  }
  return { status: answer.status, lines, bytes };
};

it(`an export of ${VARIANTS} variants has them all, and the bundle of an image stays below ${MOST_MB} MB, the second time as well`, async () => {
  const commerce = opened(await startCommerce({}, systemClock.now().toISOString()));
  await commerce.seed();
  await fill(commerce.database, FILL, [STORE, VARIANTS]);
  const service = opened(await startImage(commerce));
  for (let times = 0; times < 2; times += 1) {
    const { status, lines, bytes } = await exported(service.url, commerce.storeAuth.userToken({}));
    // The head, and the goods that the shop was made with
    expect([status, lines]).toEqual([200, VARIANTS + 2]);
    expect(bytes).toBeGreaterThan(20_000_000);
  }
  expect(mostOf(service.pid)).toBeLessThan(MOST_MB);
  expect(service.output()).not.toContain('code cache');
});
