import type { BurstLine, HistoryLine, LoopInput } from '../loop/public';
import { NO_FACTS, type ConversationFacts } from '../tools/public';

/** What a turn was given: kept as `input` of its run for thirty days, for people who ask why, and for replays. JSON. */
export interface RunInput {
  readonly customerName?: string;
  readonly history: readonly HistoryLine[];
  /** As the customer said them, without their pictures. */
  readonly burst: readonly string[];
  /** Taken in before the final text. */
  readonly absorbed: readonly string[];
  /** Of the conversation, when the turn began. */
  readonly facts: ConversationFacts;
}

const contentOf = ({ content }: BurstLine): string => content;

/** The record of a turn's input; `absorbed` comes from its outcome. */
export const runInput = (input: LoopInput, absorbed: readonly BurstLine[] = []): RunInput => ({
  ...(input.customerName === undefined ? {} : { customerName: input.customerName }),
  history: input.history,
  burst: input.burst.map(contentOf),
  absorbed: absorbed.map(contentOf),
  facts: input.context.facts,
});

/** What a run kept of its input; undefined when it is none, or over. */
export const readRunInput = (kept: unknown): RunInput | undefined => {
  const { history = [], burst, absorbed = [], facts, ...more } = (kept ?? {}) as Partial<RunInput>;
  return Array.isArray(burst) ? { ...more, history, burst, absorbed, facts: { ...NO_FACTS, ...facts } } : undefined;
};
