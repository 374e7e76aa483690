import type { Database } from '@platform/data';
import { cut, timeLimit, type Logger } from '@platform/runtime';
import type { AgentsOfKnowledge } from './knowledge.ports';
import type { PolicyHit } from './knowledge.types';
import { fused, mostLike } from './likeness';
import { SEARCH_POLICY } from './policy.sql';
import { policyWords } from './policy.words';
import { VectorShelves } from './vector.shelf';
import type { TextVectors } from './vectors.types';

/** The tool that asks has one second: the other half is the database's. */
const QUESTION_MS = 700;
const QUESTION = 500;
/** Of each ranking. */
const CANDIDATES = 10;
/** The share of a question's weight that a chunk must hold to say something about it: measured on the labelled questions. */
export const COVERAGE = 0.42;

const BODIES = `SELECT id AS "chunkId", title, body FROM bot_knowledge_chunks WHERE store_id = $1 AND agent_id = $2 AND id = ANY($3::text[])`;

export interface PolicyParts {
  readonly database: Database;
  readonly agents: AgentsOfKnowledge;
  readonly logger: Logger;
  readonly vectors?: TextVectors;
  /** Has the chunks embedded that lack a vector. */
  readonly embed: (storeId: string, agentId: string) => Promise<void>;
}

type Found = Omit<PolicyHit, 'score'>;
interface Row extends PolicyHit {
  readonly coverage: number;
}

/** What an agent's knowledge says about a question; nothing where it says nothing (design 3.9). */
export class PolicySearch {
  private readonly shelves: VectorShelves | undefined;

  constructor(private readonly parts: PolicyParts) {
    const { database, vectors } = parts;
    this.shelves = vectors && new VectorShelves(database, vectors.model);
  }

  async find(storeId: string, agentId: string, question: string, limit: number): Promise<PolicyHit[]> {
    const asked = cut(question.replaceAll('\0', ''), QUESTION);
    const alike = this.alike(storeId, agentId, asked);
    const spoken = await this.spoken(storeId, agentId, asked);
    const like = await alike;
    if (like.length === 0) return spoken.slice(0, limit);
    const ids = fused([spoken.map(({ chunkId }) => chunkId), like]).slice(0, limit);
    return this.hits(storeId, agentId, ids, spoken);
  }

  /** By its words. */
  private async spoken(storeId: string, agentId: string, question: string): Promise<PolicyHit[]> {
    const words = policyWords(question);
    if (words.length === 0) return [];
    const values = [storeId, agentId, words, CANDIDATES];
    // Without a name, so that it is planned for this agent
    const rows = await this.parts.database.query<Row>(SEARCH_POLICY, values);
    return rows
      .filter(({ coverage }) => coverage >= COVERAGE)
      .map(({ chunkId, title, body, score }) => ({ chunkId, title, body, score }));
  }

  /** By its meaning. Never rejects: a provider that is down costs its time and no answer. */
  private async alike(storeId: string, agentId: string, question: string): Promise<string[]> {
    const { agents, vectors, embed, logger } = this.parts;
    if (!vectors || !this.shelves || !question.trim()) return [];
    try {
      const { version } = await agents.get(storeId, agentId);
      const shelf = await this.shelves.of(storeId, agentId, version);
      if (shelf.lacking > 0) await embed(storeId, agentId);
      if (shelf.ids.length === 0) return [];
      const [vector] = (await vectors.embed({ storeId, agentId }, [question], timeLimit(QUESTION_MS))) ?? [];
      return vector ? mostLike(vector, shelf, CANDIDATES).map(({ id }) => id) : [];
    } catch (cause) {
      logger.warn('a question was looked for by its words alone', { store_id: storeId, agent_id: agentId, cause });
      return [];
    }
  }

  private async hits(
    storeId: string,
    agentId: string,
    ids: readonly string[],
    spoken: readonly PolicyHit[],
  ): Promise<PolicyHit[]> {
    const known = new Map<string, Found>(spoken.map((hit) => [hit.chunkId, hit]));
    const unknown = ids.filter((id) => !known.has(id));
    if (unknown.length > 0)
      for (const hit of await this.parts.database.prepared<Found>('policy bodies', BODIES, [storeId, agentId, unknown]))
        known.set(hit.chunkId, hit);
    return ids.flatMap((id, at) => {
      const hit = known.get(id);
      return hit ? [{ chunkId: id, title: hit.title, body: hit.body, score: 1 / (at + 1) }] : [];
    });
  }
}
