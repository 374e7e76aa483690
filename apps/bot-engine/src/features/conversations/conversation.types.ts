import type { HistoryLine } from '../loop/public';
import type { PricedAttempt } from '../model/public';
import type { PushRow } from '../push/public';
import type { ConversationFacts, StepRecord } from '../tools/public';

/** Whose conversation it is, and where in chat-backend it stands. */
export interface ConversationRef {
  readonly storeId: string;
  readonly agentId: string;
  /** Without the network's suffix. */
  readonly customer: string;
  /** What the customer was known by when the chat began: the conversation is kept under it. Undefined: `customer`. */
  readonly begunAs?: string;
  /** Design 3.1: digest of the store, the agent and what it is kept under. */
  readonly key: string;
  /** Which of the customer's chats, where the caller says so: people have one of them, not all. */
  readonly chat?: string;
  readonly instanceId?: string;
  readonly chatId?: string;
  readonly team?: string;
}

/** What the caller gets for a message, and for every repeat of it. */
export interface StoredReply {
  readonly answer: readonly string[];
  readonly images: readonly string[];
  /** One per bubble, then one per picture: outbound ids that make a repeated sending harmless. */
  readonly messageIds: readonly string[];
}

export type RunStatus = 'done' | 'fallback' | 'handover';

export interface CommittedRun {
  readonly id: string;
  readonly status: RunStatus;
  readonly reply: StoredReply;
  readonly costMicros: number;
}

/** Runs that answered a message, and the conversation up to their answer. */
export interface Replay {
  readonly runs: readonly CommittedRun[];
  readonly lines: readonly HistoryLine[];
}

/** The bot's part is over until somebody gives it back (design 3.6). */
export interface HandedOver {
  readonly reason: string;
  /** chat-backend's cycle in which it happened. */
  readonly episode: number | null;
  readonly resumeAt: Date | null;
  /** When chat-backend was told; null: not yet. */
  readonly toldAt: Date | null;
}

/** No member: never told. Null: over. */
export type StoredFacts = { readonly [Name in keyof ConversationFacts]?: ConversationFacts[Name] | null };

/** Everything that a turn starts from. */
export interface Opened {
  readonly id: string;
  /** Nothing was ever said in it. */
  readonly isNew: boolean;
  /** The last 20 lines, without those before the last hand-back. */
  readonly lines: readonly HistoryLine[];
  readonly facts: ConversationFacts;
  /** The same as they are stored: prices of another day are in them still. */
  readonly storedFacts?: StoredFacts;
  readonly handedOver?: HandedOver;
  /** Place of the last line that was taken from `since`. */
  readonly sinceSeq?: number;
  /** Of the ids asked for, those that a committed run has answered. */
  readonly answered: readonly string[];
  readonly address: Pick<ConversationRef, 'instanceId' | 'chatId' | 'team'>;
}

/** A message as it was understood. */
export interface SaidLine {
  readonly messageId: string;
  readonly content: string;
  readonly images: readonly string[];
}

export interface FinishedRun extends CommittedRun {
  /** Lease of the leader: its runs are one answer. */
  readonly leadToken: string;
  readonly mergedIds: readonly string[];
  /** What the turn was given, for its record and its replay. */
  readonly input: object;
  readonly sources: readonly string[];
  readonly steps: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly ms: { readonly queue: number; readonly model: number; readonly total: number };
  readonly agentVersion: number;
}

export interface LoggedRequest {
  readonly purpose: 'chat' | 'transcribe';
  readonly attempt: PricedAttempt;
}

/** One turn as it is kept: all of it or nothing. */
export interface FinishedTurn {
  readonly conversation: ConversationRef & { readonly id: string };
  readonly run: FinishedRun;
  /** Lines before the first one of a conversation that has none. */
  readonly seed: readonly HistoryLine[];
  /** What was said in the chat and was not posted here. */
  readonly since: readonly HistoryLine[];
  readonly said: readonly SaidLine[];
  readonly requests: readonly LoggedRequest[];
  readonly facts: ConversationFacts;
  /** From which it began: what it leaves as it was may be another's by now, whose turn ran in another chat of the customer. */
  readonly storedFacts?: StoredFacts;
  readonly sinceSeq?: number;
  /** The bot was given its part back: what was said before is over. */
  readonly resumed: boolean;
  readonly handover?: { readonly reason: string; readonly episode?: number; readonly resumeAt: Date };
  /** Written to the outbox with it. */
  readonly pushes: readonly PushRow[];
}

export interface Conversations {
  /** One SELECT. */
  open(conversation: ConversationRef, messageIds: readonly string[]): Promise<Opened>;
  /** Keeps one step of a run that is not over. */
  step(conversation: ConversationRef & { readonly id: string }, run: RunningRun, step: JournaledStep): Promise<void>;
  /**
   * Stores the turn, and marks what killed processes left as abandoned. False, and nothing is stored, when another run has
   * answered one of its messages: that is the fence, whatever leases say.
   */
  commit(turn: FinishedTurn): Promise<boolean>;
  /** The runs that answered the messages, all others of their leaders, and those of the leader `leadToken`; undefined: none. */
  answered(
    conversation: Pick<ConversationRef, 'storeId' | 'key'>,
    messageIds: readonly string[],
    leadToken?: string,
  ): Promise<Replay | undefined>;
}

export interface RunningRun {
  readonly id: string;
  readonly leadToken: string;
  readonly agentVersion: number;
}

export interface JournaledStep {
  readonly n: number;
  readonly record: StepRecord;
}
