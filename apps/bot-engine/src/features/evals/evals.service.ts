import { createHash } from 'node:crypto';
import { Conflict, InvalidInput, NotFound, type Failure } from '@platform/errors';
import { cut } from '@platform/runtime';
import { toolNames, type Agents } from '../agents/public';
import type { KeptRun } from '../runs/public';
import type { EvalCase } from './case.player';
import { MOST_CASES, type CaseRepository } from './case.repository';
import type { CaseView, EvalRunView, EvalWish, NewCase } from './eval.dto';
import type { EvalRepository } from './eval.repository';

export const evalRefusals = {
  caseNotFound: (): Failure => new NotFound('case not found'),
  evalNotFound: (): Failure => new NotFound('evaluation not found'),
  runNotFound: (): Failure => new NotFound('run not found'),
  idTaken: (): Failure => new Conflict('the id belongs to another case', { code: 'id_taken' }),
  tooManyCases: (): Failure => new Conflict(`an agent has at most ${MOST_CASES} cases`, { code: 'too_many_cases' }),
  evalRunning: (): Failure =>
    new Conflict('an evaluation of this agent is not over', { code: 'eval_running', retryAfterSeconds: 5 }),
  noCases: (): Failure => new Conflict('the agent has no cases', { code: 'no_cases' }),
} as const;

const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;
const digestOf = (body: object): string => createHash('sha256').update(JSON.stringify(body, sorted)).digest('hex');

const NAME_LENGTH = 120;

/** The case that a run is: what it was given, and what it did. */
const caseOfRun = (id: string, { view, input }: KeptRun, { name, expect }: NewCase): EvalCase => {
  const lines = input ? [...input.burst, ...input.absorbed] : view.lines;
  const { history = [], facts } = input ?? {};
  return {
    id,
    agentId: view.agent_id,
    name: name ?? cut(lines.join(' '), NAME_LENGTH),
    lines: [lines.join('\n')],
    expect: expect ?? {
      tools: [...new Set(view.steps.map(({ tool }) => tool))],
      sources: view.sources,
      handover: view.status === 'handover',
    },
    before: { history, ...(facts ? { facts } : {}) },
  };
};

export interface EvalsParts {
  readonly cases: CaseRepository;
  readonly runs: EvalRepository;
  readonly agents: Pick<Agents, 'get'>;
  /** A turn as it went. */
  readonly turn: (storeId: string, runId: string) => Promise<KeptRun | undefined>;
  /** For agents without a model of their own. */
  readonly defaultModel: string;
}

/** Cases that an agent has to pass, and runs of all of them. */
export class EvalsService {
  constructor(private readonly parts: EvalsParts) {}

  /** The same body under the same id again is the same case. */
  async add(storeId: string, body: NewCase): Promise<CaseView> {
    const { cases } = this.parts;
    const { id, ...content } = body;
    const from = digestOf(content);
    if (!(await cases.find(storeId, id))) await cases.insert(storeId, await this.caseOf(storeId, body), from);
    const kept = await cases.find(storeId, id);
    if (!kept) throw evalRefusals.tooManyCases();
    if (kept.from !== from) throw evalRefusals.idTaken();
    return kept.view;
  }

  async find(storeId: string, id: string): Promise<CaseView> {
    const kept = await this.parts.cases.find(storeId, id);
    if (!kept) throw evalRefusals.caseNotFound();
    return kept.view;
  }

  async remove(storeId: string, id: string): Promise<void> {
    if (!(await this.parts.cases.remove(storeId, id))) throw evalRefusals.caseNotFound();
  }

  async start(storeId: string, wish: EvalWish): Promise<EvalRunView> {
    const { agents, cases, runs, defaultModel } = this.parts;
    const { version, model } = await agents.get(storeId, wish.agent_id);
    const total = (await cases.ofAgent(storeId, wish.agent_id)).length;
    if (total === 0) throw evalRefusals.noCases();
    const id = await runs.add({ storeId, version, model: wish.model ?? model ?? defaultModel, total, wish });
    if (id === undefined) throw evalRefusals.evalRunning();
    return this.run(storeId, id);
  }

  async run(storeId: string, id: string): Promise<EvalRunView> {
    const run = await this.parts.runs.find(storeId, id);
    if (!run) throw evalRefusals.evalNotFound();
    return run.view;
  }

  private async caseOf(storeId: string, body: NewCase): Promise<EvalCase> {
    const { id, from_run: runId, agent_id: agentId = '', name = '', lines = [], expect = {} } = body;
    const unknown = expect.tools?.find((tool) => !(toolNames as readonly string[]).includes(tool));
    if (unknown !== undefined) {
      const message = `expect.tools must be of [${toolNames.join(' ')}]`;
      throw new InvalidInput([{ field: 'expect.tools', tag: 'oneof', message }]);
    }
    if (runId === undefined) {
      await this.parts.agents.get(storeId, agentId);
      return { id, agentId, name, lines, expect, before: {} };
    }
    const run = await this.parts.turn(storeId, runId);
    if (!run) throw evalRefusals.runNotFound();
    return caseOfRun(id, run, body);
  }
}
