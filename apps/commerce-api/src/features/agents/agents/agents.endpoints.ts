import { AgentRow } from '@platform/contracts';
import { area, dataOf, done, pageOf, parameter, type Endpoint } from '@platform/http';
import type { Clock } from '@platform/runtime';
import type { byOf } from '../../../by';
import { OWNER_AWAY, ownersConflict } from '../../../clients/face';
import { rowEndpoint } from '../../../endpoint';
import { OwnersKey, ownersId } from '../../../owners-id';
import { refusals } from '../../../refusals';
import { Agent, AgentChange, AgentsQuery, AgentSwitch, AgentUsage, NewAgent, UsageQuery } from './agents.dto';
import { agentRefusals, type AgentsService } from './agents.service';

/** Of a thing at bot-engine: a UUID of ours, or a short name that was seeded. */
export const ownedId = parameter({ type: 'string', minLength: 1, maxLength: 64 }, (raw) =>
  /^[A-Za-z0-9][\w.:-]{0,63}$/.test(raw) ? raw : undefined,
);

export const agentEndpoint = rowEndpoint.withDefaults({ params: { id: ownedId, knowledgeId: ownedId } });

export interface AgentsRoutes {
  readonly agents: AgentsService;
  readonly by: ReturnType<typeof byOf>;
  readonly clock: Clock;
}

const reads = ({ agents, clock }: AgentsRoutes): Endpoint[] => [
  agentEndpoint({
    get: '',
    summary: 'AI agents of the store',
    guard: 'member',
    query: AgentsQuery,
    reply: pageOf(AgentRow),
    refuses: OWNER_AWAY,
    handle: ({ caller, query }) => agents.list(caller, query),
  }),
  agentEndpoint({
    get: '/{id}',
    summary: 'Agent prompt, tools, knowledge',
    guard: 'member',
    reply: dataOf(Agent),
    refuses: ['notFound', ...OWNER_AWAY],
    handle: ({ caller, params }) => agents.get(caller, params.id),
  }),
  agentEndpoint({
    get: '/{id}/usage',
    summary: 'Replies, tokens and cost',
    guard: 'member',
    query: UsageQuery,
    reply: dataOf(AgentUsage),
    refuses: ['notFound', 'invalid', ...OWNER_AWAY],
    handle: ({ caller, params, query }) => agents.usage(caller, params.id, query, clock.now()),
  }),
];

const writes = ({ agents, by }: AgentsRoutes): Endpoint[] => [
  agentEndpoint({
    post: '',
    summary: 'Create AI agent',
    guard: 'agent.write',
    status: 201,
    headers: OwnersKey,
    body: NewAgent,
    reply: dataOf(Agent, 'Agent created'),
    refuses: [refusals.planLimit, agentRefusals.keyUsed, ...OWNER_AWAY],
    handle: (input) => {
      const writer = by(input);
      return agents.create(writer, ownersId(writer, 'agent', input.headers), input.body);
    },
  }),
  agentEndpoint({
    put: '/{id}',
    summary: 'Update AI agent',
    guard: 'agent.write',
    body: AgentChange,
    reply: dataOf(Agent, 'Agent updated'),
    refuses: ['notFound', ownersConflict('version_conflict'), ...OWNER_AWAY],
    handle: (input) => agents.change(by(input), input.params.id, input.body),
  }),
  agentEndpoint({
    put: '/{id}/status',
    summary: 'Switch agent on or off',
    guard: 'agent.write',
    body: AgentSwitch,
    reply: dataOf(Agent, 'Agent updated'),
    refuses: ['notFound', ...OWNER_AWAY],
    handle: (input) => agents.change(by(input), input.params.id, { enabled: input.body.enabled }),
  }),
  agentEndpoint({
    delete: '/{id}',
    summary: 'Delete AI agent',
    description: 'It is taken off the devices that it answered first.',
    guard: 'agent.write',
    reply: done('Agent deleted'),
    refuses: ['notFound', ...OWNER_AWAY],
    handle: (input) => agents.remove(by(input), input.params.id),
  }),
];

export const agentsEndpoints = (routes: AgentsRoutes): Endpoint[] =>
  area({ prefix: '/api/agent', tag: 'Chat' }, [...reads(routes), ...writes(routes)]);
