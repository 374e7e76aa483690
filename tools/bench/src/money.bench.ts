import { join } from 'node:path';
import type { Bench, Figures, Report } from './bench.types';
import { KEY_WIDTH } from './inbox-data';
import { placedAndTold } from './order-calls';
import { compared, replayable, shopOrders } from './order-whole';
import { keyMarker } from './recorded-sql';
import { ratioOf } from './rounds';
import { scratchFolder } from './scratch-folder';
import { startServer } from './server-process';
import { servedShop, type ServedShop } from './shop';
import { canReplayWrites, ceilingNote } from './sql-ceiling';

const CONNECTIONS = [1, 8, 32];
/** Kept apart from what only reads: whole orders change it. */
const ORDERS = 20_000;
/** What Vendure 3.7.3 places and pays a second on the reference machine (design, section 9). */
const VENDURE = 8.5;
const NOTICE = { clientId: 'MCH-BENCH', secret: 'bench' };

const shopWithProvider = async (report: Report): Promise<ServedShop> => {
  const { path } = await scratchFolder(report);
  const provider = await report.shared('provider A', () =>
    startServer({
      ...{ script: 'tools/bench/src/provider-a.server.ts', args: ['{port}'] },
      ...{ readyPath: '/ready', log: join(path, 'provider-a.log') },
    }),
  );
  return servedShop(report, ORDERS, {
    ...{
      PAY_A_BASE_URL: `http://127.0.0.1:${provider.port}`,
      PAY_A_CLIENT_ID: NOTICE.clientId,
      PAY_A_SECRET: NOTICE.secret,
    },
    PAY_A_PUBLIC_URL: 'http://127.0.0.1',
  });
};

const enable = async ({ server, headers }: ServedShop): Promise<void> => {
  const url = `http://127.0.0.1:${server.port}/api/payment/methods/a`;
  const answer = await fetch(url, { method: 'PUT', headers, body: JSON.stringify({ enabled: true }) });
  if (!answer.ok) throw new Error(`Method a cannot be switched on: ${answer.status} ${await answer.text()}`);
};

/** An order that is paid through a provider, from its lines to settled; the provider itself is taken out. */
export const bench: Bench = {
  name: 'money',
  onlyNamed: 'it first seeds a shop of 20,000 orders (kept in .data/bench)',
  run: async (report) => {
    const shop = await shopWithProvider(report);
    await enable(shop);
    const orders = { ...shopOrders(shop, ORDERS, 'a'), at: 'gateway', notice: NOTICE } as const;
    await placedAndTold(orders, 0);
    let number = '';
    const statements = await shop.server.recordRequests(async () => {
      ({ number } = await placedAndTold(orders, Number(keyMarker(KEY_WIDTH))));
    });
    report.ratio('statements', statements.length, 'statements from the lines of an order to its settled payment : 1');
    if (!canReplayWrites) return report.note('Not compared with its SQL: there is no pgbench on the PATH.');
    const rows: Record<string, Figures> = {};
    for (const connections of CONNECTIONS) {
      report.progress(`${connections} connections`);
      const found = await compared(shop, orders, replayable(statements, number), connections);
      rows[`HTTP, ${connections} connections`] = found.http;
      rows[`SQL alone, ${connections} connections`] = found.sql;
      const meaning = `orders settled a second over HTTP : SQL alone, ${connections} connections`;
      report.ratio(`settled.${connections}`, ratioOf(found.http, found.sql, 'orders/s'), meaning);
    }
    const best = Math.max(...Object.values(rows).map((row) => ('CPU ms/order' in row ? (row['orders/s'] ?? 0) : 0)));
    report.ratio('vendure', best / VENDURE, `orders a second : ${VENDURE}, which Vendure placed and paid elsewhere`);
    report.table('An order of two lines, placed, and paid as provider A tells it', rows);
    report.note(ceilingNote);
  },
};
