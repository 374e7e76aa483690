import type * as Sdk from '@anthropic-ai/sdk';
import { messagesRequest } from './anthropic.request';
import { readMessage } from './anthropic.reply';
import { boundedFetch, MOST_WORDS_BYTES } from './bounded.fetch';
import { ModelError, type ChatModel, type ChatReply, type ChatRequest } from './chat.model';
import { modelErrors } from './provider.errors';

export interface AnthropicOptions {
  /** Without /v1. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly sendTemperature: boolean;
  /** Refuses the answers of a sandbox (they carry `X-Sandbox`). */
  readonly refuseSandbox: boolean;
}

type Library = typeof Sdk;

/** A text of the provider is all that tells it from other bad requests: https://docs.anthropic.com/en/api/errors */
const TOO_LONG = /prompt is too long|context (?:window|length)/i;

const errorsOf = ({ APIConnectionError, APIError }: Library) =>
  modelErrors<Sdk.APIError>({
    isConnection: (thrown) => thrown instanceof APIConnectionError,
    isAnswer: (thrown) => thrown instanceof APIError,
    isContext: ({ status, apiMessage }) => status === 413 || (status === 400 && TOO_LONG.test(apiMessage ?? '')),
  });

interface Loaded {
  readonly client: Sdk.Anthropic;
  readonly errorOf: ReturnType<typeof errorsOf>;
}

/** Installed only where it is wanted, and loaded by the first agent that uses it. */
const load = ({ baseUrl, apiKey }: AnthropicOptions): Loaded => {
  const library = require('@anthropic-ai/sdk') as Library;
  // As for the other client: retries and time-outs are ours, and nothing is taken from the environment
  const own = { maxRetries: 0, logLevel: 'off', fetch: boundedFetch(MOST_WORDS_BYTES) } as const;
  const client = new library.Anthropic({ apiKey, baseURL: baseUrl, ...own });
  return { client, errorOf: errorsOf(library) };
};

/** Messages through the official client of Anthropic. */
export const anthropicChat = (options: AnthropicOptions): ChatModel => {
  let loaded: Loaded | undefined;
  const complete = async (request: ChatRequest, signal: AbortSignal): Promise<ChatReply> => {
    const { client, errorOf } = (loaded ??= load(options));
    try {
      const { data, response, request_id } = await client.messages
        .create(messagesRequest(request, options), { signal })
        .withResponse();
      const facts = { httpStatus: response.status, requestId: request_id ?? undefined };
      if (options.refuseSandbox && response.headers.has('x-sandbox')) throw new ModelError('auth', facts);
      return readMessage(data, facts);
    } catch (thrown) {
      throw errorOf(thrown, signal);
    }
  };
  return { complete };
};
