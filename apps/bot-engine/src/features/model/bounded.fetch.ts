import { pipeline, type Duplex } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Agent, request, type Dispatcher } from 'undici';
import { ModelError } from './chat.model';

const MB = 1024 * 1024;
/** Of an answer in words: many times what any model may write. */
export const MOST_WORDS_BYTES = 2 * MB;
/** Of 200 vectors of 3,072 numbers, with room. */
export const MOST_VECTORS_BYTES = 32 * MB;

/** All of it; throws `ModelError('shape')` once it is longer. */
const readBounded = async (body: AsyncIterable<Uint8Array>, most: number, httpStatus: number): Promise<ArrayBuffer> => {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.byteLength;
    if (size > most) throw new ModelError('shape', { httpStatus });
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts)).buffer;
};

/** Connections of its own: the global ones are those of Node's `fetch`, which is of another version. */
const connections = new Agent();

/** Of servers that pack although they are asked not to. */
const UNPACKING: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

const unpacked = ({ body, headers }: Dispatcher.ResponseData): AsyncIterable<Uint8Array> => {
  const unpacking = UNPACKING[String(headers['content-encoding'] ?? '')]?.();
  // Whoever reads hears of the failure
  return unpacking ? pipeline(body, unpacking, () => undefined) : body;
};

/** Answers that have no body. */
const BODILESS: readonly number[] = [204, 205, 304];

const answerOf = (bytes: ArrayBuffer | null, status: number, headers: [string, string][]): Response =>
  new Response(BODILESS.includes(status) ? null : bytes, { status, headers });

const byFetch = async (input: string, init: RequestInit, most: number): Promise<Response> => {
  const { body, status, headers } = await fetch(input, init);
  return answerOf(body && (await readBounded(body, most, status)), status, [...headers]);
};

const pairsOf = ({ headers }: Dispatcher.ResponseData): [string, string][] =>
  Object.entries(headers).flatMap(([name, value = []]) => [value].flat().map((one): [string, string] => [name, one]));

/**
 * `fetch` whose answers come whole, and end with `ModelError('shape')` beyond so many bytes, counted as they are unpacked: the clients of
 * providers read whatever comes, and one answer without an end would take the memory of all stores' turns. Texts are posted by the
 * `request` beneath it, at a third of the cost (measured); what that does not do, forms and redirects, it leaves to `fetch`.
 */
export const boundedFetch =
  (most: number): typeof fetch =>
  async (input, init = {}) => {
    const { method = 'GET', headers, body, signal } = init;
    if (typeof body !== 'string') return byFetch(String(input), init, most);
    const answer = await request(String(input), {
      ...{ dispatcher: connections, method: method as Dispatcher.HttpMethod, body, signal },
      // Unpacking costs more than a few thousand bytes of an answer
      headers: { ...Object.fromEntries(new Headers(headers)), 'accept-encoding': 'identity' },
    });
    const { statusCode: status } = answer;
    if (status !== 307 && status !== 308)
      return answerOf(await readBounded(unpacked(answer), most, status), status, pairsOf(answer));
    await answer.body.dump();
    return byFetch(String(input), init, most);
  };
