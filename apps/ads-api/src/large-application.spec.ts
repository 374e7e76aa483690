// One large application beside many small ones, and one account of it with a long history: what is read for one change does not grow with them.
import { systemClock } from '@platform/runtime';
import { expectFewRead, fill, useDatabase, vacuumed, type Asking } from '@platform/testing';
import { entities, migrations, schema } from './data-source';
import { AccountsList, type AccountFilter } from './features/accounts/accounts.list';
import { AccountsRepository } from './features/accounts/accounts.repository';
import { batchRows } from './features/caps/batch.rows';
import { ledgerRows } from './features/caps/ledger.rows';
import { ledgerOf, ROWS } from './features/spending/ledger.repository';
import { operationRows } from './features/caps/operation.rows';

const database = useDatabase({ schema, entities, migrations });

/** Fewer than the accounts of the large application or what one of them has in its books, more than the applications. */
const FEW = 1000;
const id = (kind: number, n: string): string =>
  `('00000000-0000-7000-8000-${kind}' || lpad((${n})::text, 11, '0'))::uuid`;
const the = (kind: number, n: number): string => `00000000-0000-7000-8000-${kind}${String(n).padStart(11, '0')}`;
const [APPLICATION, TOKEN, ACCOUNT, OPERATION, BATCH, ENTRY] = [1, 2, 3, 4, 5, 6];

/** Accounts act1 to act2000 are the large application's, 0; act2000 has two thousand operations, each with its batch and its entry. */
const SCENE = [
  `INSERT INTO applications (id, name, created_at) SELECT ${id(APPLICATION, 'n')}, 'A', now() FROM generate_series(0, 300) n`,
  `CREATE TEMPORARY TABLE seeded AS SELECT n, CASE WHEN n <= 2000 THEN 0 ELSE 1 + n % 300 END AS owner FROM generate_series(1, 20000) n ORDER BY n * 7919 % 20000`,
  `CREATE TEMPORARY TABLE done AS SELECT s.*, n * 10000 + m AS op FROM seeded s CROSS JOIN LATERAL generate_series(1, CASE n WHEN 2000 THEN 2000 ELSE 1 END) m`,
  `INSERT INTO social_tokens (application_id, id, social_user_id, social_user_name, connected_at) SELECT ${id(APPLICATION, 'owner')}, ${id(TOKEN, 'n')}, n, 'U', now() FROM seeded`,
  `INSERT INTO ad_accounts (application_id, id, account_id, token_id, business_id, name, default_name, currency, account_status, balance, amount_spent, spend_cap, synced_at)
     SELECT ${id(APPLICATION, 'owner')}, ${id(ACCOUNT, 'n')}, 'act' || n, ${id(TOKEN, 'n')}, 'b' || n % 1000, 'N', 'N', 'IDR', 1, 0, 0, 1, now() FROM seeded`,
  `INSERT INTO cap_batches (id, account_id, application_id, fence, currency, base_cap, base_spent, target, state, created_at)
     SELECT ${id(BATCH, 'op')}, 'act' || n, ${id(APPLICATION, 'owner')}, 1, 'IDR', 1, 0, 2, 'applied', now() - interval '1 minute' * (op % 10000) FROM done`,
  `INSERT INTO cap_operations (id, application_id, account_id, kind, amount, currency, actor, state, batch_id, created_at, waiter_until)
     SELECT ${id(OPERATION, 'op')}, ${id(APPLICATION, 'owner')}, 'act' || n, 'topup', 1, 'IDR', 'a', 'applied', ${id(BATCH, 'op')}, now(), now() FROM done`,
  `INSERT INTO cap_ledger (id, account_id, application_id, kind, delta, cap_before, cap_after, operation_id, batch_id, actor, fence, created_at)
     SELECT ${id(ENTRY, 'op')}, 'act' || n, ${id(APPLICATION, 'owner')}, 'topup', 1, 1, 2, ${id(OPERATION, 'op')}, ${id(BATCH, 'op')}, 'a', 1, now() FROM done`,
];

const applicationId = the(APPLICATION, 0);
const busy = { applicationId, accountId: 'act2000' };
const NOW = new Date('2026-11-30T12:00:00Z');
const request = { ...busy, kind: 'topup' as const, amount: 1, actor: 'a', canBeAsked: false };
const accounts = (sql: Parameters<Asking>[0]) => new AccountsRepository(sql, systemClock);

const page: (filter: Partial<AccountFilter>) => Asking = (filter) => (sql) =>
  new AccountsList(sql, systemClock).page(applicationId, { limit: 50, ...filter });

beforeAll(async () => {
  await fill(database, SCENE);
  await vacuumed(database);
});

it.each<[string, Asking]>([
  ['to find an account', (sql) => accounts(sql).find(applicationId, 'act77')],
  ['accounts by their ids', (sql) => accounts(sql).ofApplication(applicationId, ['act77', 'act78'])],
  ['accounts of a business', (sql) => accounts(sql).ofBusiness(applicationId, 'b77', 50)],
  ['whether accounts are elsewhere', (sql) => accounts(sql).isElsewhere(applicationId, ['act77', 'act78'])],
  ['a page of accounts', page({})],
  ['a page of accounts that work', page({ active: { is: true, statuses: [1] } })],
  ['a page of accounts of a business', page({ businessId: 'b77' })],
  ['to add an operation', (sql) => sql.tx((tx) => operationRows.insert(tx, request, NOW))],
  ['an operation', (sql) => operationRows.find(sql, applicationId, the(OPERATION, 20_000_077))],
  ['operations of a batch', (sql) => operationRows.ofBatch(sql, the(BATCH, 20_000_077))],
  ['to take what is queued', (sql) => sql.tx((tx) => operationRows.takeQueued(tx, busy))],
  ['whether anything is open', (sql) => operationRows.anyOpen(sql, busy)],
  ['to give up what nobody waits for', (sql) => sql.tx((tx) => operationRows.cancelAbandoned(tx, busy, NOW))],
  ['where a ledger stands', (sql) => ledgerRows.head(sql, busy)],
  ['whether a write was undone', (sql) => batchRows.wentBack(sql, busy, { observed: 2, since: NOW })],
  [
    'whose money an account has',
    (sql) => ledgerOf(sql, applicationId, { accountId: 'act77', limit: 50, after: undefined }),
  ],
  ['a page of a ledger', (sql) => sql.query(ROWS, [applicationId, 'act2000', 'IDR', null, 50])],
  [
    'the next page of a ledger',
    (sql) => sql.query(ROWS, [applicationId, 'act2000', 'IDR', the(ENTRY, 20_001_000), 50]),
  ],
  ['open batches of an account', (sql) => batchRows.open(sql, busy)],
  ['one batch', (sql) => batchRows.find(sql, the(BATCH, 20_000_077))],
])('%s takes not all that the application or the account has', (_, work) => expectFewRead(database, FEW, work));
