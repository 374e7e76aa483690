import type { Sql } from '@platform/data';
import type { GaugeSource } from '@platform/http';
import type { Clock } from '@platform/runtime';

/** SQL of the refunds `r` that somebody must look at: their money is put aside. $1 now. */
export const OVERDUE = `(r.alert IS NOT NULL
  OR r.status IN ('requested', 'processing') AND r.created_at < $1::timestamptz - interval '2 hours')`;

/** What somebody must be woken for. */
export const refundGauges = (sql: Sql, clock: Clock): GaugeSource[] => [
  {
    name: 'commerce_refunds_overdue',
    help: 'Refunds open for more than two hours, and those of which the provider contradicts itself',
    read: async () => {
      const count = `SELECT count(*)::int AS n FROM refund r WHERE ${OVERDUE}`;
      return (await sql.query<{ n: number }>(count, [clock.now()]))[0]?.n ?? 0;
    },
  },
];
