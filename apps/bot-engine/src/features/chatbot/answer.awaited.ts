import { setTimeout as delay } from 'node:timers/promises';
import { Unavailable } from '@platform/errors';
import type { Conversations } from '../conversations/public';
import type { Mailbox } from '../mailbox/public';
import type { CustomerMessage } from './customer.message';
import { SKIPPED, statusOf, type ChatbotAnswer } from './lead.types';
import type { KeptReply } from './leader';
import { stoppingNow } from './turn.life';

const LOOK_MS = 250;
/** How many looks at the mailbox come to one at the database. */
const DATABASE_EVERY = 8;

export interface AwaitedDeps {
  readonly mailbox: Pick<Mailbox, 'getReply' | 'pending'>;
  readonly conversations: Pick<Conversations, 'answered'>;
}

export interface Awaited {
  readonly message: CustomerMessage;
  /** Lease under which the message was first taken. */
  readonly token: string;
  /** Epoch milliseconds. */
  readonly until: number;
  /** Aborts when nobody waits any more, or the process stops. */
  readonly ending: AbortSignal;
}

/**
 * The answer to a message that another request leads: the stored one as soon as there is one. Undefined when nobody is at it
 * any more; throws `Unavailable` when it takes too long.
 */
export const awaitedAnswer = async (deps: AwaitedDeps, awaited: Awaited): Promise<ChatbotAnswer | undefined> => {
  const { message, token, until, ending } = awaited;
  const { storeId, conversationKey, mailboxKey: key, messageId } = message;
  const stored = async (): Promise<ChatbotAnswer | undefined> => {
    const found = await deps.conversations.answered({ storeId, key: conversationKey }, [messageId], token);
    if (!found) return undefined;
    return { status: statusOf(found.runs), runs: found.runs, history: found.lines, replayed: true };
  };
  const kept = async (): Promise<ChatbotAnswer | undefined> => {
    const reply = (await deps.mailbox.getReply(key, token)) as KeptReply | null;
    if (!reply) return undefined;
    return reply.answered ? stored() : { ...SKIPPED, status: reply.status, replayed: true };
  };
  for (let look = 0; Date.now() < until; look += 1) {
    // First whether somebody is at it: what ends after that is found below
    const isPending = await deps.mailbox.pending(key);
    const answer = (await kept()) ?? (look % DATABASE_EVERY === 0 || !isPending ? await stored() : undefined);
    if (answer) return answer;
    if (!isPending) return undefined;
    await delay(LOOK_MS, undefined, { signal: ending }).catch(() => undefined);
    if (ending.aborted) throw stoppingNow();
  }
  throw new Unavailable('the conversation is busy', { retryAfterSeconds: 2 });
};
