import type { Logger } from '@platform/runtime';
import type { BotClient, BotQuestion } from '../../clients/bot.client';
import { chatIdOf, type ConversationKey } from '../records/public-id';
import { chatStatuses } from '../records/record.sql';
import type { OutboundService } from '../outbound/outbound.service';
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

/**
 * Lets the bot answer one inbound message of an open chat. Jobs of one chat run at once and concurrently, never one after
 * the other: the engine merges a burst only when the second message arrives while the first request waits (design 5.2).
 * Repeating it is harmless: the engine answers an `idMessage` once, and its message ids are stored once.
 */
export const automationJob =
  ({ repository, outbound, bot, again, logger }: AutomationDependencies) =>
  async (payload: AutomationPayload): Promise<void> => {
    const { since = Date.now(), attempt = 0 } = payload;
    const question = await repository.question(payload.storeId, payload.conversationId, payload.seq);
    if (!question || question.status !== OPEN || !question.agentId) return;
    const answer = await bot.ask(questionOf(payload, question, question.agentId));
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
