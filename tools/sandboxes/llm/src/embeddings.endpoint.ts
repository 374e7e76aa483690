import { createHash } from 'node:crypto';
import { tokensOf } from './dialogue';
import { checkModel } from './dialogue.checks';
import { numberAt, textAt, type Json } from './json.reader';
import type { WireAnswer } from './wire.answer';
import { WireError } from './wire.errors';
import { wordsOf } from './words';

const DEFAULT_DIMENSIONS = 256;
const MAX_DIMENSIONS = 3072;

/**
 * https://platform.openai.com/docs/api-reference/embeddings. Not learned: words are hashed into the vector (feature
 * hashing), so texts that share words are near each other and nothing else is.
 */
export const createEmbeddings = (body: Json): WireAnswer => {
  const model = textAt(body, 'model') ?? '';
  checkModel(model);
  const inputs = inputsOf(body.input);
  const dimensions = numberAt(body, 'dimensions') ?? DEFAULT_DIMENSIONS;
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MAX_DIMENSIONS)
    throw new WireError(400, 'invalid', `'dimensions' must be a whole number from 1 to ${MAX_DIMENSIONS}.`, {
      param: 'dimensions',
    });
  const encode = body.encoding_format === 'base64' ? base64 : (vector: Float32Array) => [...vector];
  const data = inputs.map((input, index) => ({
    object: 'embedding',
    index,
    embedding: encode(embed(input, dimensions)),
  }));
  const tokens = inputs.reduce((sum, input) => sum + tokensOf(input), 0);
  return { json: { object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } } };
};

/** A text, a list of texts, a list of token numbers or a list of such lists. */
const inputsOf = (input: unknown): string[] => {
  const list = Array.isArray(input) && typeof input[0] !== 'number' ? (input as unknown[]) : [input];
  const texts = list
    .map((item) => (Array.isArray(item) ? item.join(' ') : item))
    .filter((item) => typeof item === 'string');
  if (texts.length === 0 || texts.length !== list.length || texts.includes(''))
    throw new WireError(400, 'invalid', "'input' must be a non-empty text or a list of non-empty texts.", {
      param: 'input',
    });
  return texts;
};

const embed = (text: string, dimensions: number): Float32Array => {
  const vector = new Float32Array(dimensions);
  for (const word of wordsOf(text)) {
    const hash = createHash('sha256').update(word).digest();
    const at = hash.readUInt32LE(0) % dimensions;
    vector[at] = (vector[at] ?? 0) + (hash.readUInt8(4) & 1 ? 1 : -1);
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
};

/** Little-endian float32, which the official client requests by default. */
const base64 = (vector: Float32Array): string => {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, at) => bytes.writeFloatLE(value, at * 4));
  return bytes.toString('base64');
};
