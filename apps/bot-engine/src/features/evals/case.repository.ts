import { listingOf, type Database, type Feed, type PageCursor } from '@platform/data';
import { storableJson } from '@platform/runtime';
import type { EvalCase } from './case.player';
import { CasesQuery, type CaseView, type Expectations } from './eval.dto';

export const MOST_CASES = 200;

interface Record {
  readonly id: string;
  readonly agent_id: string;
  readonly name: string;
  readonly lines: string[];
  readonly expect: Expectations;
  readonly before: EvalCase['before'];
  readonly created_at: Date;
}

const viewOf = ({ id, agent_id, name, lines, expect, created_at }: Record): CaseView => ({
  ...{ id, agent_id, name, lines, expect, created_at: created_at.toISOString() },
});
const caseOf = ({ agent_id: agentId, ...one }: Record): EvalCase => ({ ...one, agentId });

const COLUMNS = 'e.id, e.agent_id, e.name, e.lines, e.expect, e.before, e.created_at';

export const caseListing = listingOf(CasesQuery, {
  from: 'bot_eval_cases e',
  tenant: 'e.store_id',
  select: COLUMNS,
  sort: { created_at: 'e.created_at' },
  usualSort: 'created_at',
  tie: 'e.id',
  where: { agent_id: 'e.agent_id = ?' },
  most: 100,
  read: viewOf,
});

/** One case too many of an agent is not written. */
const INSERT = `
  INSERT INTO bot_eval_cases (store_id, id, agent_id, name, lines, expect, before, created_from)
  SELECT $1, $2, $3, $4, $5::jsonb, $6::jsonb, $7::jsonb, $8
  WHERE ${MOST_CASES} > (SELECT count(*) FROM bot_eval_cases WHERE store_id = $1 AND agent_id = $3)
  ON CONFLICT (store_id, id) DO NOTHING`;

export class CaseRepository {
  constructor(
    private readonly database: Database,
    private readonly cursors: PageCursor,
  ) {}

  list(storeId: string, query: CasesQuery): Promise<Feed<CaseView>> {
    return caseListing.feed(this.database, storeId, query, this.cursors);
  }

  /** In the order in which they are played. */
  async ofAgent(storeId: string, agentId: string): Promise<EvalCase[]> {
    const rows = await this.database.query<Record>(
      `SELECT ${COLUMNS} FROM bot_eval_cases e WHERE e.store_id = $1 AND e.agent_id = $2 ORDER BY e.created_at, e.id`,
      [storeId, agentId],
    );
    return rows.map(caseOf);
  }

  /** With what it was made from. */
  async find(storeId: string, id: string): Promise<{ readonly view: CaseView; readonly from: string } | undefined> {
    const [row] = await this.database.query<Record & { created_from: string }>(
      `SELECT ${COLUMNS}, e.created_from FROM bot_eval_cases e WHERE e.store_id = $1 AND e.id = $2`,
      [storeId, id],
    );
    return row && { view: viewOf(row), from: row.created_from };
  }

  async insert(storeId: string, one: EvalCase, createdFrom: string): Promise<void> {
    const { id, agentId, name, lines, expect, before } = one;
    const texts = [lines, expect, before].map(storableJson);
    await this.database.query(INSERT, [storeId, id, agentId, name, ...texts, createdFrom]);
  }

  /** False when there is none. */
  async remove(storeId: string, id: string): Promise<boolean> {
    const rows = await this.database.query('DELETE FROM bot_eval_cases WHERE store_id = $1 AND id = $2 RETURNING id', [
      storeId,
      id,
    ]);
    return rows.length > 0;
  }
}
