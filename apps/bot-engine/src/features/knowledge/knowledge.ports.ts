import type { Transaction } from '@platform/data';

/** What knowledge needs of the agents whose it is. */
export interface AgentsOfKnowledge {
  /** Throws `NotFound` for an unknown agent, and for one of another store. */
  get(storeId: string, id: string): Promise<{ readonly version: number }>;
  /** Raises the agent's version; every process reads it anew after the commit of `tx`. */
  raise(storeId: string, id: string, tx?: Transaction): Promise<void>;
}
