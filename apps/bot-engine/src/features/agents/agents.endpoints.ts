import { AgentRow } from '@platform/contracts';
import { area, dataOf, done, pageOf, type Endpoint } from '@platform/http';
import { internalEndpoint } from '../../endpoint';
import { refusals } from '../../refusals';
import { AgentChange, AgentsQuery, AgentView, NewAgent } from './agent.dto';
import { agentRefusals, type AgentsService } from './agents.service';

export const agentsEndpoints = (agents: AgentsService): Endpoint[] =>
  area({ prefix: '/internal/agents' }, [
    internalEndpoint({
      get: '',
      summary: 'Agents of a store, newest first',
      guard: 'service',
      query: AgentsQuery,
      reply: pageOf(AgentRow),
      refuses: [],
      handle: ({ caller, query }) => agents.page(caller.storeId, query),
    }),
    internalEndpoint({
      post: '',
      summary: 'Creates an agent under an id of the caller; the same id and body again are the same agent',
      guard: 'service',
      status: 201,
      body: NewAgent,
      reply: dataOf(AgentView, 'Agent created'),
      refuses: [agentRefusals.idTaken],
      handle: ({ caller, body }) => agents.create(caller.storeId, body, caller.actorId),
    }),
    internalEndpoint({
      get: '/{id}',
      summary: 'One agent with its knowledge',
      guard: 'service',
      reply: dataOf(AgentView),
      refuses: [refusals.agentNotFound],
      handle: ({ caller, params }) => agents.get(caller.storeId, params.id),
    }),
    internalEndpoint({
      put: '/{id}',
      summary: 'Changes an agent; the next turn of every replica uses it',
      guard: 'service',
      body: AgentChange,
      reply: dataOf(AgentView, 'Agent changed'),
      refuses: [refusals.agentNotFound, agentRefusals.versionConflict],
      handle: ({ caller: { storeId, actorId: by }, params: { id }, body }) => agents.change({ storeId, id, by }, body),
    }),
    internalEndpoint({
      delete: '/{id}',
      summary: 'Deletes an agent; its runs, usage and sessions stay',
      guard: 'service',
      reply: done('Agent deleted'),
      refuses: [refusals.agentNotFound],
      handle: ({ caller: { storeId, actorId: by }, params: { id } }) => agents.remove({ storeId, id, by }),
    }),
  ]);
