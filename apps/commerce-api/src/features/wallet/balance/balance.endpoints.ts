import type { Database, PageCursor } from '@platform/data';
import { area, cursorPage, dataOf, type Endpoint } from '@platform/http';
import type { Clock } from '@platform/runtime';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { LedgerLine, LinesQuery, StatementQuery, Wallet } from './balance.dto';
import { lineListing } from './lines';
import { STATEMENT, statementOf } from './statement';
import { walletOf } from './wallet';

interface Parts {
  readonly database: Database;
  readonly cursors: PageCursor;
  readonly clock: Clock;
}

export const balanceEndpoints = ({ database, cursors, clock }: Parts): Endpoint[] =>
  area({ prefix: '/api/wallet', tag: 'Wallet and payment' }, [
    endpoint({
      get: '',
      summary: 'Available, pending and locked balance',
      guard: 'wallet.read',
      reply: dataOf(Wallet),
      refuses: [],
      handle: ({ caller }) => walletOf(database, caller.storeId, clock.now()),
    }),
    endpoint({
      get: '/transactions',
      summary: 'Ledger lines of the wallet',
      description: 'The newest first, in the order in which the balances moved.',
      guard: 'wallet.read',
      query: LinesQuery,
      reply: cursorPage(LedgerLine),
      refuses: [],
      handle: ({ caller, query }) => lineListing.feed(database, caller.storeId, query, cursors),
    }),
    endpoint({
      get: '/statement',
      summary: 'Monthly statement as CSV',
      description:
        'On the clock of the store: each bucket is opened, every line has the balance of its bucket after it, and each is closed.',
      guard: 'wallet.read',
      query: StatementQuery,
      reply: STATEMENT,
      refuses: [],
      handle: ({ caller, query: { month }, signal }) =>
        statementOf(database, { storeId: caller.storeId, month, now: clock.now() }, signal),
    }),
  ]);
