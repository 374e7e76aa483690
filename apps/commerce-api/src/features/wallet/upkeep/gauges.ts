import type { Sql } from '@platform/data';
import type { GaugeSource } from '@platform/http';
import type { Clock } from '@platform/runtime';

const count = async (sql: Sql, text: string, values: readonly unknown[]): Promise<number> =>
  (await sql.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${text}`, values))[0]?.n ?? 0;

const OVERDUE = `withdrawal w WHERE w.alert IS NOT NULL
  OR w.status IN ('approved', 'processing') AND w.approved_at < $1::timestamptz - interval '2 hours'`;

/** What somebody must be woken for. */
export const walletGauges = (sql: Sql, clock: Clock): GaugeSource[] => [
  {
    name: 'commerce_ledger_differences',
    help: 'Accounts and transactions of the ledger that did not add up when they were last audited',
    read: () => count(sql, 'ledger_difference', []),
  },
  {
    name: 'commerce_withdrawals_overdue',
    help: 'Withdrawals open for more than two hours, and those of which the provider contradicts itself',
    read: () => count(sql, OVERDUE, [clock.now()]),
  },
];
