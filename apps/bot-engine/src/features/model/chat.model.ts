import type { AgentProvider } from '@platform/contracts';

/** Whose protocol a model speaks. A column of the agent, never guessed from the model's name. */
export type Provider = AgentProvider;

export interface ModelName {
  readonly provider: Provider;
  readonly model: string;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** As the model wrote it; not necessarily JSON. */
  readonly argsJson: string;
}

export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mediaType: string; readonly base64: string };

export type ChatMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | readonly Part[] }
  | { readonly role: 'assistant'; readonly content: string | null; readonly toolCalls?: readonly ToolCall[] }
  /** The result of one tool call. */
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  /** Absent: no `tools` key goes out at all. */
  readonly tools?: readonly ToolSchema[];
  /** `none`: text only; by default the model decides. */
  readonly toolChoice?: 'auto' | 'none';
  readonly maxTokens: number;
  readonly temperature: number;
  /** Sent even where the settings leave temperatures out: the contract fixes that of testing. */
  readonly temperatureRequired?: boolean;
}

export interface Usage {
  readonly in: number;
  /** The part of `in` that came from the provider's cache. */
  readonly cached: number;
  readonly out: number;
}

export interface ChatReply {
  readonly text: string | null;
  readonly toolCalls: readonly ToolCall[];
  readonly finish: 'stop' | 'tool_calls' | 'length' | 'filter';
  readonly usage: Usage | null;
  readonly requestId?: string;
}

/** A language model, whoever provides it (design 5.1). */
export interface ChatModel {
  /** One call, no retry. `signal` ends it, even while the body stalls. Throws `ModelError` only. */
  complete(request: ChatRequest, signal: AbortSignal): Promise<ChatReply>;
}

export type ModelErrorKind = 'rate' | 'timeout' | 'server' | 'network' | 'auth' | 'bad_request' | 'context' | 'shape';

export interface ModelErrorFacts {
  readonly httpStatus?: number;
  readonly retryAfterMs?: number;
  readonly requestId?: string;
}

/** Why a call gave no reply. Carries no text of the provider, which may quote the prompt. */
export class ModelError extends Error {
  constructor(
    readonly kind: ModelErrorKind,
    readonly facts: ModelErrorFacts = {},
  ) {
    super(`the model call failed: ${kind}`);
    this.name = 'ModelError';
  }
}
