import type { Database } from '@platform/data';
import { refusals } from '../../refusals';
import { Agent } from './agent.entity';

export type NewAgent = Pick<Agent, 'storeId' | 'id' | 'name' | 'prompt'>;

export interface Agents {
  /** Throws `NotFound` for an unknown agent, and for one of another store. */
  get(storeId: string, id: string): Promise<Agent>;
  /** Creates the agent, or sets its name and prompt; other settings stay as they are. */
  put(agent: NewAgent): Promise<void>;
}

const PUT = `
  INSERT INTO bot_agents AS agent (store_id, id, name, prompt) VALUES ($1, $2, $3, $4)
  ON CONFLICT (store_id, id) DO UPDATE
    SET name = EXCLUDED.name, prompt = EXCLUDED.prompt, version = agent.version + 1, updated_at = now()
    WHERE (agent.name, agent.prompt) IS DISTINCT FROM (EXCLUDED.name, EXCLUDED.prompt)`;

export const agentRepository = (database: Database): Agents => ({
  get: async (storeId, id) => {
    const agent = await database.entities.findOneBy(Agent, { storeId, id });
    if (!agent) throw refusals.agentNotFound();
    return agent;
  },
  put: async ({ storeId, id, name, prompt }) => void (await database.query(PUT, [storeId, id, name, prompt])),
});
