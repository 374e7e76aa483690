import type { Agent, ToolName } from '../agents/public';
import type { Store } from '../stores/public';

export const handoverReasons = ['customer_request', 'complaint', 'payment_issue', 'unknown', 'model_failure'] as const;
export type HandoverReason = (typeof handoverReasons)[number];

/** An open quote: the exact arguments with which `create_checkout` would order it. */
export interface OpenQuote {
  readonly args: Readonly<Record<string, unknown>>;
  readonly confirmToken: string;
  /** The run that made it: only a committed one counts. */
  readonly runId: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** A product that a tool has shown in this conversation. */
export interface KnownProduct {
  readonly sku: string;
  readonly name: string;
  readonly price: number | null;
  readonly image?: string;
}

/**
 * What the tools have told in this conversation: written by the dispatcher, never by the model; kept as `facts` of the
 * conversation and committed with its run.
 */
export interface ConversationFacts {
  /** Newest last, at most 20. */
  readonly products: readonly KnownProduct[];
  /** Order numbers of this conversation, newest last, at most 10. */
  readonly orders: readonly string[];
  /** Amounts of money in tool results, whole units, newest last, at most 200: what the price guard lets through. */
  readonly amounts: readonly number[];
  /** Addresses in tool results, newest last, at most 50: what may stand in an answer. */
  readonly urls: readonly string[];
  readonly quote?: OpenQuote;
}

export const NO_FACTS: ConversationFacts = { products: [], orders: [], amounts: [], urls: [] };

/** Everything a tool may know about the turn it runs in. Store, customer and prices come from here, never from the model. */
export interface ToolContext {
  readonly runId: string;
  /** Of the leader whose rounds reach the customer together: what one of them told, nobody has read in the next. */
  readonly leadToken?: string;
  readonly store: Store;
  readonly agent: Agent;
  readonly conversationId: string;
  /** The customer's number without the network's suffix; `@lid` is kept. */
  readonly customer: string;
  readonly instanceId?: string;
  /** As they stood when the turn began: a quote made in this run is not in them. */
  readonly facts: ConversationFacts;
  /** An evaluation: nothing is ordered, kept or sent; `create_checkout` always asks for a dry run. */
  readonly rehearsal: boolean;
  readonly signal: AbortSignal;
}

/** What a tool gives back. */
export interface ToolOutcome {
  /** For the model; wrapped as data and capped by the dispatcher. */
  readonly result: object;
  /** Added to the conversation's facts. Amounts and addresses are collected from `result` by the dispatcher itself. */
  readonly facts?: Partial<Pick<ConversationFacts, 'products' | 'orders' | 'quote'>>;
  /** Ids of knowledge chunks that it quotes. */
  readonly sources?: readonly string[];
  /** A question that the knowledge does not answer. */
  readonly gap?: string;
  /** A person must go on: ends the turn as `handover_to_human` does. */
  readonly handover?: Handover;
}

/** One tool. Throwing is an error result to the model, never the end of the turn. */
export interface Tool<Args extends object = object> {
  readonly name: ToolName;
  /** For the model, in English. */
  readonly description: string;
  /** Checked with unknown members forbidden; its JSON schema is derived from it. */
  readonly args: new () => Args;
  /** After a `write` no further message is taken into the turn. */
  readonly kind: 'read' | 'write';
  readonly timeoutMs: number;
  run(args: Args, context: ToolContext): Promise<ToolOutcome>;
}

/** The end of the bot's part: somebody is to take over. */
export interface Handover {
  readonly reason: HandoverReason;
  readonly summary: string;
}

/** One step of the loop as it went: the model's calls and what became of each, for the record, the replay and people. */
export interface StepRecord {
  readonly text: string | null;
  readonly calls: readonly {
    readonly id: string;
    readonly tool: string;
    /** As the model wrote them. */
    readonly args: string;
    /** As the model was given it. */
    readonly result: string;
    readonly ms: number;
    readonly failed: boolean;
  }[];
}
