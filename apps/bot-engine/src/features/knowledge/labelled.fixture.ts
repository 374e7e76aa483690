import type { Database } from '@platform/data';
import { chunksOf } from './chunks';
import { LABELLED_CHUNKS } from './labelled.chunks.fixture';
import { knowledgeRepository } from './knowledge.repository';

/** Puts documents into an agent's knowledge, each under its key, as if they had been read. */
export const toldBy = async (
  database: Database,
  { storeId, agentId }: { readonly storeId: string; readonly agentId: string },
  docs: readonly (readonly [key: string, title: string, body: string])[] = LABELLED_CHUNKS,
): Promise<void> => {
  const knowledge = knowledgeRepository(database);
  for (const [id, title, text] of docs) {
    const row = { storeId, id, agentId, title, text, digest: id };
    const made = { kind: 'policy', source: 'text', sourceRef: null, gapId: null, content: null } as const;
    await knowledge.insert({ ...row, ...made });
    const doc = await knowledge.find(storeId, id);
    if (doc) await knowledge.succeed(doc, text, chunksOf(text));
  }
};
