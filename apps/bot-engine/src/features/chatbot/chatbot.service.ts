import type { Principal } from '@platform/auth';
import { serviceRoles } from '@platform/contracts';
import { Unavailable, Unexpected } from '@platform/errors';
import { refusals } from '../../refusals';
import type { Agents } from '../agents/public';
import type { StoreDirectory } from '../stores/public';
import type { CommittedRun, Conversations } from './conversation.repository';
import type { CustomerMessage, Line } from './customer.message';
import type { RunTurn, TurnInput } from './turn';
import type { TurnLimits } from './turn.limits';
import { TurnQueue } from './turn.queue';

export interface ChatbotDeps {
  readonly stores: StoreDirectory;
  readonly agents: Agents;
  readonly conversations: Conversations;
  readonly runTurn: RunTurn;
  readonly limits: TurnLimits;
  readonly turnDeadlineMs: number;
  /** Time for running turns when the process stops. */
  readonly stopGraceMs: number;
}

export interface ChatbotAnswer {
  readonly status: 'answered' | 'fallback' | 'skipped';
  readonly run?: CommittedRun;
  readonly history: readonly Line[];
  /** The answer was stored before, or comes from a concurrent request with the same message. */
  readonly replayed: boolean;
}

/** Every request ends within this time, below the caller's time-out of 75 s (design 3.2). */
const REQUEST_MS = 60_000;
/** No turn starts with less time left. */
const LEAST_MS = 15_000;
const HISTORY = 20;
const SKIPPED: ChatbotAnswer = { status: 'skipped', history: [], replayed: false };

const answerOf = (run: CommittedRun, history: readonly Line[], replayed: boolean): ChatbotAnswer => ({
  status: run.status === 'done' ? 'answered' : 'fallback',
  run,
  history,
  replayed,
});

/** Design 1.2, G6: a user of another store must not read this store's chats; sibling services serve all stores. */
const refuseForeignStore = (caller: Principal, storeId: string): void => {
  if (caller.kind !== 'token') return;
  const { store_id: own, role } = caller.claims;
  if (own && own !== storeId && !serviceRoles.some((service) => service === role)) throw refusals.storeNotFound();
};

/** Answers customers: every message once, whatever happens to the caller, this process or its replicas. */
export class ChatbotService {
  private readonly queue = new TurnQueue<ChatbotAnswer>();
  private readonly stopping = new AbortController();
  private draining = false;

  constructor(private readonly deps: ChatbotDeps) {}

  async answer(message: CustomerMessage, caller: Principal): Promise<ChatbotAnswer> {
    const arrivedAt = Date.now();
    refuseForeignStore(caller, message.storeId);
    const store = await this.deps.stores.get(message.storeId);
    const agent = await this.deps.agents.get(message.storeId, message.agentId);
    if (message.isGroup || !agent.enabled || store.status === 'suspended') return SKIPPED;
    const { result, shared } = await this.queue.once(message.conversationKey, message.messageId, () =>
      this.turn({ message, agent, store, arrivedAt }),
    );
    return shared && result.run ? { ...result, replayed: true } : result;
  }

  /** Accepts no new turns; running ones are aborted after the grace, and their callers asked to repeat. */
  drain(): void {
    this.draining = true;
    setTimeout(() => this.stopping.abort(), this.deps.stopGraceMs).unref();
  }

  private async turn(turn: Pick<TurnInput, 'message' | 'agent' | 'store' | 'arrivedAt'>): Promise<ChatbotAnswer> {
    const { message, arrivedAt } = turn;
    const opened = await this.deps.conversations.open(message);
    if (opened.run) return answerOf(opened.run, opened.lines, true);
    const deadline = Math.min(Date.now() + this.deps.turnDeadlineMs, arrivedAt + REQUEST_MS);
    if (this.draining || arrivedAt + REQUEST_MS - Date.now() < LEAST_MS)
      throw new Unavailable(this.draining ? 'the service is stopping' : 'the conversation is busy');
    if (!(await this.deps.limits(message))) return SKIPPED;
    const run = await this.deps.runTurn({ ...turn, opened, deadline, stopping: this.stopping.signal });
    if (!run) return this.answeredElsewhere(message);
    const before = opened.isNew ? run.seed : opened.lines;
    const said: Line[] = [
      { role: 'user', content: message.content },
      { role: 'assistant', content: run.reply.answer.join('\n\n') },
    ];
    return answerOf(run, [...before, ...said].slice(-HISTORY), false);
  }

  private async answeredElsewhere(message: CustomerMessage): Promise<ChatbotAnswer> {
    const { run, lines } = await this.deps.conversations.open(message);
    if (!run) throw new Unexpected('a message counts as answered, but its run is missing');
    return answerOf(run, lines, true);
  }
}
