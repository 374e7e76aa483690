import { isUniqueViolation, type Database, type Sql, type Transaction } from '@platform/data';
import { storableJson, uuidv7 } from '@platform/runtime';
import type { Queue } from '../../jobs';
import type { LoopOutcome } from '../loop/public';
import { addRequests } from '../model/public';
import type { CaseResult, EvalRunView, EvalStatus, EvalWish } from './eval.dto';

/** A run whose job was killed again and again is over: nothing has been heard of it for so long. */
const SILENT = `'20 minutes'`;
/** The same for one whose job never began. */
const FORGOTTEN = `'1 day'`;

interface Record {
  readonly id: string;
  readonly agent_id: string;
  readonly version: number;
  readonly model: string;
  readonly status: EvalStatus;
  readonly wish: EvalWish;
  readonly total: number;
  readonly result: CaseResult[];
  readonly error: string | null;
  readonly created_at: Date;
}

export interface EvalRun {
  readonly view: EvalRunView;
  readonly wish: EvalWish;
}

/** Whose cases are played. */
type Played = Pick<EvalRunView, 'id' | 'agent_id'>;

export interface NewEvalRun {
  readonly storeId: string;
  readonly version: number;
  readonly model: string;
  readonly total: number;
  readonly wish: EvalWish;
}

const STATUS = `CASE WHEN status = 'running' AND updated_at < now() - interval ${SILENT}
  OR status = 'waiting' AND updated_at < now() - interval ${FORGOTTEN} THEN 'failed' ELSE status END`;
const ONE = `
  SELECT id, agent_id, version, model, ${STATUS} AS status, wish, total, result, created_at,
         coalesce(error, CASE WHEN ${STATUS} = 'failed' THEN 'interrupted' END) AS error
  FROM bot_eval_runs WHERE store_id = $1 AND id = $2`;
/** So that a dead one does not keep the next one of its agent from beginning. */
const END_SILENT = `
  UPDATE bot_eval_runs SET status = 'failed', error = 'interrupted', updated_at = now()
  WHERE store_id = $1 AND agent_id = $2 AND status IN ('waiting', 'running') AND ${STATUS} = 'failed'`;
const INSERT = `
  INSERT INTO bot_eval_runs (store_id, id, agent_id, version, model, status, wish, total)
  VALUES ($1, $2, $3, $4, $5, 'waiting', $6::jsonb, $7)`;
const BEGIN = `
  UPDATE bot_eval_runs SET status = 'running', updated_at = now()
  WHERE store_id = $1 AND id = $2 AND status IN ('waiting', 'running')`;
/** A case that another process has finished meanwhile is not added twice. */
const ADD = `
  UPDATE bot_eval_runs SET result = result || $3::jsonb, updated_at = now()
  WHERE store_id = $1 AND id = $2 AND status = 'running' AND NOT result @> $4::jsonb RETURNING 1`;
const TOUCH = `UPDATE bot_eval_runs SET updated_at = now() WHERE store_id = $1 AND id = $2 AND status = 'running'`;
const END = `
  UPDATE bot_eval_runs SET status = $3, error = $4, updated_at = now()
  WHERE store_id = $1 AND id = $2 AND status IN ('waiting', 'running')`;

const runOf = ({ result, created_at, wish, ...row }: Record): EvalRun => ({
  wish,
  view: {
    ...row,
    passed: result.filter(({ passes }) => passes).length,
    cases: result,
    created_at: created_at.toISOString(),
  },
});

/** Evaluations of agents: each is a job, and keeps every case that it has played. */
export class EvalRepository {
  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
  ) {}

  async find(storeId: string, id: string): Promise<EvalRun | undefined> {
    const [row] = await this.database.query<Record>(ONE, [storeId, id]);
    return row && runOf(row);
  }

  /** The new run's id, once its job is certain; undefined while another one of the agent is not over. */
  async add({ storeId, version, model, total, wish }: NewEvalRun): Promise<string | undefined> {
    const id = uuidv7();
    const { agent_id: agentId } = wish;
    const insert = async (tx: Transaction) => {
      await tx.query(END_SILENT, [storeId, agentId]);
      await tx.query(INSERT, [storeId, id, agentId, version, model, storableJson(wish), total]);
      await this.queue.enqueue(tx, 'eval.run', { storeId, id }, { maxAttempts: 6 });
    };
    try {
      await this.database.tx(insert);
      return id;
    } catch (error) {
      if (isUniqueViolation(error, 'bot_eval_runs_active')) return undefined;
      throw error;
    }
  }

  async begin(storeId: string, id: string): Promise<void> {
    await this.database.query(BEGIN, [storeId, id]);
  }

  /** Says that somebody is still at it. */
  async touch(storeId: string, id: string): Promise<void> {
    await this.database.query(TOUCH, [storeId, id]);
  }

  /** The case and the calls that it made, once. */
  async keep(
    storeId: string,
    run: Played,
    { result, turns }: { readonly result: CaseResult; readonly turns: readonly LoopOutcome[] },
  ): Promise<void> {
    await this.database.tx(async (tx) => {
      const known = JSON.stringify([{ id: result.id }]);
      const kept = await tx.query(ADD, [storeId, run.id, storableJson([result]), known]);
      if (kept.length > 0) await this.spent(storeId, run, turns, tx);
    });
  }

  /** The calls of turns alone. */
  async spent(
    storeId: string,
    { id, agent_id: agentId }: Played,
    turns: readonly LoopOutcome[],
    sql: Pick<Sql, 'query'> = this.database,
  ): Promise<void> {
    const owner = { storeId, agentId, runId: id, purpose: 'eval' } as const;
    await addRequests(
      sql,
      owner,
      turns.flatMap(({ attempts }) => attempts),
    );
  }

  async end(storeId: string, id: string, error?: string): Promise<void> {
    await this.database.query(END, [storeId, id, error ? 'failed' : 'done', error ?? null]);
  }
}
