import type { Database } from '@platform/data';
import { NotFound } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import type { byOf } from '../../../by';
import type { Asking } from '../../../clients/bot.desk';
import { ownersId } from '../../../owners-id';
import { unlessAway } from '../../../web/away';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { ownersAction, ownersActions, ownersForm, page } from '../../../web/page';
import { answeredDevices } from '../../devices/public';
import { AgentsQuery, AgentSwitch, NewAgent, ownedId, UsageQuery, type AgentsService } from '../agents/public';
import { KNOWLEDGE_LIMIT, NewKnowledge, type KnowledgeService } from '../knowledge/public';
import { TrialsQuery, type TestingService, type TrialView } from '../testing/public';
import { agentTexts } from './agents.texts';
import { AgentEdit, agentTyped, KnowledgeRemoval, Question, TestQuery } from './agents.types';
import { AgentList, AgentsView, AgentView } from './agents.view';
import { TestView } from './test.view';

export interface AgentPageParts {
  readonly database: Pick<Database, 'prepared'>;
  readonly agents: AgentsService;
  readonly knowledge: KnowledgeService;
  readonly testing: TestingService;
  readonly by: ReturnType<typeof byOf>;
  readonly clock: Clock;
}

const ability = 'agent.write';
const ONE = { ability, params: { id: ownedId }, back: '/agents' } as const;
/** Said before, as the engine takes it with another question. */
const MOST_SAID = 50;
const TRIALS = 10;
/** Of an answer that could not be kept: it goes with a cookie. */
const MOST_TOLD = 300;

const labels = (t: Reader) => {
  const say = agentTexts(t);
  return {
    ...{ name: say.name, prompt: say.prompt, tools: say.tools, fallback_text: say.fallback },
    ...{ handover_text: say.handover, resume_after_min: say.resume },
    ...{ title: say.title, kind: say.kind, text: say.text, url: say.url, file: say.file, question: say.question },
  };
};
const conflicts = {
  idempotency_mismatch: { text: (t: Reader) => agentTexts(t).savedBefore },
  session_full: { text: (t: Reader) => agentTexts(t).full },
  paymentRequired: { text: (t: Reader) => agentTexts(t).planFull },
};

const list = ({ agents }: AgentPageParts) =>
  page({
    get: '/agents',
    ability,
    query: AgentsQuery,
    title: ({ t }) => t.nav.places.agents,
    load: ({ viewer: { caller }, query }) => unlessAway(agents.list(caller, query)),
    view: AgentsView,
    fragments: { list: AgentList },
    ...{ labels, conflicts },
  });

const one = ({ database, agents, clock }: AgentPageParts) =>
  page({
    get: '/agents/{id}',
    ...ONE,
    title: ({ data, t }) => data.agent?.name ?? t.nav.places.agents,
    load: async ({ viewer: { caller }, params: { id = '' } }) => {
      const agent = await unlessAway(agents.get(caller, id));
      const usage = agent && (await unlessAway(agents.usage(caller, id, new UsageQuery(), clock.now())));
      const numbers = (await answeredDevices(database, caller.storeId)).filter((device) => device.agent === id);
      return { id, agent, usage, numbers };
    },
    view: AgentView,
    own: 'market',
    ...{ labels, conflicts },
  });

/** A trial of this agent. Throws `NotFound` for one of another. */
const trialOf = async ({ testing }: AgentPageParts, who: Asking, agent: string, id: string): Promise<TrialView> => {
  const trial = await testing.get(who, id);
  if (trial.agent_id === agent) return trial;
  throw new NotFound('Trial not found');
};

const test = (parts: AgentPageParts) =>
  page({
    get: '/agents/{id}/test',
    ...ONE,
    query: TestQuery,
    title: ({ data, t }) => data.agent?.name ?? agentTexts(t).test,
    load: async ({ viewer: { caller }, params: { id = '' }, query: { session }, typed }) => {
      const agent = await unlessAway(parts.agents.get(caller, id));
      const given = typeof typed?.session_id === 'string' ? typed.session_id : session;
      const trials = Object.assign(new TrialsQuery(), { agent_id: id, limit: TRIALS });
      const [trial, known] = await Promise.all([
        given === undefined ? undefined : unlessAway(trialOf(parts, caller, id, given)),
        agent && unlessAway(parts.testing.list(caller, trials)),
      ]);
      return { id, agent, trial, trials: known?.rows ?? [] };
    },
    view: TestView,
    ...{ labels, conflicts },
  });

const changes = ({ agents, knowledge, by }: AgentPageParts, single: ReturnType<typeof one>): Pages => {
  const here = ({ id = '' }: { readonly id?: string }): string => `/agents/${id}`;
  return ownersActions({
    ...{ post: '/agents/{id}', ability, of: single, mostBytes: KNOWLEDGE_LIMIT, fileAction: 'learn' },
    on: {
      save: ownersAction({
        ...{ body: AgentEdit, reads: agentTyped },
        run: ({ viewer, params: { id = '' }, body }) => agents.change(by(viewer), id, body),
        done: ({ id, name }, { t }) => ({ to: here({ id }), flash: agentTexts(t).saved({ name }) }),
      }),
      switch: ownersAction({
        body: AgentSwitch,
        run: ({ viewer, params: { id = '' }, body: { enabled } }) => agents.change(by(viewer), id, { enabled }),
        done: ({ id, enabled }, { t }) => ({
          ...{ to: here({ id }), flash: enabled ? agentTexts(t).switchedOn : agentTexts(t).switchedOff },
        }),
      }),
      remove: ownersAction({
        run: ({ viewer, params: { id = '' } }) => agents.remove(by(viewer), id),
        done: (_, { t }) => ({ to: '/agents', flash: agentTexts(t).removed }),
      }),
      learn: ownersAction({
        body: NewKnowledge,
        run: ({ viewer, params: { id: agentId = '' }, body, key, files: [file] }) => {
          const writer = by(viewer);
          const id = ownersId(writer, `knowledge ${agentId}`, { 'idempotency-key': key });
          return knowledge.add(writer, { id, agentId, body, file });
        },
        done: ({ title }, { t, params }) => ({ to: here(params), flash: agentTexts(t).learned({ title }) }),
      }),
      forget: ownersAction({
        body: KnowledgeRemoval,
        run: ({ viewer, params: { id = '' }, body }) => knowledge.remove(by(viewer), id, body.id),
        done: (_, { t, params }) => ({ to: here(params), flash: agentTexts(t).forgotten }),
      }),
    },
  });
};

const asking = (parts: AgentPageParts, console: ReturnType<typeof test>): Pages =>
  ownersForm({
    ...{ post: '/agents/{id}/test', ability, of: console },
    body: Question,
    run: async ({ viewer: { caller }, params: { id = '' }, body: { session_id, ...said } }) => {
      const before = session_id === undefined ? undefined : await trialOf(parts, caller, id, session_id);
      const conversations = before?.transcript.slice(-MOST_SAID).map(({ role, content }) => ({ role, content }));
      return parts.testing.tryOut(caller, { ...said, agent_id: id, session_id, conversations });
    },
    done: ({ session_id: session, answer }, { t, params }) => {
      const to = `/agents/${params.id}/test`;
      return session === null
        ? { to, flash: agentTexts(t).lost({ answer: answer.slice(0, MOST_TOLD) }) }
        : { to: `${to}?session=${session}` };
    },
  });

/** AI agents: what they are told, what they know, and how they answer when they are tried. */
export const agentsPages = (parts: AgentPageParts): Pages => {
  const { agents, by } = parts;
  const [all, single, console] = [list(parts), one(parts), test(parts)];
  const created = ownersForm({
    ...{ post: '/agents', ability, of: all },
    body: NewAgent,
    run: ({ viewer, body, key }) => {
      const writer = by(viewer);
      return agents.create(writer, ownersId(writer, 'agent', { 'idempotency-key': key }), body);
    },
    done: ({ id, name }, { t }) => ({ to: `/agents/${id}`, flash: agentTexts(t).created({ name }) }),
  });
  const pages = [all, created, single, changes(parts, single), console, asking(parts, console)];
  return (kit) => pages.flatMap((each) => each(kit));
};
