import type { Deliver, Verdict } from '@platform/outbox';
import type { Logger } from '@platform/runtime';
import type { ChatClient, Escalation, PushedBubble, PushVerdict } from '../../clients/chat.client';
import { ESCALATE, type PushPayload } from './push.rows';

/** What the bot says an hour late is said to nobody; a person who was promised is owed as long as messages wait at the gateway. */
const MOST_SECONDS = { answer: 3_600, escalation: 86_400 };

const outcomeOf = ({ verdict, dropped }: PushVerdict, maxAgeSeconds: number): Verdict => {
  if (dropped) return { verdict: 'done', outcome: 'dropped' };
  return verdict.verdict === 'retry' ? { maxAgeSeconds, ...verdict } : verdict;
};

/** Sends one row to chat-backend (design 3.3); what cannot be sent is told, because a customer waits for it. */
export const pushDelivery = (chat: ChatClient, logger: Logger): Deliver<PushPayload> => {
  const tell = (row: { readonly id: string; readonly kind: string; readonly lane: string }, reason: string) =>
    logger.error('an answer could not be pushed', { row: row.id, kind: row.kind, conversation: row.lane, reason });
  const settled = (row: Parameters<typeof tell>[0], verdict: Verdict): Verdict => {
    if (verdict.verdict === 'done') return verdict;
    const settle = async () => tell(row, verdict.reason);
    return { ...verdict, settle };
  };
  return async (row, signal) => {
    const { kind, payload } = row;
    if (!payload.instanceId) return settled(row, { verdict: 'dead', reason: 'no_instance' });
    if (kind === ESCALATE.name)
      return settled(row, outcomeOf(await chat.escalate(payload as Escalation, signal), MOST_SECONDS.escalation));
    return settled(row, outcomeOf(await chat.push(payload as PushedBubble, signal), MOST_SECONDS.answer));
  };
};
