import type { Database } from '@platform/data';
import { parse } from '@platform/validation';
import { Conflict } from '@platform/errors';
import type { Agents } from '../agents/public';
import type { KnowledgeRoom } from '../knowledge/public';
import type { Price } from '../model/public';
import type { NewStore } from '../stores/public';
import { Seed } from './seed.dto';

export interface SeedDeps {
  readonly database: Database;
  readonly stores: { put(store: NewStore): Promise<void> };
  readonly agents: Agents;
  readonly knowledge: Pick<KnowledgeRoom, 'post'>;
  readonly prices: { putDefault(model: string, price: Price): Promise<void> };
}

/** Fictional, so that costs are not zero where the sandbox answers (design 5.2). */
const SANDBOX_PRICES: Readonly<Record<string, Price>> = {
  'sandbox-rules-main': { input: 600_000n, cached: 300_000n, output: 2_400_000n },
  'sandbox-rules-small': { input: 150_000n, cached: 75_000n, output: 600_000n },
};

/** Of the document; whoever has put another one under this name keeps theirs. */
const POLICY = 'demo-policy';
const kept = (failure: unknown): void => {
  if (!(failure instanceof Conflict)) throw failure;
};

const readSeed = (json: string | undefined): Seed => {
  const { value, violations } = parse(Seed, JSON.parse(json ?? '{}'));
  if (violations)
    throw new Error(`The demo shop is not usable: ${violations.map(({ message }) => message).join('; ')}`);
  return value;
};

/** The `seed` command: the demo shop as a store with its facts, an agent and what that one knows. Safe to repeat. */
export const seedDemo =
  ({ database, stores, agents, prices, knowledge }: SeedDeps) =>
  async ([json]: readonly string[]): Promise<void> => {
    const { store, ai_agent: agent, products = [], policy } = readSeed(json);
    const { store_id: id, nama: name, tz: timezone, currency, ...about } = store;
    await database.start?.();
    try {
      await stores.put({ id, name, timezone, currency, facts: { ...about, products } });
      const { id: agentId, name: called, prompt, vision } = agent;
      await agents.put({ storeId: id, id: agentId, name: called, prompt, vision });
      if (policy) await knowledge.post(id, { id: POLICY, agent_id: agentId, kind: 'policy', ...policy }).catch(kept);
      for (const [model, price] of Object.entries(SANDBOX_PRICES)) await prices.putDefault(model, price);
    } finally {
      await database.stop?.();
    }
  };
