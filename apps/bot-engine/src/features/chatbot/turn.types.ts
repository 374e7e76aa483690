import type { CommittedRun, ConversationRef, Opened, Standing } from '../conversations/public';
import type { Agent } from '../agents/public';
import type { HistoryLine } from '../loop/public';
import type { PushRow } from '../push/public';
import type { Store } from '../stores/public';
import type { CustomerMessage } from './customer.message';

/** The bot of a store, as a turn uses it. */
export interface StoreBot {
  readonly store: Store;
  readonly agent: Agent;
}

/** Why no model is asked: the fixed text is said, and people take over until then. */
export interface Unasked {
  readonly reason: 'poison' | 'day' | 'month' | 'replies';
  readonly resumeAt: Date;
}

/** The leader of a turn. */
export interface TurnLeader {
  readonly token: string;
  /** Epoch milliseconds at which it began. */
  readonly begunAt: number;
  readonly deadline: number;
  readonly stopping: AbortSignal;
  /** Messages that have arrived meanwhile and are now this turn's. */
  absorb(): Promise<readonly CustomerMessage[]>;
  /** Rows for the outbox that are to be written with the run. */
  pushes(run: CommittedRun): readonly PushRow[];
}

export interface TurnInput {
  readonly bot: StoreBot;
  readonly conversation: ConversationRef;
  readonly opened: Opened;
  readonly standing: Exclude<Standing, 'silent'>;
  readonly messages: readonly CustomerMessage[];
  readonly unasked?: Unasked;
  readonly leader: TurnLeader;
}

export interface TurnOutcome {
  readonly run: CommittedRun;
  /** The last 20 lines, this turn's included. */
  readonly history: readonly HistoryLine[];
}
