import { Breaker, type HttpClient } from '@platform/http';
import { cut } from '@platform/runtime';
import type { PixelAnswer, PixelFate } from './pixel.port';

const TIMEOUT_MS = 10_000;
const MOST_BYTES = 16 * 1024;
/** Of an answer, what is kept. */
const SHOWN = 2_000;

export interface PixelCall {
  readonly path: string;
  readonly json: object;
  /** What is not to be kept of an answer that says it again. */
  readonly secret: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

type Read = (status: number, body: Readonly<Record<string, unknown>>) => PixelFate;

/** As a person may see it and PostgreSQL can keep it. */
const shownOf = (status: number, text: string, secret: string): string =>
  cut(text.replaceAll('\0', '\uFFFD').replaceAll(secret, '***').trim() || `${status}`, SHOWN);

/** One network over HTTP: whole time-out, bounded answer, a breaker. What `read` does not see is `later`: silence, 5xx and 429. */
export const pixelLine = (name: string, http: HttpClient, read: Read) => {
  const breaker = new Breaker();
  return async ({ signal, secret, ...call }: PixelCall): Promise<PixelAnswer> => {
    const report = breaker.admit();
    if (!report) return { fate: 'later', answer: `${name} has not answered lately` };
    try {
      const limits = { timeoutMs: TIMEOUT_MS, keepBytes: MOST_BYTES, ...(signal && { signal }) };
      const answer = await http.call({ method: 'POST', ...call, ...limits });
      report(answer.status === 502 || answer.status === 504 ? 'absent' : 'alive');
      const { status, text } = answer;
      const shown = shownOf(status, text, secret);
      if (status >= 500 || status === 429 || status === 408) return { fate: 'later', answer: shown };
      return { fate: read(status, answer.json<Readonly<Record<string, unknown>>>() ?? {}), answer: shown };
    } catch (failure) {
      report(signal?.aborted ? 'unknown' : 'absent');
      if (signal?.aborted) throw failure;
      return { fate: 'later', answer: `${name} did not answer` };
    }
  };
};
