import type { Logger } from '@platform/runtime';
import type { Budget } from '../budget/public';
import type { CommittedRun, Conversations } from '../conversations/public';
import type { HistoryLine } from '../loop/public';
import type { TurnLimits } from '../limits/public';
import type { Mailbox, MailboxLine } from '../mailbox/public';
import type { Meters } from '../meters/public';
import type { PushRow } from '../push/public';
import type { RunTurn } from './turn';
import type { TurnLife } from './turn.life';
import type { StoreBot } from './turn.types';

export type AnswerStatus = 'answered' | 'merged' | 'handover' | 'skipped' | 'fallback';

/** What the caller of a message gets. */
export interface ChatbotAnswer {
  readonly status: AnswerStatus;
  /** One per round, in order. */
  readonly runs: readonly CommittedRun[];
  readonly history: readonly HistoryLine[];
  /** It was stored before, or is another request's. */
  readonly replayed: boolean;
}

export interface LeadSettings {
  /** Of agents without times of their own. */
  readonly windowMs: number;
  readonly maxWaitMs: number;
  readonly maxRounds: number;
  readonly turnDeadlineMs: number;
}

export interface LeadSurroundings {
  readonly life: TurnLife;
  readonly settings: LeadSettings;
  readonly meters: Meters;
  readonly logger: Logger;
}

export interface LeadDeps {
  readonly mailbox: Mailbox;
  readonly conversations: Conversations;
  readonly runTurn: RunTurn;
  readonly asked: { readonly limits: TurnLimits; readonly budget: Pick<Budget, 'exhausted'> };
  /** The store and the agent of a line; undefined when its bot says nothing any more. */
  readonly botOf: (line: Pick<MailboxLine, 'idStore' | 'idAgent'>) => Promise<StoreBot | undefined>;
  readonly push: (conversationId: string, rows: readonly PushRow[]) => Promise<void>;
  readonly around: LeadSurroundings;
}

/** Whom a leader answers. */
export interface Lead {
  readonly conversation: string;
  readonly token: string;
  /** Epoch milliseconds at which it began. */
  readonly begunAt: number;
  /** Aborts when the HTTP caller has gone; without one there is none, and everything is pushed. */
  readonly gone?: AbortSignal;
  /** Known from the request. */
  readonly bot?: StoreBot;
  /** A place of the store's share of whoever leads; undefined: it has none left. */
  readonly share?: (storeId: string) => (() => void) | undefined;
}

/** Every request ends within this time, below the caller's time-out of 75 s (design 3.2). */
export const REQUEST_MS = 60_000;
/** No turn starts with less time left. */
export const LEAST_MS = 15_000;

export const MERGED: ChatbotAnswer = { status: 'merged', runs: [], history: [], replayed: false };
export const SKIPPED: ChatbotAnswer = { status: 'skipped', runs: [], history: [], replayed: false };

const STATUS = { done: 'answered', fallback: 'fallback', handover: 'handover' } as const;

/** The last run says how it stands. */
export const statusOf = (runs: readonly CommittedRun[], without: AnswerStatus = 'skipped'): AnswerStatus => {
  const last = runs.at(-1);
  return last ? STATUS[last.status] : without;
};
