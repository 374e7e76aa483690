import { ModelError } from './chat.model';

const MB = 1024 * 1024;
/** Of an answer in words: many times what any model may write. */
export const MOST_WORDS_BYTES = 2 * MB;
/** Of 200 vectors of 3,072 numbers, with room. */
export const MOST_VECTORS_BYTES = 32 * MB;

/**
 * `fetch` whose bodies end with `ModelError('shape')` beyond so many bytes, counted as they are unpacked: the clients of providers read
 * whatever comes, and one answer without an end would take the memory of all stores' turns.
 */
export const boundedFetch =
  (most: number): typeof fetch =>
  async (input, init) => {
    const answer = await fetch(input, init);
    const { body, status, statusText, headers } = answer;
    if (body === null) return answer;
    let size = 0;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform: (part, to) => {
        size += part.byteLength;
        if (size > most) to.error(new ModelError('shape', { httpStatus: status }));
        else to.enqueue(part);
      },
    });
    return new Response(body.pipeThrough(counted), { status, statusText, headers });
  };
