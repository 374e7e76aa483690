export { ledgerAccounts, signed, type LedgerAccount } from './accounts';
export {
  arrived,
  auditLedger,
  balancesOf,
  isPosted,
  ledgerRefusals,
  lockBooks,
  post,
  postLater,
  postTold,
  reverse,
  type Entry,
  type Posting,
  type PostingKind,
} from './post';
