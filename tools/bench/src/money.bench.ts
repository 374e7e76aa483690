import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import type { Bench, Figures, Report } from './bench.types';
import { KEY_WIDTH } from './inbox-data';
import { httpRequest, measureServer } from './load';
import { placedAndTold } from './order-calls';
import { compared, offered, replayable, shopOrders } from './order-whole';
import { keyMarker } from './recorded-sql';
import { alternate, ratioOf, warmUp } from './rounds';
import { scratchFolder } from './scratch-folder';
import { startServer } from './server-process';
import { servedShop, type ServedShop } from './shop';
import { SHOP } from './shop-data';
import { canReplayWrites, ceilingNote, sqlCeiling } from './sql-ceiling';
import { tokenIssuer } from './token-issuer';

const CONNECTIONS = [1, 8, 32];
/** Kept apart from what only reads: whole orders change it. */
const ORDERS = 20_000;
/** What Vendure 3.7.3 places and pays a second on the reference machine (design, section 9). */
const VENDURE = 8.5;
const NOTICE = { clientId: 'MCH-BENCH', secret: 'bench' };

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

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
    COMMERCE_CREDIT_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  });
};

const enable = async ({ server, headers }: ServedShop): Promise<void> => {
  const url = `http://127.0.0.1:${server.port}/api/payment/methods/a`;
  const answer = await fetch(url, { method: 'PUT', headers, body: JSON.stringify({ enabled: true }) });
  if (!answer.ok) throw new Error(`Method a cannot be switched on: ${answer.status} ${await answer.text()}`);
};

const ROUNDS = 2;
const SECONDS = 3;
/** As wide as the load generator's own, and another one in each run: the shop is kept, and a key that is known is answered without a charge. */
const CHARGE = `bench-charge${Date.now().toString(36)}`;

/** More than the wallet of the shop will ever be charged here. */
const FUND = `
  WITH txn AS (
    INSERT INTO ledger_txn (store_id, id, idempotency_key, kind, ref, note, actor, posted_at)
    VALUES ($1, gen_random_uuid(), 'bench:' || gen_random_uuid(), 'bench', 'bench', '', 'bench', now()) RETURNING store_id, id
  ), entry AS (SELECT * FROM (VALUES ('gateway_clearing', 'D'), ('wallet_available', 'C')) e(account, side)), moved AS (
    INSERT INTO ledger_account AS a (store_id, code, currency, balance)
    SELECT txn.store_id, entry.account, 'IDR', 1000000000000 FROM txn, entry
    ON CONFLICT (store_id, code, currency) DO UPDATE SET balance = a.balance + excluded.balance RETURNING code, balance
  )
  INSERT INTO ledger_entry (store_id, txn_id, account, currency, side, amount, balance_after)
  SELECT txn.store_id, txn.id, entry.account, 'IDR', entry.side, 1000000000000, moved.balance
  FROM txn, entry JOIN moved ON moved.code = entry.account`;

const fund = (shop: ServedShop): Promise<void> =>
  shop.admin.tx(async (tx) => {
    await tx.query(`SET LOCAL search_path = ${shop.schema}, public`);
    await tx.query(FUND, [SHOP]);
  });

/** Money taken from the wallet of one shop, which is one posting each: all of them wait for the same two accounts. */
const postings = async (report: Report, shop: ServedShop): Promise<void> => {
  const { serviceToken } = await tokenIssuer(report);
  await fund(shop);
  const headers = {
    ...{ 'Content-Type': 'application/json', 'X-Store-Id': SHOP, 'Idempotency-Key': '{id}' },
    Authorization: `Bearer ${serviceToken('commerce-api', 'svc:ads-client')}`,
  };
  const application = '0199f0de-5f0e-4f6d-8a55-3c1d3d8a0003';
  const body = { amount: 1, purpose: 'ads_topup', application_id: application, account_id: '1' };
  const request = httpRequest('/api/wallet/charge', headers, JSON.stringify(body), 1);
  const job = { request, keys: 1, keyWidth: 1, seconds: SECONDS, status: 201, expects: '"available_after"' };
  const statements = await shop.server.recordRequests(async () => {
    const url = `http://127.0.0.1:${shop.server.port}/api/wallet/charge`;
    const own = { ...headers, 'Idempotency-Key': CHARGE };
    const answer = await fetch(url, { method: 'POST', headers: own, body: JSON.stringify(body) });
    if (answer.status !== 201) throw new Error(`A charge was answered with ${answer.status}: ${await answer.text()}`);
  });
  const replay = replayable(statements, CHARGE);
  report.progress('postings, warming up');
  await warmUp(() => measureServer(shop.server, { ...job, connections: Math.max(...CONNECTIONS) }));
  const rows: Record<string, Figures> = {};
  for (const connections of CONNECTIONS) {
    report.progress(`postings, ${connections} connections`);
    const sql = { ...replay, url: shop.url, schema: shop.schema, keys: 1, seconds: SECONDS, connections };
    const found: Record<'http' | 'sql', Figures> = await alternate(
      { http: () => measureServer(shop.server, { ...job, connections }), sql: () => sqlCeiling(sql, shop.folder) },
      ROUNDS,
    );
    rows[`HTTP, ${connections} connections`] = found.http;
    rows[`SQL alone, ${connections} connections`] = found.sql;
    const meaning = `charges of one wallet a second over HTTP : SQL alone, ${connections} connections`;
    report.ratio(`posted.${connections}`, ratioOf(found.http, found.sql, 'requests/s'), meaning);
  }
  report.table(`A charge of a wallet: one posting, ${statements.length} statements`, rows);
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
    report.progress('warming up');
    await warmUp(() => offered(shop.server, { ...orders, connections: Math.max(...CONNECTIONS), seconds: SECONDS }));
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
    await postings(report, shop);
    report.note(ceilingNote);
  },
};
