import type { Database } from '@platform/data';
import { Unavailable } from '@platform/errors';
import { timeLimit } from '@platform/runtime';
import type { AgentsOfKnowledge } from './knowledge.ports';
import { bytesOf } from './vector.shelf';
import type { TextVectors } from './vectors.types';

const BATCH = 50;
const BATCH_MS = 30_000;

const LACKING = `
  SELECT id, title, body FROM bot_knowledge_chunks
  WHERE store_id = $1 AND agent_id = $2 AND embedding_model IS DISTINCT FROM $3 ORDER BY id LIMIT ${BATCH}`;
const KEEP = `
  UPDATE bot_knowledge_chunks chunk SET embedding = made.embedding, embedding_model = $4
  FROM unnest($2::text[], $3::bytea[]) AS made(id, embedding) WHERE chunk.store_id = $1 AND chunk.id = made.id`;

export interface EmbeddingParts {
  readonly database: Database;
  readonly agents: AgentsOfKnowledge;
  readonly vectors: TextVectors;
}

interface Chunk {
  readonly id: string;
  readonly title: string;
  readonly body: string;
}

/**
 * Does `knowledge.embed`: gives the chunks of an agent that have no vector of this model one, also after another model was set. What a
 * killed process has done stays done.
 */
export class ChunkEmbedding {
  constructor(private readonly parts: EmbeddingParts) {}

  async run(storeId: string, agentId: string, signal?: AbortSignal): Promise<void> {
    const { database, agents, vectors } = this.parts;
    for (;;) {
      const chunks = await this.lacking(storeId, agentId);
      if (chunks.length === 0) break;
      const texts = chunks.map(({ title, body }) => `${title}\n${body}`);
      const made = await vectors.embed({ storeId, agentId }, texts, timeLimit(BATCH_MS, signal));
      if (!made) throw new Unavailable('the model of vectors does not answer');
      const ids = chunks.map(({ id }) => id);
      await database.query(KEEP, [storeId, ids, made.map(bytesOf), vectors.model]);
    }
    // What processes keep of the agent is of an earlier version; also where one that was killed has embedded the last of them
    await agents.raise(storeId, agentId);
  }

  private lacking(storeId: string, agentId: string): Promise<Chunk[]> {
    return this.parts.database.query<Chunk>(LACKING, [storeId, agentId, this.parts.vectors.model]);
  }
}
