import { timeLimit, uuidv7 } from '@platform/runtime';
import type { Agent } from '../agents/public';
import type { HistoryLine, LoopOutcome, RunLoop } from '../loop/public';
import type { Price } from '../model/public';
import type { Store } from '../stores/public';
import { NO_FACTS, type ConversationFacts } from '../tools/public';
import type { CaseResult, Expectations } from './eval.dto';
import { answerOf, costOf, faultsOf, toolsOf, type Played } from './expectations';

/** Nobody has this number. */
const CUSTOMER = '620000000000';

export interface EvalCase {
  readonly id: string;
  readonly agentId: string;
  readonly name: string;
  readonly lines: readonly string[];
  readonly expect: Expectations;
  /** Of a case that began in the middle of a conversation. */
  readonly before: { readonly history?: readonly HistoryLine[]; readonly facts?: ConversationFacts };
}

/** Whose cases are played, and with what. */
export interface EvalScene {
  readonly store: Store;
  /** With the prompt and model that are tried. */
  readonly agent: Agent;
  readonly prices: ReadonlyMap<string, Price>;
  /** Ends it when the process stops. */
  readonly signal: AbortSignal;
  /** Before every turn; throws when the store may not go on. */
  readonly begin: () => Promise<void>;
  /** After every turn, whatever becomes of its case. */
  readonly ended: (turn: LoopOutcome) => void;
}

/**
 * Plays cases through the loop of real turns, each in a conversation of its own that nobody keeps. `rehearsal`: an order is only
 * asked what it would cost, and nothing leaves.
 */
export class CasePlayer {
  constructor(
    private readonly loop: RunLoop,
    private readonly deadlineMs: number,
  ) {}

  async play(one: EvalCase, scene: EvalScene, repeat: number): Promise<CaseResult> {
    const begun = performance.now();
    const all: Played[] = [];
    for (let n = 0; n < repeat; n += 1) all.push(await this.once(one, scene));
    const faults = all.map((played) => faultsOf(played, one.expect));
    const failed = faults.findIndex((each) => each.length > 0);
    const told = all[failed === -1 ? all.length - 1 : failed] ?? { outcomes: [] };
    return {
      id: one.id,
      name: one.name,
      passes: failed === -1,
      why: [...new Set(faults.flat())],
      answer: answerOf(told),
      tools: toolsOf(told),
      cost_micros: all.reduce((sum, played) => sum + costOf(played), 0),
      ms: Math.round(performance.now() - begun),
    };
  }

  /** One conversation from its first line to its last, or to the hand-over. */
  private async once({ lines, before }: EvalCase, scene: EvalScene): Promise<Played> {
    const conversationId = uuidv7();
    const outcomes: LoopOutcome[] = [];
    let history = before.history ?? [];
    let facts = before.facts ?? NO_FACTS;
    for (const content of lines) {
      await scene.begin();
      const outcome = await this.turn(scene, { conversationId, history, facts, content });
      outcomes.push(outcome);
      scene.ended(outcome);
      if (outcome.status !== 'done') break;
      facts = outcome.facts;
      const answer = { role: 'assistant' as const, content: outcome.bubbles.join('\n\n') };
      history = [...history, { role: 'user', content }, answer];
    }
    return { outcomes };
  }

  private turn(
    { store, agent, prices, signal }: EvalScene,
    said: { conversationId: string; history: readonly HistoryLine[]; facts: ConversationFacts; content: string },
  ): Promise<LoopOutcome> {
    const { conversationId, history, facts, content } = said;
    const limit = timeLimit(this.deadlineMs, signal);
    const runId = uuidv7();
    return this.loop({
      context: { runId, store, agent, conversationId, customer: CUSTOMER, facts, rehearsal: true, signal: limit },
      history,
      burst: [{ content }],
      absorb: () => Promise.resolve([]),
      journal: () => Promise.resolve(),
      deadline: Date.now() + this.deadlineMs,
      prices,
    });
  }
}
