import type { OutboundService } from '../outbound/public';
import { chatStatuses, type ConversationKey } from '../records/public';
import { autoReplyId, findAutoReply } from './auto-reply';
import type { AutomationPayload } from './automation.payload';
import type { AutomationRepository } from './automation.repository';
import type { BotTurn } from './bot.turn';

export interface AutomationDependencies {
  readonly repository: AutomationRepository;
  readonly outbound: Pick<OutboundService, 'sendBubbles'>;
  readonly bot: Pick<BotTurn, 'ask'>;
  /** Hands an open chat that no bot answers to a member of its team, where the team wants that. */
  readonly distribute: (chat: ConversationKey, team: string) => Promise<void>;
}

const OPEN = chatStatuses.indexOf('open');

/**
 * Answers one inbound message of an open chat: welcome text, else keyword rule, else the bot; the first that applies, and
 * only that one. Without a bot the chat then goes to a member of its team, unless a rule has answered the question.
 * Jobs of one chat run at once and concurrently, never one after the other: the engine merges a burst only when the second
 * message arrives while the first request waits (design 5.2). Repeating a job is harmless: its answers have fixed ids.
 */
export const automationJob =
  (needs: AutomationDependencies) =>
  async (payload: AutomationPayload): Promise<void> => {
    const { repository, outbound, bot, distribute } = needs;
    const { storeId, attempt = 0 } = payload;
    const question = await repository.question(storeId, payload.conversationId, payload.seq);
    if (!question || question.status !== OPEN) return;
    const id = autoReplyId(storeId, question);
    // The bot was asked before: neither welcome text nor rule applied then
    const reply = attempt > 0 ? undefined : await findAutoReply(repository, payload, question);
    if (reply) await outbound.sendBubbles(payload, [{ id, content: reply.content }]);
    else if (await repository.wasSent(storeId, question.instance, id)) return;
    if (question.agentId === null) {
      if (reply?.kind !== 'rule') await distribute(payload, question.team);
      return;
    }
    if (!reply) await bot.ask(payload, question, question.agentId);
  };
