import OpenAI from 'openai';
import { boundedFetch, MOST_WORDS_BYTES } from './bounded.fetch';
import { ModelError, type ModelErrorFacts } from './chat.model';

export interface OpenAiAccess {
  /** With /v1. OpenAI itself, or anything that speaks its protocol: vLLM, Ollama, LiteLLM, the sandbox. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Refuses the answers of a sandbox (they carry `X-Sandbox`). */
  readonly refuseSandbox: boolean;
}

/**
 * Organization, project and log level are set, because the client would take them from the environment; its retries and
 * time-out are off, because it obeys `Retry-After` without bound and its time-out ends with the headers (design 5.1).
 */
export const openaiClient = ({ apiKey, baseUrl }: OpenAiAccess, mostBytes = MOST_WORDS_BYTES): OpenAI => {
  const nothingElse = { organization: null, project: null, logLevel: 'off' } as const;
  return new OpenAI({ apiKey, baseURL: baseUrl, maxRetries: 0, fetch: boundedFetch(mostBytes), ...nothingElse });
};

interface Answered {
  readonly response: Response;
  readonly request_id: string | null;
}

/** What an answer says of itself. Throws `ModelError('auth')` for a sandbox's where those are refused. */
export const answerFacts = (
  { response, request_id }: Answered,
  { refuseSandbox }: Pick<OpenAiAccess, 'refuseSandbox'>,
): ModelErrorFacts => {
  const facts = { httpStatus: response.status, requestId: request_id ?? undefined };
  if (refuseSandbox && response.headers.has('x-sandbox')) throw new ModelError('auth', facts);
  return facts;
};
