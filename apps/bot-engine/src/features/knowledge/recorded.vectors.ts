import type { Database } from '@platform/data';
import { addRequests, type Embedder } from '../model/public';
import type { TextVectors } from './vectors.types';

/** Vectors of the model of EMBEDDING_MODEL; every call stands in the record of requests, with its cost. */
export const recordedVectors = (embedder: Embedder, database: Database): TextVectors => ({
  model: embedder.model,
  embed: async (owner, texts, signal) => {
    const { value, attempt } = await embedder.embed(texts, signal);
    await addRequests(database, { ...owner, purpose: 'embed' }, [attempt]);
    return value;
  },
});
