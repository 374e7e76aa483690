import type { Logger } from '@platform/runtime';
import type { BotClient, BotQuestion } from '../../clients/bot.client';
import { chatIdOf, type ConversationKey } from '../records/public-id';
import { chatStatuses } from '../records/record.sql';
import type { OutboundService } from '../outbound/outbound.service';
import { autoReplyId, findAutoReply } from './auto-reply';
import type { AutomationRepository, OpenQuestion } from './automation.repository';

/** Written by the ingest statement in the transaction that stored the message. */
export interface AutomationPayload extends ConversationKey {
  readonly seq: number;
  /** When asking began, epoch milliseconds; absent on the first try. */
  readonly since?: number;
  readonly attempt?: number;
}

export interface AutomationDependencies {
  readonly repository: AutomationRepository;
  readonly outbound: Pick<OutboundService, 'sendBubbles'>;
  readonly bot: BotClient;
  /** Hands an open chat that no bot answers to a member of its team, where the team wants that. */
  readonly distribute: (chat: ConversationKey, team: string) => Promise<void>;
  /** Asks again later: the queue's own pauses are fixed, these are not (design 5.2). */
  readonly again: (payload: AutomationPayload, afterSeconds: number) => Promise<void>;
  readonly logger: Logger;
}

const OPEN = chatStatuses.indexOf('open');
const GIVE_UP_MS = 10 * 60_000;
const LONGEST_PAUSE_SECONDS = 60;
const ESCALATE = ['', 'requested', 'finished'];

/** What the bot is told of a message without text (design 5.2). */
const wordsOf = ({ type, text, caption, filename, latitude, longitude }: OpenQuestion): string => {
  if (text) return text;
  if (type === 'document') return `[dokumen: ${filename ?? ''}]${caption ? ` ${caption}` : ''}`;
  if (type === 'location') return `[lokasi: ${latitude},${longitude}]`;
  const label = { image: '[gambar]', video: '[video]', audio: '[audio]' }[type] ?? `[${type}]`;
  return caption ? `${label} ${caption}` : label;
};

const questionOf = (chat: ConversationKey, question: OpenQuestion, agentId: string): BotQuestion => ({
  idUser: question.nohp,
  idAgent: agentId,
  idStore: chat.storeId,
  message: wordsOf(question),
  idMessage: question.messageId,
  instanceID: question.instance,
  chatId: chatIdOf(chat),
  team: question.team,
  episode: question.episode,
  escalate: ESCALATE[question.escalate] ?? '',
  ...(question.name ? { name: question.name } : {}),
  timestamp: question.timestamp,
});

/** Lets the bot answer; a bot that cannot answer now is asked again by a successor job. */
const askBot = async (
  { outbound, bot, again, logger }: AutomationDependencies,
  payload: AutomationPayload,
  question: BotQuestion,
): Promise<void> => {
  const { since = Date.now(), attempt = 0 } = payload;
  const answer = await bot.ask(question);
  if (answer.kind === 'answered') {
    if (answer.bubbles.length > 0) await outbound.sendBubbles(payload, answer.bubbles);
    return;
  }
  const chat = { chatId: chatIdOf(payload), reason: answer.reason };
  if (answer.kind === 'refused' || Date.now() - since > GIVE_UP_MS) {
    logger.error('the bot will not answer this message', chat);
    return;
  }
  logger.warn('the bot did not answer, asking again', { ...chat, attempt });
  await again(
    { ...payload, since, attempt: attempt + 1 },
    answer.afterSeconds ?? Math.min(2 * 2 ** attempt, LONGEST_PAUSE_SECONDS),
  );
};

/**
 * Answers one inbound message of an open chat: welcome text, else keyword rule, else the bot; the first that applies, and
 * only that one. Without a bot the chat then goes to a member of its team, unless a rule has answered the question.
 * Jobs of one chat run at once and concurrently, never one after the other: the engine merges a burst only when the second
 * message arrives while the first request waits (design 5.2). Repeating a job is harmless: its answers have fixed ids.
 */
export const automationJob =
  (needs: AutomationDependencies) =>
  async (payload: AutomationPayload): Promise<void> => {
    const { repository, outbound, distribute } = needs;
    const { storeId, attempt = 0 } = payload;
    const question = await repository.question(storeId, payload.conversationId, payload.seq);
    if (!question || question.status !== OPEN) return;
    const id = autoReplyId(storeId, question);
    // The bot was asked before: neither welcome text nor rule applied then
    const reply = attempt > 0 ? undefined : await findAutoReply(repository, payload, question);
    if (reply) await outbound.sendBubbles(payload, [{ id, text: reply.text }]);
    else if (await repository.wasSent(storeId, question.instance, id)) return;
    if (question.agentId === null) {
      if (reply?.kind !== 'rule') await distribute(payload, question.team);
      return;
    }
    if (!reply) await askBot(needs, payload, questionOf(payload, question, question.agentId));
  };
