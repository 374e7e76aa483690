import { APIConnectionError, APIError } from 'openai';
import { ModelError, type ModelErrorKind } from './chat.model';

const KINDS: Readonly<Record<number, ModelErrorKind>> = {
  401: 'auth',
  403: 'auth',
  408: 'server',
  409: 'server',
  429: 'rate',
};

const kindOf = ({ status = 0, code }: APIError): ModelErrorKind => {
  if (code === 'context_length_exceeded') return 'context';
  return KINDS[status] ?? (status >= 500 ? 'server' : 'bad_request');
};

/** `Retry-After` in seconds or as a date (RFC 9110 section 10.2.3). */
const retryAfterMs = (header: string | null | undefined, now: number): number | undefined => {
  if (!header) return undefined;
  const seconds = Number(header);
  const milliseconds = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
};

/** By name: the parser's error may come from another realm. Any other end of a body is a broken connection. */
const isBrokenJson = (thrown: unknown): boolean =>
  typeof thrown === 'object' && thrown !== null && 'name' in thrown && thrown.name === 'SyntaxError';

/** Whatever the client threw, as a `ModelError`. An aborted signal is checked first: it surfaces in many forms while a body is read. */
export const modelErrorOf = (thrown: unknown, signal: AbortSignal): ModelError => {
  if (thrown instanceof ModelError) return thrown;
  if (signal.aborted) return new ModelError('timeout');
  if (thrown instanceof APIConnectionError) return new ModelError('network');
  if (thrown instanceof APIError)
    return new ModelError(kindOf(thrown), {
      httpStatus: thrown.status,
      requestId: thrown.requestID ?? undefined,
      retryAfterMs: retryAfterMs(thrown.headers?.get('retry-after'), Date.now()),
    });
  return new ModelError(isBrokenJson(thrown) ? 'shape' : 'network');
};
