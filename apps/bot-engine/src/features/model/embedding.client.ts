import { storable } from '@platform/runtime';
import { MOST_VECTORS_BYTES } from './bounded.fetch';
import { ModelError, type Usage } from './chat.model';
import { isObject } from './json.object';
import { answerFacts, openaiClient, type OpenAiAccess } from './openai.client';
import type { Prices } from './price.repository';
import { sideCall, type SideOutcome, type SideReply } from './side.call';
import { countOrNone } from './usage.count';

/**
 * Turns texts into vectors of length 1, one for each in their order: the product of two is their likeness. One call for at
 * most `MOST_TEXTS` texts, never rejects: no value when it failed.
 */
export interface Embedder {
  /** The model whose vectors these are: those of another one cannot be compared with them. */
  readonly model: string;
  embed(texts: readonly string[], signal: AbortSignal): Promise<SideOutcome<readonly Float32Array[]>>;
}

/** Fits into what providers take at once: 2,048 texts, 300,000 tokens. */
export const MOST_TEXTS = 200;

const usageOf = (usage: unknown): Usage => ({
  in: isObject(usage) ? countOrNone(usage.prompt_tokens) : 0,
  cached: 0,
  out: 0,
});

const unitOf = (embedding: unknown): Float32Array | undefined => {
  if (!Array.isArray(embedding) || embedding.length === 0) return undefined;
  const vector = Float32Array.from(embedding, Number);
  const length = Math.hypot(...vector);
  if (!Number.isFinite(length)) return undefined;
  return length === 0 ? vector : vector.map((value) => value / length);
};

/** The vectors in the order of the texts; undefined when one is missing, or of another size than the others. */
const vectorsOf = (body: unknown, wanted: number): Float32Array[] | undefined => {
  const rows: unknown = isObject(body) ? body.data : undefined;
  if (!Array.isArray(rows) || rows.length !== wanted) return undefined;
  const vectors: (Float32Array | undefined)[] = Array.from({ length: wanted });
  rows.forEach((row: unknown, at) => {
    if (!isObject(row)) return;
    vectors[typeof row.index === 'number' ? row.index : at] = unitOf(row.embedding);
  });
  const [first] = vectors;
  const fits = (vector: Float32Array | undefined): vector is Float32Array =>
    vector !== undefined && vector.length === first?.length;
  return vectors.length === wanted && vectors.every(fits) ? vectors : undefined;
};

/** Providers refuse an empty text. */
const textOf = (text: string): string => {
  const clean = storable(text);
  return clean.trim() === '' ? '-' : clean;
};

export const embedder = (access: OpenAiAccess, model: string, prices: Prices): Embedder => {
  const client = openaiClient(access, MOST_VECTORS_BYTES);
  const record = sideCall(model, prices);
  return {
    model,
    embed: (texts, signal) => {
      if (texts.length > MOST_TEXTS) throw new RangeError(`At most ${MOST_TEXTS} texts at once, not ${texts.length}.`);
      return record(async (): Promise<SideReply<readonly Float32Array[]>> => {
        // By default the client asks for base64, and makes nonsense of the numbers that other servers than OpenAI's send then
        const parameters = { model, input: texts.map(textOf), encoding_format: 'float' as const };
        const answered = await client.embeddings.create(parameters, { signal }).withResponse();
        const facts = answerFacts(answered, access);
        const value = vectorsOf(answered.data, texts.length);
        if (!value) throw new ModelError('shape', facts);
        return { value, usage: usageOf(answered.data.usage), facts };
      }, signal);
    },
  };
};
