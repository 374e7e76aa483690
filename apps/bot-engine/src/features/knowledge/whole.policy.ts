import type { Database } from '@platform/data';
import { LruCache } from '@platform/runtime';

/** Below them the whole policy stands in the system message (design 3.9): 40 chunks, 3,000 tokens of four bytes. */
const FEWER_CHUNKS = 40;
const FEWER_BYTES = 12_000;
/** As many as are kept themselves. */
const AGENTS = 1_000;

const LOAD = `
  SELECT chunk.title, chunk.body FROM bot_knowledge_chunks chunk
  JOIN bot_knowledge_docs doc ON doc.store_id = chunk.store_id AND doc.id = chunk.doc_id
  WHERE chunk.store_id = $1 AND chunk.agent_id = $2
  ORDER BY doc.created_at, doc.id, chunk.n LIMIT ${FEWER_CHUNKS}`;

interface Chunk {
  readonly title: string;
  readonly body: string;
}

/** Titles stand once, before the pieces of their document. */
const written = (chunks: readonly Chunk[]): string | undefined => {
  if (chunks.length === 0 || chunks.length >= FEWER_CHUNKS) return undefined;
  const lines = chunks.map(({ title, body }, n) => (title === chunks[n - 1]?.title ? body : `# ${title}\n${body}`));
  const text = lines.join('\n');
  return Buffer.byteLength(text) < FEWER_BYTES ? text : undefined;
};

/** The whole policy of an agent while it is small, by the agent's version: read once for each. */
export class WholePolicies {
  private readonly known = new LruCache<string, { readonly text: string | undefined }>({ limit: AGENTS });

  constructor(private readonly database: Pick<Database, 'prepared'>) {}

  async of(storeId: string, agentId: string, version: number): Promise<string | undefined> {
    const key = JSON.stringify([storeId, agentId, version]);
    const known = this.known.get(key);
    if (known) return known.text;
    const text = written(await this.database.prepared<Chunk>('bot whole policy', LOAD, [storeId, agentId]));
    this.known.set(key, { text });
    return text;
  }
}
