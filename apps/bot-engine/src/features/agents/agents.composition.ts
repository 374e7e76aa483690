import type { Cache, Database } from '@platform/data';
import type { Clock, Logger } from '@platform/runtime';
import type { Area } from '../../area';
import type { Config } from '../../config';
import { AgentDirectory } from './agent.directory';
import { AgentRepository } from './agent.repository';
import { agentsEndpoints } from './agents.endpoints';
import { AgentsService, type DocsOf } from './agents.service';

export interface AgentsRoomParts {
  readonly database: Database;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long an agent that was read may be used again; a minute. */
  readonly agentsKeptMs?: number | undefined;
}

/** The agents, and what makes their room of the service once it is known where their documents are. */
export const composeAgents = ({ ANTHROPIC_API_KEY }: Pick<Config, 'ANTHROPIC_API_KEY'>, parts: AgentsRoomParts) => {
  const { database, cache, clock, logger, agentsKeptMs: keptMs } = parts;
  const rows = new AgentRepository(database);
  const agents = new AgentDirectory(database, rows, cache, { clock, logger, keptMs });
  const providers = ANTHROPIC_API_KEY ? ['openai', 'anthropic'] : ['openai'];
  const area = (docsOf: DocsOf): Area => ({
    endpoints: agentsEndpoints(new AgentsService({ rows, directory: agents, docsOf, providers })),
    components: [agents],
  });
  return { agents, area };
};

export type AgentsRoom = ReturnType<typeof composeAgents>;
