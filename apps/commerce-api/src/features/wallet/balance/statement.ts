import { bigintNumber, type Database } from '@platform/data';
import { csv } from '@platform/http';
import type { LedgerAccount } from '../../ledger/postings/public';
import { buckets, type Bucket } from './balance.dto';
import { balancesAt } from './closes';
import { AMOUNT, BUCKET, WALLET } from './lines';

/** One line of a statement; the first of each bucket opens the month, the last closes it. */
export interface StatementLine {
  readonly at: Date;
  readonly kind: string;
  readonly ref: string;
  readonly bucket: Bucket;
  readonly amount: number | null;
  readonly balance: number;
  readonly note: string;
}

export const STATEMENT = csv<StatementLine>(
  [...(['at', 'kind', 'ref', 'bucket', 'amount', 'balance', 'note'] as const).map((name) => [name, name] as const)],
  { filename: 'wallet.csv' },
);

const MONTH = `
  SELECT currency, ($2 || '-01')::timestamp AT TIME ZONE timezone AS "from",
    (($2 || '-01')::timestamp + interval '1 month') AT TIME ZONE timezone AS until
  FROM store WHERE store_id = $1`;

/** In the order of time, of one moment in that in which the balances moved: $1 store, $2 currency, $3 from, $4 until. */
const LINES = `
  SELECT t.posted_at AS at, t.kind, t.ref, t.note, ${BUCKET} AS bucket, ${AMOUNT} AS amount
  FROM ledger_txn t JOIN ledger_entry e ON e.store_id = t.store_id AND e.txn_id = t.id
  WHERE t.store_id = $1 AND e.currency = $2 AND e.account IN ${WALLET} AND t.posted_at >= $3 AND t.posted_at < $4
  ORDER BY t.posted_at, e.seq`;

interface Month {
  readonly currency: string;
  readonly from: Date;
  readonly until: Date;
}
type Stored = Omit<StatementLine, 'amount' | 'balance'> & { readonly amount: string };

const accountOf = (bucket: Bucket): LedgerAccount => `wallet_${bucket}`;
const edge = (kind: string, at: Date, balances: ReadonlyMap<Bucket, number>): StatementLine[] =>
  buckets.map((bucket) => ({
    ...{ at, kind, ref: '', bucket, amount: null, note: '' },
    balance: balances.get(bucket) ?? 0,
  }));

/**
 * A month of a wallet on the clock of its store, read as it is sent: what each bucket held, every line with the balance after it, and
 * what each held in the end, which is what the daily closes say.
 */
export const statementOf = async function* (
  database: Database,
  { storeId, month, now }: { readonly storeId: string; readonly month: string; readonly now: Date },
  signal: AbortSignal,
): AsyncGenerator<StatementLine, void> {
  const [found] = (await database.query<Month>(MONTH, [storeId, month])) as [Month];
  const { currency, from, until } = found;
  const opening = await balancesAt(database, { storeId, currency, at: from }, buckets.map(accountOf));
  const balances = new Map(buckets.map((bucket) => [bucket, opening.get(accountOf(bucket)) ?? 0]));
  yield* edge('opening_balance', from, balances);
  const rows = database.stream<Stored>(LINES, [storeId, currency, from, until], { signal, tenant: storeId });
  for await (const row of rows) {
    const amount = bigintNumber.from(row.amount);
    const balance = (balances.get(row.bucket) ?? 0) + amount;
    balances.set(row.bucket, balance);
    yield { ...row, amount, balance };
  }
  yield* edge('closing_balance', until < now ? until : now, balances);
};
