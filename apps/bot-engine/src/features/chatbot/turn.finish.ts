import type { FinishedRun, FinishedTurn, LoggedRequest, SaidLine, StoredReply } from '../conversations/public';
import type { LoopOutcome } from '../loop/public';
import type { RunInput } from '../runs/public';
import type { TurnInput } from './turn.types';

export interface RunFacts {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly begun: number;
  readonly outcome: LoopOutcome;
  readonly said: readonly SaidLine[];
  readonly requests: readonly LoggedRequest[];
  /** What the loop was given. */
  readonly given: Pick<RunInput, 'history' | 'burst' | 'facts'>;
}

const sum = (numbers: readonly (number | null | undefined)[]): number =>
  numbers.reduce<number>((total, number) => total + (number ?? 0), 0);

/** Outbound ids that the same run always gives (design 2.2). */
const replyOf = (runId: string, { bubbles, images }: LoopOutcome): StoredReply => ({
  answer: bubbles,
  images,
  messageIds: [...bubbles.map((_, n) => `bot-${runId}-${n}`), ...images.map((_, n) => `bot-${runId}-img-${n}`)],
});

export const finishedRun = (
  { id, begun, outcome, said, requests, given }: RunFacts,
  { messages, bot, leader }: TurnInput,
): FinishedRun => {
  const usage = requests.map(({ attempt }) => attempt.reply?.usage);
  const name = messages.findLast(({ customerName }) => customerName)?.customerName;
  const absorbed = outcome.absorbed.map(({ content }) => content);
  const input: RunInput = { ...given, absorbed, ...(name ? { customerName: name } : {}) };
  return {
    id,
    leadToken: leader.token,
    status: outcome.status,
    reply: replyOf(id, outcome),
    mergedIds: said.map(({ messageId }) => messageId),
    input,
    sources: outcome.sources,
    steps: outcome.steps.length,
    tokensIn: sum(usage.map((each) => each?.in)),
    tokensOut: sum(usage.map((each) => each?.out)),
    costMicros: sum(requests.map(({ attempt }) => attempt.costMicros)),
    ms: { queue: begun - leader.begunAt, model: outcome.ms.model, total: Date.now() - leader.begunAt },
    agentVersion: bot.agent.version,
  };
};

const MINUTE_MS = 60_000;

/** For how long people have the conversation (design 3.6): after a failure not for long, or an outage would silence every bot for half a day. */
export const handedOver = (
  { status, handover }: LoopOutcome,
  { bot: { agent }, messages, unasked, now }: Pick<TurnInput, 'bot' | 'messages' | 'unasked'> & { readonly now: Date },
): FinishedTurn['handover'] => {
  const minutes = status === 'fallback' ? agent.failureResumeMin : agent.resumeAfterMin;
  const episodes = messages.flatMap(({ episode }) => episode ?? []);
  return {
    reason: unasked?.reason ?? handover?.reason ?? status,
    episode: episodes.length > 0 ? Math.max(...episodes) : undefined,
    resumeAt: unasked?.resumeAt ?? new Date(now.getTime() + minutes * MINUTE_MS),
  };
};
