import type { JobContext } from '@platform/jobs';
import type { OutboundService } from '../outbound/public';
import { chatStatuses, type ConversationKey } from '../records/public';
import { autoReplyId, findAutoReply, type AutoReply } from './auto-reply';
import type { AnswerPayload, AutomationPayload, BotAskPayload } from './automation.payload';
import { knownToBot, type AutomationRepository, type OpenQuestion } from './automation.repository';
import type { BotQuestions } from './bot.questions';
import type { WaitingAnswers } from './waiting.answers';

export interface AutomationDependencies {
  readonly repository: AutomationRepository;
  readonly outbound: Pick<OutboundService, 'sendBubbles'>;
  readonly bot: Pick<BotQuestions, 'wait' | 'kept' | 'greeted'>;
  readonly answers: Pick<WaitingAnswers, 'postponed'>;
  /** Hands an open chat that no bot answers to a member of its team, where the team wants that. */
  readonly distribute: (chat: ConversationKey, team: string) => Promise<void>;
}

const OPEN = chatStatuses.indexOf('open');

/** A welcome text answers no question, and the bot is not asked this one: people are told before the text goes, which goes once. */
const greetsForBot = (reply: AutoReply | undefined, { agentId }: OpenQuestion): boolean =>
  reply?.kind === 'welcome' && agentId !== null;

/**
 * Decides on one inbound message of an open chat: welcome text, else keyword rule, else the bot's turn; the first that
 * applies, and only that one. Without a bot the chat then goes to a member of its team, unless a rule has answered. Calls
 * no other service: a bot that hangs keeps nobody else waiting, its turn is a job of its own (design 5.2), and so is an answer
 * whose file is to be fetched, which comes here again. Repeating a job is harmless: its answers have fixed ids.
 */
export const automationJob =
  (needs: AutomationDependencies) =>
  async (
    payload: AutomationPayload | AnswerPayload | BotAskPayload,
    job: Pick<JobContext, 'attempt'>,
  ): Promise<void> => {
    const { repository, outbound, bot, answers, distribute } = needs;
    const { storeId } = payload;
    const question = await repository.question(storeId, payload.conversationId, payload.seq);
    if (!question) return;
    if (question.status !== OPEN) return bot.kept(payload);
    // Of the release before, which had asked the bot already: neither welcome text nor rule applied then
    if ('attempt' in payload) return bot.wait(payload);
    const id = autoReplyId(storeId, question);
    const reply = await findAutoReply(repository, payload, question);
    if (reply && (await answers.postponed(payload, reply.content.file !== undefined))) return;
    if (greetsForBot(reply, question)) await bot.greeted(payload);
    if (reply) await outbound.sendBubbles(payload, [{ id, content: reply.content }], job.attempt);
    else if (await repository.wasSent(storeId, question.instance, id)) return bot.kept(payload);
    if (reply || question.agentId === null) await bot.kept(payload);
    if (question.agentId === null) {
      if (reply?.kind !== 'rule') await distribute(payload, question.team);
      return;
    }
    if (!reply) await bot.wait({ ...payload, nohp: knownToBot(question) });
  };
