import type { Database } from '@platform/data';

/** What the calls of models since some day have cost: those with a price, and the tokens of those without. */
export interface Sum {
  readonly micros: number;
  readonly unpriced: { readonly in: number; readonly out: number };
}

export interface BudgetSums {
  /** Since the beginning of the day and of the month. */
  costs(storeId: string, dayFrom: Date, monthFrom: Date): Promise<{ readonly day: Sum; readonly month: Sum }>;
  /** Committed runs since then in which the bot said something. */
  replies(storeId: string, from: Date): Promise<number>;
}

/** Both in one statement: whoever finds no counters needs both. */
const COSTS = `
  SELECT part.name,
         coalesce(sum(cost_micros), 0) AS micros,
         coalesce(sum(tokens_in) FILTER (WHERE cost_micros IS NULL), 0) AS tokens_in,
         coalesce(sum(tokens_out) FILTER (WHERE cost_micros IS NULL), 0) AS tokens_out
  FROM (VALUES ('day', $2::timestamptz), ('month', $3::timestamptz)) AS part (name, since)
  LEFT JOIN llm_requests q ON q.store_id = $1 AND q.created_at >= part.since
  GROUP BY part.name`;
const REPLIES = `
  SELECT count(*)::int AS replies FROM bot_runs
  WHERE store_id = $1 AND status = 'done' AND purpose = 'chat' AND created_at >= $2
    AND jsonb_array_length(reply -> 'answer') > 0`;

interface CostRow {
  name: 'day' | 'month';
  micros: string;
  tokens_in: string;
  tokens_out: string;
}

const NOTHING: Sum = { micros: 0, unpriced: { in: 0, out: 0 } };
const sumOf = ({ micros, tokens_in: tokensIn, tokens_out: tokensOut }: CostRow): Sum => ({
  micros: Number(micros),
  unpriced: { in: Number(tokensIn), out: Number(tokensOut) },
});

export const budgetSums = (database: Pick<Database, 'query'>): BudgetSums => ({
  costs: async (storeId, dayFrom, monthFrom) => {
    const rows = await database.query<CostRow>(COSTS, [storeId, dayFrom, monthFrom]);
    const sums = new Map(rows.map((row) => [row.name, sumOf(row)]));
    return { day: sums.get('day') ?? NOTHING, month: sums.get('month') ?? NOTHING };
  },
  replies: async (storeId, from) => {
    const [row] = await database.query<{ replies: number }>(REPLIES, [storeId, from]);
    return row?.replies ?? 0;
  },
});
