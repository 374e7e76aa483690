import type { Price, PricedAttempt } from '../model/public';
import type { ConversationFacts, Handover, StepRecord, ToolContext } from '../tools/public';

/** A picture that the customer sent, as the model gets it. */
export interface Picture {
  readonly mediaType: 'image/jpeg' | 'image/png' | 'image/webp';
  readonly base64: string;
}

/** One message of a burst, as it is said to the model and kept. */
export interface BurstLine {
  /** As it is kept. */
  readonly content: string;
  /** What this turn's model reads instead: files that it gets need no label. Empty: the pictures alone. */
  readonly said?: string;
  readonly pictures?: readonly Picture[];
}

export interface HistoryLine {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

export interface LoopInput {
  readonly context: ToolContext;
  readonly customerName?: string;
  readonly history: readonly HistoryLine[];
  readonly burst: readonly BurstLine[];
  /** Messages that arrived meanwhile; asked at most once, before a final text is accepted and if no write tool ran. None: go on. */
  absorb(): Promise<readonly BurstLine[]>;
  /** Keeps one step before the next begins. */
  journal(n: number, step: StepRecord): Promise<void>;
  /** Epoch milliseconds. */
  readonly deadline: number;
  readonly prices: ReadonlyMap<string, Price>;
}

export interface LoopOutcome {
  /** `fallback`: no model could answer, `bubbles` is the agent's fixed text. */
  readonly status: 'done' | 'fallback' | 'handover';
  readonly bubbles: readonly string[];
  /** Addresses of pictures, at most 3. */
  readonly images: readonly string[];
  /** Of a hand-over, also of one that follows from a failure (`model_failure`). */
  readonly handover?: Handover;
  readonly steps: readonly StepRecord[];
  readonly attempts: readonly PricedAttempt[];
  readonly facts: ConversationFacts;
  readonly sources: readonly string[];
  readonly gaps: readonly string[];
  /** The lines that `absorb` gave. */
  readonly absorbed: readonly BurstLine[];
  readonly ms: { readonly model: number; readonly tools: number };
}

/** One turn with the model and the tools (design 3.4). Rejects when the process stops (`Unavailable`), and as `absorb` and `journal` do. */
export type RunLoop = (input: LoopInput) => Promise<LoopOutcome>;
