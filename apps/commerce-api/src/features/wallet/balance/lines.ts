import { bigintNumber, listingOf } from '@platform/data';
import { before, since } from '../../../moment';
import { signed } from '../../ledger/postings/public';
import { LinesQuery, type Bucket, type LedgerLine } from './balance.dto';

/** The accounts of a wallet are its buckets. */
export const WALLET = `('wallet_available', 'wallet_pending', 'wallet_locked')`;
export const BUCKET = `substr(e.account, 8)`;
export const AMOUNT = signed('e.account', 'e.side', 'e.amount');

interface Stored extends Omit<LedgerLine, 'at' | 'amount' | 'balance_after'> {
  readonly at: Date;
  readonly amount: string;
  readonly balance_after: string;
}

/** What has moved in the wallet of a store, the newest first: in the order in which the balances moved. */
export const lineListing = listingOf(LinesQuery, {
  from: 'ledger_entry e JOIN ledger_txn t ON t.store_id = e.store_id AND t.id = e.txn_id',
  // For a store of common size, each entry of a page was met with all that a large one has
  weighed: true,
  tenant: 'e.store_id',
  select: `e.seq::text AS id, t.posted_at AS at, t.kind, t.ref, t.note, ${AMOUNT} AS amount, ${BUCKET} AS bucket, e.balance_after`,
  only: `e.account IN ${WALLET}`,
  sort: { seq: 'e.seq' },
  usualSort: '-seq',
  tie: 'e.seq',
  where: {
    bucket: { sql: 'e.account = ?', value: (bucket: Bucket) => `wallet_${bucket}` },
    kind: 't.kind = ?',
    from: since('t.posted_at'),
    to: before('t.posted_at'),
  },
  read: ({ at, amount, balance_after, ...line }: Stored): LedgerLine => ({
    ...line,
    at: at.toISOString(),
    amount: bigintNumber.from(amount),
    balance_after: bigintNumber.from(balance_after),
  }),
});
