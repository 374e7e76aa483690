import { uuidv7, withTimeLimit, type Clock, type Logger } from '@platform/runtime';
import type { Budget } from '../budget/public';
import type { Conversations, FinishedTurn, LoggedRequest, SaidLine } from '../conversations/public';
import type { Hearing } from '../hearing/public';
import type { KnowledgeSearch } from '../knowledge/public';
import type { BurstLine, HistoryLine, LoopOutcome, RunLoop } from '../loop/public';
import type { FallbackReason, Meters } from '../meters/public';
import type { Prices } from '../model/public';
import { escalationRow } from '../push/public';
import { namesNumber, type CustomerMessage } from './customer.message';
import { newSince, type NewSince } from './since.lines';
import { finishedRun, handedOver, type RunFacts } from './turn.finish';
import { reportTurn } from './turn.report';
import type { TurnInput, TurnOutcome, Unasked } from './turn.types';
import { unaskedOutcome } from './unasked.outcome';

export interface TurnDeps {
  readonly loop: RunLoop;
  readonly hearing: Hearing;
  readonly conversations: Conversations;
  readonly prices: Prices;
  readonly budget: Pick<Budget, 'replied' | 'spent'>;
  readonly knowledge: Pick<KnowledgeSearch, 'gap'>;
  readonly tell: { readonly clock: Clock; readonly logger: Logger; readonly meters: Meters };
}

const MAX_LINES = 20;
const PICTURE = '[gambar]';

const reasonOf = (unasked: Unasked | undefined): FallbackReason =>
  unasked === undefined ? 'model' : unasked.reason === 'poison' ? 'tries' : 'budget';

/** One turn: what is said is understood, answered and kept, all at once or not at all. */
class Turn {
  private readonly id = uuidv7();
  private readonly said: SaidLine[] = [];
  private readonly requests: LoggedRequest[] = [];
  private since: NewSince;
  /** Those of the burst, and what was absorbed. */
  private readonly taken: CustomerMessage[] = [];
  private readonly conversation: FinishedTurn['conversation'];
  private readonly releases: (() => void)[] = [];
  private isOver = false;
  private msDatabase = 0;

  constructor(
    private readonly deps: TurnDeps,
    private readonly input: TurnInput,
    private readonly begun: number,
    private readonly signal: AbortSignal,
  ) {
    const { opened, messages, conversation } = input;
    this.since = newSince(messages, opened);
    this.conversation = { ...conversation, id: opened.id };
  }

  /** Undefined, and nothing is kept, when another run has answered one of the messages. */
  async run(): Promise<TurnOutcome | undefined> {
    try {
      return await this.turn();
    } finally {
      this.isOver = true;
      for (const release of this.releases) release();
    }
  }

  private async turn(): Promise<TurnOutcome | undefined> {
    const { unasked, messages } = this.input;
    const burst = await this.understand(messages);
    const outcome = unasked ? unaskedOutcome(this.input) : await this.asked(burst);
    const turn = this.finished(outcome, burst);
    const isStored = await this.timed(() => this.deps.conversations.commit(turn));
    if (!isStored) return undefined;
    this.afterwards(turn, outcome);
    const { run, said } = turn;
    const text = run.reply.answer.join('\n\n') || (run.reply.images.length > 0 ? PICTURE : '');
    const own: HistoryLine[] = said.map(({ content }) => ({ role: 'user', content }));
    const answer: HistoryLine[] = text ? [{ role: 'assistant', content: text }] : [];
    return { run, history: [...this.before(), ...own, ...answer].slice(-MAX_LINES) };
  }

  /** The lines before this turn, as the model reads them. */
  private before(): HistoryLine[] {
    const { opened, standing } = this.input;
    const stored = standing === 'resumed' ? [] : opened.lines;
    return [...(opened.isNew ? this.seed() : stored), ...this.since.lines].slice(-MAX_LINES);
  }

  private seed(): readonly HistoryLine[] {
    const { opened, messages } = this.input;
    return opened.isNew ? (messages.find(({ history }) => history.length > 0)?.history ?? []) : [];
  }

  private async understand(messages: readonly CustomerMessage[]): Promise<readonly BurstLine[]> {
    const heard = messages.map(({ text, images, audio }) => ({ content: text, images, audio }));
    const { agent, store } = this.input.bot;
    const held = (release: () => void): void => (this.isOver ? release() : void this.releases.push(release));
    // Who may spend nothing more, or has failed too often, has nothing written down either: labels stand for the files
    const signal = this.input.unasked ? AbortSignal.abort() : this.signal;
    const { lines, attempts } = await this.deps.hearing.understand(heard, { agent, signal, held });
    for (const attempt of attempts) {
      this.requests.push({ purpose: 'transcribe', attempt });
      if (attempt.reply?.usage) this.deps.budget.spent(store, attempt.costMicros, attempt.reply.usage);
    }
    this.taken.push(...messages);
    for (const [n, { messageId, images }] of messages.entries())
      this.said.push({ messageId, images, content: lines[n]?.content ?? '' });
    return lines;
  }

  private async asked(burst: readonly BurstLine[]): Promise<LoopOutcome> {
    const { bot, opened, conversation, messages, leader } = this.input;
    const { store, agent } = bot;
    const { token: leadToken, deadline } = leader;
    const customer = () => (namesNumber(this.taken) ?? conversation).customer;
    const run = { id: this.id, leadToken, agentVersion: agent.version };
    const outcome = await this.deps.loop({
      context: {
        ...{ runId: this.id, leadToken, store, agent, conversationId: opened.id },
        // It may be learned from what is taken in while the turn runs
        get customer() {
          return customer();
        },
        ...{ instanceId: conversation.instanceId, facts: opened.facts, rehearsal: false, signal: this.signal },
      },
      customerName: messages.findLast(({ customerName }) => customerName)?.customerName,
      history: this.before(),
      burst,
      absorb: async () => this.understand(await leader.absorb()),
      journal: (n, record) => this.timed(() => this.deps.conversations.step(this.conversation, run, { n, record })),
      deadline,
      prices: await this.deps.prices.current(),
    });
    this.requests.push(...outcome.attempts.map((attempt) => ({ purpose: 'chat' as const, attempt })));
    return outcome;
  }

  private finished(outcome: LoopOutcome, burst: readonly BurstLine[]): FinishedTurn {
    const { opened, standing, leader } = this.input;
    const facts: RunFacts = {
      ...{ id: this.id, begun: this.begun, outcome, said: this.said, requests: this.requests },
      given: { history: this.before(), burst: burst.map(({ content }) => content), facts: opened.facts },
    };
    this.since = newSince(this.taken, opened);
    const run = finishedRun(facts, this.input);
    const { handover } = outcome;
    const escalation = handover ? [escalationRow(this.conversation, this.id, handover)] : [];
    return {
      ...{ conversation: this.conversation, run, said: this.said, requests: this.requests },
      ...{ facts: outcome.facts, storedFacts: opened.storedFacts },
      seed: this.seed(),
      since: this.since.lines,
      sinceSeq: this.since.seq ?? opened.sinceSeq,
      resumed: standing === 'resumed',
      handover:
        handover && handedOver(outcome, { ...this.input, messages: this.taken, now: this.deps.tell.clock.now() }),
      pushes: [...leader.pushes(run), ...escalation],
    };
  }

  /** What nobody waits for. */
  private afterwards(turn: FinishedTurn, outcome: LoopOutcome): void {
    const { store, agent } = this.input.bot;
    const { budget, knowledge, tell } = this.deps;
    if (turn.run.status === 'done' && turn.run.reply.answer.length > 0) budget.replied(store);
    tell.meters.cost(store.id, turn.run.costMicros);
    if (turn.run.status === 'fallback') tell.meters.fallback(reasonOf(this.input.unasked));
    for (const question of outcome.gaps)
      void knowledge
        .gap(store.id, agent.id, question, this.id)
        .catch((cause: unknown) => tell.logger.warn('an unanswered question was not counted', { cause }));
    reportTurn(tell.logger, { turn, outcome, input: this.input, msDatabase: this.msDatabase });
  }

  private async timed<T>(work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    try {
      return await work();
    } finally {
      this.msDatabase += performance.now() - begun;
    }
  }
}

export type RunTurn = (input: TurnInput) => Promise<TurnOutcome | undefined>;

/** Rejects with `Unavailable` when the process stops or something it needs is down; nothing is kept then but its steps. */
export const createTurn =
  (deps: TurnDeps): RunTurn =>
  (input) => {
    const { deadline, stopping } = input.leader;
    const begun = Date.now();
    return withTimeLimit(Math.max(1, deadline - begun), [stopping], (signal) =>
      new Turn(deps, input, begun, signal).run(),
    );
  };
