import type { Figures, Report } from './bench.types';
import { KEY_WIDTH } from './inbox-data';
import { placedAndPaid } from './order-calls';
import type { OrderJob, OrderResult } from './order-load.types';
import { keyMarker } from './recorded-sql';
import { alternate, ratioOf, warmUp } from './rounds';
import { askChild, forkScript, type MeasuredServer, type RecordedStatement } from './server-process';
import type { ServedShop } from './shop';
import { keyed, sizesOf } from './shop-data';
import { canReplayWrites, sqlCeiling } from './sql-ceiling';
import type { SqlJob } from './sql-load.types';

const CONNECTIONS = [1, 8, 32];
const ROUNDS = 2;
const SECONDS = 2;
/** One places, the other pays. */
const REQUESTS = 2;
/** Of each request: who asks, the transaction's begin and its end. */
const AROUND = 3;
/** Ids that the service makes are UUIDs of this hour. */
const HOUR_MS = 3_600_000;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;

const order = (payment_method: string): string =>
  JSON.stringify({
    contact: { name: 'Budi', phone: '62811{key}' },
    items: [
      { variant_id: keyed('variant'), qty: 1 },
      { variant_id: keyed('other'), qty: 2 },
    ],
    payment_method,
  });

const isFresh = (uuid: string): boolean =>
  Math.abs(Date.now() - Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)) < HOUR_MS;

/** What each order has for itself: its number and every id that was made for it. */
const ownOf = (statements: readonly RecordedStatement[], number: string): string[] => {
  const all = statements.flatMap(({ values }) => values).join(' ');
  return [number, number.toLowerCase(), ...new Set(all.match(UUID) ?? [])].filter(
    (text) => text.toLowerCase() === number.toLowerCase() || isFresh(text),
  );
};

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The recorded statements for `SqlJob`: what is an order's own is another one in each round, the key is `:key`. */
export const replayable = (
  statements: readonly RecordedStatement[],
  number: string,
): Pick<SqlJob, 'statements' | 'own'> => {
  const own = ownOf(statements, number);
  const texts: string[] = [];
  const key = `' || lpad((:key)::text, ${KEY_WIDTH}, '0') || '`;
  const literal = (value: string | null): string => {
    if (value === null) return 'NULL';
    if (own.includes(value)) return `:u${own.indexOf(value)}`;
    const bare = quoted(value);
    const text = own.reduce(
      (before, each, at) => before.replaceAll(each, `' || :u${at} || '`),
      bare.replaceAll(keyMarker(KEY_WIDTH), key),
    );
    // A text with a colon would be taken apart, and have the type of a text then
    return text === bare && !value.includes(':') ? bare : `:t${texts.push(text) - 1}`;
  };
  const inlined = statements.map(({ text, values }) =>
    text.replaceAll(/\$(\d+)/g, (_, at: string) => literal(values[Number(at) - 1] ?? null)),
  );
  return { statements: inlined, own: { uuids: own.length, texts } };
};

/** Waits until what followed from orders, or waited for chat-backend, is done: the next measurement would pay for it. */
export const followed = async ({ admin }: Pick<ServedShop, 'admin'>): Promise<void> => {
  const waiting =
    'SELECT FROM commerce_api_jobs._private_jobs WHERE run_at <= now() AND attempts < max_attempts LIMIT 1';
  while ((await admin.query(waiting)).length > 0) await new Promise((resolve) => setTimeout(resolve, 100));
};

export type Orders = Omit<OrderJob, 'connections' | 'seconds'>;

/** Orders of any product of a shop with so many orders. */
export const shopOrders = ({ server, headers }: ServedShop, size: number, method = 'cash'): Orders => ({
  ...{ url: `http://127.0.0.1:${server.port}`, headers, order: order(method) },
  ...{ keys: sizesOf(size).products, keyWidth: KEY_WIDTH },
});

/** Offers orders from a separate process and measures what they cost the server's. */
export const offered = async (server: MeasuredServer, job: OrderJob): Promise<Figures> => {
  const before = await server.cpuMicroseconds();
  const child = forkScript(['tools/bench/src/order-load.child.ts'], {}, 'inherit');
  const { orders, seconds, p50, p99, settle } = await askChild<OrderResult>(child, job);
  const used = ((await server.cpuMicroseconds()) - before) / 1000;
  const whole = { 'orders/s': orders / seconds, 'CPU ms/order': used / orders, 'p50 ms': p50, 'p99 ms': p99 };
  return job.at === 'gateway' ? { ...whole, 'settle p50 ms': settle.p50, 'settle p99 ms': settle.p99 } : whole;
};

type Replay = Pick<SqlJob, 'statements' | 'own'>;

/** The same orders over HTTP and as SQL alone, in turn. */
export const compared = (served: ServedShop, orders: Orders, replay: Replay, connections: number) => {
  const { server, url, schema, folder } = served;
  const load = { connections, seconds: SECONDS };
  const http = async (): Promise<Figures> => {
    await followed(served);
    return offered(server, { ...orders, ...load });
  };
  const sql = async (): Promise<Figures> => {
    await followed(served);
    const job = { ...load, ...replay, url, schema, keys: orders.keys };
    const { 'requests/s': rate = NaN, ...times } = await sqlCeiling(job, folder);
    return { 'orders/s': rate, ...times };
  };
  return alternate({ http, sql }, ROUNDS);
};

/** Reports a whole order, from its lines to paid by hand, over HTTP and as the same SQL alone. */
export const wholeOrder = async (report: Report, served: ServedShop, size: number): Promise<void> => {
  const { server } = served;
  const orders = shopOrders(served, size);
  await placedAndPaid(orders, 0);
  let number = '';
  const statements = await server.recordRequests(async () => {
    ({ number } = await placedAndPaid(orders, Number(keyMarker(KEY_WIDTH))));
  });
  const own = 'statements of a whole order, besides those that tell who asks, begin and end : 1';
  report.ratio('order-statements', statements.length - REQUESTS * AROUND, own);
  if (!canReplayWrites)
    return report.note('A whole order is not compared with its SQL: there is no pgbench on the PATH.');
  report.progress('whole orders, warming up');
  await warmUp(() => offered(server, { ...orders, connections: Math.max(...CONNECTIONS), seconds: SECONDS }));
  const rows: Record<string, Figures> = {};
  for (const connections of CONNECTIONS) {
    report.progress(`whole orders, ${connections} connections`);
    const found = await compared(served, orders, replayable(statements, number), connections);
    rows[`HTTP, ${connections} connections`] = found.http;
    rows[`SQL alone, ${connections} connections`] = found.sql;
    const meaning = `whole orders/s over HTTP : SQL alone, ${connections} connections`;
    report.ratio(`order.${connections}`, ratioOf(found.http, found.sql, 'orders/s'), meaning);
  }
  report.table('An order of two lines, placed and paid by hand', rows);
};
