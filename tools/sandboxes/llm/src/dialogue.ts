/** One request for an answer, independent of the wire format. */
export interface Dialogue {
  readonly model: string;
  readonly turns: readonly Turn[];
  /** The offered tools; nothing else is ever called. */
  readonly tools: readonly OfferedTool[];
  readonly choice: ToolChoice;
  readonly maxTokens?: number;
  /** ceil(bytes / 4) of messages and tools, and so much for each picture: an estimate that real prices can be applied to. */
  readonly promptTokens: number;
  /** Hash of the request body: ids derive from it, so the same request gets the same answer, byte for byte. */
  readonly key: string;
}

export interface OfferedTool {
  readonly name: string;
  /** JSON schema of the arguments. */
  readonly parameters: unknown;
}

export interface Picture {
  readonly mediaType: string;
  readonly bytes: number;
}

export interface Turn {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly pictures?: readonly Picture[];
  readonly toolCalls: readonly ToolCall[];
  readonly toolCallId?: string;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly argsJson: string;
}

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

export interface Reply {
  readonly text: string | null;
  readonly toolCalls: readonly ToolCall[];
  readonly finish: 'stop' | 'tool_calls' | 'length';
  readonly completionTokens: number;
  /** Fault `sandbox-empty`: a successful answer that contains no message. */
  readonly empty?: boolean;
}

export const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);
