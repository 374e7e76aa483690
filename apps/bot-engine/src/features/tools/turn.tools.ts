import { cut } from '@platform/runtime';
import type { ToolCall, ToolSchema } from '../model/public';
import { factsForPeople, factsIn, textIn, withFacts } from './conversation.facts';
import { errorResult } from './tool.result';
import {
  handoverReasons,
  type ConversationFacts,
  type Handover,
  type StepRecord,
  type ToolContext,
  type ToolOutcome,
} from './tool.types';

/** One call as it was done. */
export interface Dispatched extends Partial<Omit<ToolOutcome, 'result'>> {
  /** For the model: `{"data":..}` or `{"error":..}`. */
  readonly content: string;
  readonly failed: boolean;
  /** Something may have been written. */
  readonly wrote: boolean;
}

/** Does one call, as the dispatcher does, or tells what became of it earlier (a replay). Never rejects. */
export type Dispatch = (call: ToolCall, context: ToolContext) => Promise<Dispatched>;

/** Which tools an agent has, and what does their calls. */
export interface ToolBox {
  schemas(context: ToolContext): readonly ToolSchema[];
  readonly dispatch: Dispatch;
}

export const MAX_CALLS = 8;
const MOST_AT_ONCE = 4;
const HANDOVER = 'handover_to_human';
const WRITES = ['create_checkout'];
const LONGEST_SUMMARY = 900;
/** Of what a model says beside its calls, which is kept and sent again with every further question: as much as of an answer. */
const LONGEST_WORDS = 8_000;

type Answer = StepRecord['calls'][number];

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

const sorted = (_: string, part: unknown): unknown =>
  typeof part === 'object' && part !== null && !Array.isArray(part)
    ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
    : part;

/** The text as one with its members in order; the text itself where that cannot be: JSON may be nested deeper than it can be written. */
const ordered = (text: string): string => {
  try {
    return JSON.stringify(parsed(text), sorted);
  } catch {
    return text;
  }
};

/** The same for two calls that differ in spaces and the order of members only. */
export const callKey = ({ name, argsJson }: Pick<ToolCall, 'name' | 'argsJson'>): string =>
  `${name} ${ordered(argsJson)}`;

const handoverOf = ({ argsJson }: ToolCall): Handover => {
  const args = parsed(argsJson) as { reason?: unknown; summary?: unknown } | null;
  const reason = handoverReasons.find((one) => one === args?.reason) ?? 'unknown';
  return { reason, summary: typeof args?.summary === 'string' ? args.summary : '' };
};

/**
 * The tools during one turn: the rules that hold over its calls (design 3.4, 3.5), whoever does them, and what they told. Every
 * call is answered, in the order in which it was asked for.
 */
export class TurnTools {
  facts: ConversationFacts;
  handover: Handover | undefined;
  readonly sources: string[] = [];
  readonly gaps: string[] = [];
  readonly steps: StepRecord[] = [];
  /** Texts of results that are prose of the shop: their amounts count less than those of its catalogue. */
  readonly prose: string[] = [];
  wrote = false;
  private calls = 0;
  private readonly asked = new Set<string>();

  /** `dispatch` does one call in this turn. */
  constructor(
    private readonly dispatch: (call: ToolCall) => Promise<Dispatched>,
    facts: ConversationFacts,
  ) {
    this.facts = facts;
  }

  get isExhausted(): boolean {
    return this.calls >= MAX_CALLS;
  }

  /** Does the calls of one step side by side. */
  async step(text: string | null, calls: readonly ToolCall[]): Promise<StepRecord> {
    const refusals = this.refusals(calls);
    const answers = await Promise.all(
      calls.map((call, n) => {
        const refusal = refusals[n];
        return refusal === undefined ? this.call(call) : this.refused(call, refusal);
      }),
    );
    const step = { text: text && cut(text, LONGEST_WORDS), calls: answers };
    this.steps.push(step);
    return step;
  }

  /** A hand-over with what the person should know. */
  handedOver(handover: Handover): Handover {
    const known = factsForPeople(this.facts);
    const summary = [handover.summary, known].filter(Boolean).join(' | ');
    return { ...handover, summary: cut(summary, LONGEST_SUMMARY) };
  }

  /** Why calls are not done; decided before any of them begins. */
  private refusals(calls: readonly ToolCall[]): (string | undefined)[] {
    const leaves = calls.findIndex(({ name }) => name === HANDOVER);
    return calls.map((call, n) => {
      if (leaves !== -1) return n === leaves ? undefined : 'not done: the conversation is handed over';
      if (n >= MOST_AT_ONCE) return `not done: at most ${MOST_AT_ONCE} calls at once`;
      if (this.isExhausted) return `not done: at most ${MAX_CALLS} calls in a turn`;
      const key = callKey(call);
      const write = WRITES.includes(call.name) ? call.name : undefined;
      if (this.asked.has(key)) return 'already asked: use the result above';
      if (write && this.asked.has(write)) return `not done: one ${write} in a turn`;
      this.asked.add(key);
      if (write) this.asked.add(write);
      this.calls += 1;
      return undefined;
    });
  }

  private refused(call: ToolCall, reason: string): Answer {
    const result = errorResult(reason);
    return { id: call.id, tool: call.name, args: call.argsJson, result, ms: 0, failed: true };
  }

  private async call(call: ToolCall): Promise<Answer> {
    const begun = performance.now();
    const { content, failed, wrote, facts, sources = [], gap, handover } = await this.dispatch(call);
    const isProse = call.name === 'get_store_policy';
    this.wrote ||= wrote;
    if (!failed) {
      this.facts = withFacts(this.facts, factsIn(content, { prose: isProse }), facts);
      this.sources.push(...sources);
      if (gap) this.gaps.push(gap);
      if (isProse) this.prose.push(textIn(JSON.parse(content)));
      const leaves = call.name === HANDOVER ? handoverOf(call) : handover;
      if (leaves) this.handover = this.handedOver(leaves);
    }
    const ms = Math.round(performance.now() - begun);
    return { id: call.id, tool: call.name, args: call.argsJson, result: content, ms, failed };
  }
}
