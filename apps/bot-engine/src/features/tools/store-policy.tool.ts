import { Text } from '@platform/validation';
import type { KnowledgeSearch } from '../knowledge/public';
import type { StoreFacts } from '../stores/public';
import type { Tool } from './tool.types';

const MOST = 4;

export class StorePolicyArguments {
  @Text({ min: 1, max: 200 }) question!: string;
}

/** What the shop's own record says, by the words that customers ask with. */
const RECORD = {
  hours: { title: 'Jam buka', asks: /\b(?:jam(?:nya)?|buka|tutup|libur|open|opening|close|closed|hours)\b/i },
  address: { title: 'Alamat', asks: /\b(?:alamat(?:nya)?|lokasi(?:nya)?|di ?mana|dmn|address|location|where)\b/i },
  phone: { title: 'Telepon', asks: /\b(?:telepon|telpon|telp|kontak|hubungi|phone|contact)\b/i },
} as const;

const recorded = (facts: StoreFacts, question: string) =>
  (['hours', 'address', 'phone'] as const).flatMap((fact) => {
    const { title, asks } = RECORD[fact];
    const text = facts[fact];
    return text && asks.test(question) ? [{ source: 'store', title, text }] : [];
  });

/** What the shop has written about itself; a question without an answer is counted as a gap (design 3.9). */
export const storePolicy = (knowledge: Pick<KnowledgeSearch, 'policy'>): Tool<StorePolicyArguments> => ({
  name: 'get_store_policy',
  description: 'What the shop says about returns, warranty, opening hours, payment and other terms. Not for prices.',
  args: StorePolicyArguments,
  kind: 'read',
  timeoutMs: 1_000,
  run: async ({ question }, { store, agent }) => {
    const hits = await knowledge.policy(store.id, agent.id, question, MOST);
    const own = recorded(store.facts, question);
    if (hits.length === 0 && own.length === 0)
      return {
        result: { found: false, advice: 'say that you do not know, and offer that the team answers' },
        gap: question,
      };
    const chunks = [...own, ...hits.map(({ chunkId, title, body }) => ({ source: chunkId, title, text: body }))];
    return { result: { chunks }, sources: chunks.map(({ source }) => source) };
  },
});
