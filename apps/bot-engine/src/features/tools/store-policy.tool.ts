import { Text } from '@platform/validation';
import type { KnowledgeSearch } from '../knowledge/public';
import type { Tool } from './tool.types';

const MOST = 4;

export class StorePolicyArguments {
  @Text({ min: 1, max: 200 }) question!: string;
}

/** What the shop has written about itself; a question without an answer is counted as a gap (design 3.9). */
export const storePolicy = (knowledge: Pick<KnowledgeSearch, 'policy'>): Tool<StorePolicyArguments> => ({
  name: 'get_store_policy',
  description: 'What the shop says about returns, warranty, opening hours, payment and other terms. Not for prices.',
  args: StorePolicyArguments,
  kind: 'read',
  timeoutMs: 1_000,
  run: async ({ question }, { store, agent }) => {
    const hits = await knowledge.policy(store.id, agent.id, question, MOST);
    if (hits.length === 0)
      return {
        result: { found: false, advice: 'say that you do not know, and offer that the team answers' },
        gap: question,
      };
    const chunks = hits.map(({ chunkId, title, body }) => ({ source: chunkId, title, text: body }));
    return { result: { chunks }, sources: hits.map(({ chunkId }) => chunkId) };
  },
});
