import { listingOf, type Feed, type PageCursor, type Sql } from '@platform/data';
import { addRequests, type PricedAttempt } from '../model/public';
import { RunsQuery, type RunRow, type RunStatus, type RunView } from './run.dto';
import { readRunInput, type RunInput } from './run.input';
import type { StepRecord } from '../tools/public';

interface RunRecord {
  readonly id: string;
  readonly agent_id: string;
  readonly chat_id: string | null;
  readonly status: RunStatus;
  readonly cost_micros: string;
  readonly ms_total: number;
  readonly agent_version: number;
  readonly created_at: Date;
}

interface WholeRecord extends RunRecord {
  readonly conv_id: string;
  readonly input: unknown;
  readonly reply: Partial<Pick<RunView, 'answer' | 'images'>>;
  readonly sources: string[];
}

interface StepRow {
  readonly assistant: {
    readonly text: string | null;
    readonly calls: readonly Record<'id' | 'tool' | 'args', string>[];
  };
  readonly results: readonly (Record<'id' | 'result', string> & { readonly ms: number; readonly failed: boolean })[];
}

type AttemptRecord = Omit<RunView['attempts'][number], 'cost_micros'> & { readonly cost_micros: string | null };

/** A run with everything that is still known of it. */
export interface KeptRun {
  readonly view: RunView;
  readonly conversationId: string;
  /** Undefined: it is over, or was never kept. */
  readonly input: RunInput | undefined;
  readonly steps: readonly StepRecord[];
}

export interface KeptRuns {
  /** Undefined when the store has no such run. */
  find(storeId: string, id: string): Promise<KeptRun | undefined>;
}

const COLUMNS = 'r.id, c.agent_id, c.chat_id, r.status, r.cost_micros, r.ms_total, r.agent_version, r.created_at';
/** Each is looked up (OFFSET keeps it from being joined): planned for a store of common size, the join met every run with all conversations of a large one. */
const FROM = `bot_runs r CROSS JOIN LATERAL (
  SELECT c.agent_id, c.chat_id FROM bot_conversations c WHERE c.store_id = r.store_id AND c.id = r.conv_id OFFSET 0) c`;
/** Runs may be few among all, and are found by their conversations then. */
const ofConversations = (condition: string): string =>
  `r.conv_id IN (SELECT o.id FROM bot_conversations o WHERE o.store_id = r.store_id AND ${condition})`;

const rowOf = ({ cost_micros, ms_total: ms, created_at, ...run }: RunRecord): RunRow => ({
  ...{ id: run.id, agent_id: run.agent_id, chat_id: run.chat_id, status: run.status, ms },
  ...{ cost_micros: Number(cost_micros), agent_version: run.agent_version, created_at: created_at.toISOString() },
});

export const runListing = listingOf(RunsQuery, {
  from: FROM,
  tenant: 'r.store_id',
  select: COLUMNS,
  sort: { created_at: 'r.created_at' },
  usualSort: '-created_at',
  tie: 'r.id',
  // An agent, a chat, a status may have nearly all runs of the store or none of them
  where: {
    agent_id: { sql: (id) => ofConversations(`o.agent_id = ${id}`), weighed: true },
    chat_id: { sql: (id) => ofConversations(`o.chat_id = ${id}`), weighed: true },
    status: { sql: 'r.status = ?', weighed: true },
  },
  most: 100,
  read: rowOf,
});

const ONE = `SELECT ${COLUMNS}, r.conv_id, r.input, r.reply, r.sources FROM ${FROM} WHERE r.store_id = $1 AND r.id = $2`;
const STEPS = 'SELECT assistant, results FROM bot_run_steps WHERE store_id = $1 AND run_id = $2 ORDER BY n';
const ATTEMPTS = `
  SELECT provider, model, status, tokens_in, tokens_cached, tokens_out, cost_micros, ms, http_status
  FROM llm_requests WHERE store_id = $1 AND run_id = $2 ORDER BY created_at, id`;
/** Where a run kept no input of its own: its lines in the conversation. */
const LINES = `
  SELECT content FROM bot_messages WHERE store_id = $1 AND run_id = $2 AND conv_id = $3 AND role = 'user' ORDER BY id`;

const stepOf = ({ assistant: { text, calls }, results }: StepRow): StepRecord => ({
  text,
  calls: calls.map((call, n) => ({ ...call, ...(results[n] ?? { result: '', ms: 0, failed: true }), id: call.id })),
});

/** Calls of tools as people read them. */
export const callsOf = (steps: readonly StepRecord[]): RunView['steps'] =>
  steps.flatMap(({ calls }) => calls.map(({ tool, args, result, ms }) => ({ tool, args, result, ms })));

/** Turns as they went. */
export class RunRepository implements KeptRuns {
  constructor(
    private readonly database: Sql,
    private readonly cursors: PageCursor,
  ) {}

  list(storeId: string, query: RunsQuery): Promise<Feed<RunRow>> {
    return runListing.feed(this.database, storeId, query, this.cursors);
  }

  async find(storeId: string, id: string): Promise<KeptRun | undefined> {
    const [run] = await this.database.query<WholeRecord>(ONE, [storeId, id]);
    if (!run) return undefined;
    const steps = (await this.database.query<StepRow>(STEPS, [storeId, id])).map(stepOf);
    const attempts = await this.database.query<AttemptRecord>(ATTEMPTS, [storeId, id]);
    const input = readRunInput(run.input);
    const { answer = [], images = [] } = run.reply;
    return {
      ...{ conversationId: run.conv_id, input, steps },
      view: {
        ...rowOf(run),
        lines: input ? [...input.burst, ...input.absorbed] : await this.lines(storeId, id, run.conv_id),
        steps: callsOf(steps),
        sources: run.sources,
        attempts: attempts.map((each) => ({
          ...each,
          cost_micros: each.cost_micros === null ? null : Number(each.cost_micros),
        })),
        answer,
        images,
      },
    };
  }

  /** Writes down what a replay has cost, and not of which run: that has cost what it cost. */
  async replayed(storeId: string, agentId: string, attempts: readonly PricedAttempt[]): Promise<void> {
    await addRequests(this.database, { storeId, agentId, purpose: 'eval' }, attempts);
  }

  private async lines(storeId: string, id: string, conversationId: string): Promise<string[]> {
    const rows = await this.database.query<{ content: string }>(LINES, [storeId, id, conversationId]);
    return rows.map(({ content }) => content);
  }
}
