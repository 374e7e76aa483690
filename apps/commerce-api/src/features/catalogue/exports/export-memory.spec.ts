import { readFileSync } from 'node:fs';
import { systemClock } from '@platform/runtime';
import { useOpened } from '@platform/testing';
import { startCommerce } from '../../../commerce.fixture';
import { startSecondProcess } from '../../../second-process.fixture';

const opened = useOpened();
const STORE = 'S1';
const VARIANTS = 100_000;
/** Less than half of what the rows take as objects: it grows by 30 to 48, as the collector comes to it. */
const MOST_MB = 64;

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

/** V8 collects soon: else the process grows by what is garbage already, more with every version of Node. */
const TIDY = '--max-semi-space-size=1 --max-old-space-size=128';

/** Memory of a process in MB, now (`VmRSS`) or at most until now (`VmHWM`), as Linux counts it; elsewhere nobody does. */
const memoryOf = (pid: number, name: 'VmRSS' | 'VmHWM'): number => {
  if (process.platform !== 'linux') return 0;
  const [, kilobytes = ''] =
    new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
};

it(`an export of ${VARIANTS} variants has them all, and its process grows by less than ${MOST_MB} MB: nobody holds it whole`, async () => {
  const commerce = opened(await startCommerce({}, systemClock.now().toISOString()));
  await commerce.seed();
  for (const fill of FILL) await commerce.database.query(fill, [STORE, VARIANTS]);
  const service = opened(await startSecondProcess(commerce, { NODE_OPTIONS: TIDY }));
  const headers = { authorization: `Bearer ${commerce.storeAuth.userToken({})}` };
  // What the first one loads is there for good
  await fetch(`${service.url}/api/products/export?q=kaos-1`, { headers }).then((answer) => answer.text());
  const before = memoryOf(service.pid, 'VmRSS');
  const answer = await fetch(`${service.url}/api/products/export`, { headers });
  let [lines, bytes] = [0, 0];
  for await (const part of answer.body as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    lines += part.reduce((count, byte) => count + Number(byte === 10), 0);
  }
  // The head, and the goods that the shop was made with
  expect([answer.status, lines]).toEqual([200, VARIANTS + 2]);
  expect(bytes).toBeGreaterThan(20_000_000);
  expect(memoryOf(service.pid, 'VmHWM') - before).toBeLessThan(MOST_MB);
});
