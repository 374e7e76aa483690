import { NEWEST, type Keyset, type Sql, type Transaction } from '@platform/data';
import { cut, uuidv7 } from '@platform/runtime';
import type { GapState } from './gap.dto';

const QUESTION = 500;

export interface Gap {
  readonly id: string;
  readonly agentId: string;
  readonly question: string;
  readonly count: number;
  readonly lastAt: Date;
  readonly runId: string | null;
  readonly status: GapState;
}

/** One question is one gap, in whatever case, punctuation and spacing. */
export const folded = (question: string): string =>
  cut(
    question
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
    QUESTION,
  );

/** What was answered and is asked again was not answered; what a person dismissed stays so. */
const COUNT = `
  INSERT INTO bot_gaps AS gap (store_id, id, agent_id, folded, question, run_id) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT ON CONSTRAINT bot_gaps_question DO UPDATE
    SET count = gap.count + 1, last_at = now(), run_id = EXCLUDED.run_id,
        status = CASE gap.status WHEN 'answered' THEN 'open' ELSE gap.status END`;
const COLUMNS = `id, agent_id AS "agentId", question, count, last_at AS "lastAt", run_id AS "runId", status`;
const LIST = `
  SELECT ${COLUMNS}, last_at::text AS "at" FROM bot_gaps
  WHERE store_id = $1 AND ($2::text IS NULL OR agent_id = $2) AND ($3::text IS NULL OR status = $3)
    AND (last_at, id) < ($4::timestamptz, $5::uuid)
  ORDER BY last_at DESC, id DESC LIMIT $6`;
const SET = `UPDATE bot_gaps SET status = $3 WHERE store_id = $1 AND id = $2 RETURNING ${COLUMNS}`;

export interface GapsWanted {
  readonly agentId?: string;
  readonly status?: GapState;
  readonly limit: number;
  readonly after?: Keyset;
}

/** The questions that a store's knowledge does not answer. */
export class GapRepository {
  constructor(private readonly sql: Sql) {}

  in(tx: Transaction): GapRepository {
    return new GapRepository(tx);
  }

  /** Nothing for a question without a letter or digit. */
  async count(storeId: string, agentId: string, question: string, runId: string): Promise<void> {
    const text = cut(question.replaceAll('\0', ''), QUESTION).trim();
    if (folded(text))
      await this.sql.prepared('gap count', COUNT, [storeId, uuidv7(), agentId, folded(text), text, runId]);
  }

  /** Newest first, and the keyset of the last one when there may be more. */
  async list(storeId: string, wanted: GapsWanted): Promise<{ rows: Gap[]; next: Keyset | null }> {
    const { agentId = null, status = null, limit, after = NEWEST } = wanted;
    const values = [storeId, agentId, status, after.lastAt, after.id, limit + 1];
    const rows = await this.sql.query<Gap & { readonly at: string }>(LIST, values);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return { rows: shown, next: last ? { lastAt: last.at, id: last.id } : null };
  }

  /** Undefined when the store has no such gap. */
  async set(storeId: string, id: string, status: GapState): Promise<Gap | undefined> {
    return (await this.sql.query<Gap>(SET, [storeId, id, status]))[0];
  }

  async isOf(storeId: string, agentId: string, id: string): Promise<boolean> {
    const statement = 'SELECT FROM bot_gaps WHERE store_id = $1 AND id = $2 AND agent_id = $3';
    return (await this.sql.query(statement, [storeId, id, agentId])).length > 0;
  }
}
