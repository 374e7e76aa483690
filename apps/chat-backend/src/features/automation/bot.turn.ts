import type { Logger } from '@platform/runtime';
import type { BotBubble, BotClient, BotQuestion } from '../../clients/bot.client';
import type { MediaLinks } from '../media/public';
import type { Bubble, OutboundService } from '../outbound/public';
import { chatIdOf, chatStatuses } from '../records/public';
import type { ChatAnnouncer } from '../sockets/public';
import type { BotAskPayload } from './automation.payload';
import type { AutomationRepository, OpenQuestion } from './automation.repository';
import type { BotQuestions } from './bot.questions';

export interface BotTurnDependencies {
  readonly repository: AutomationRepository;
  readonly outbound: Pick<OutboundService, 'sendBubbles'>;
  readonly bot: BotClient;
  readonly questions: BotQuestions;
  readonly announcer: Pick<ChatAnnouncer, 'history'>;
  readonly links: Pick<MediaLinks, 'link'>;
  readonly logger: Logger;
}

const OPEN = chatStatuses.indexOf('open');
const GIVE_UP_MS = 10 * 60_000;
const LONGEST_PAUSE_SECONDS = 60;
const ESCALATE = ['', 'requested', 'finished'];

/** What the bot receives for a message without text (design 5.2). */
const wordsOf = ({ type, text, caption, filename, latitude, longitude, place }: OpenQuestion): string => {
  if (text) return text;
  if (type === 'document') return `[dokumen: ${filename ?? ''}]${caption ? ` ${caption}` : ''}`;
  if (type === 'location') return `[lokasi: ${latitude},${longitude}${place ? ` ${place}` : ''}]`;
  const label = { image: '[gambar]', video: '[video]', audio: '[audio]' }[type] ?? `[${type}]`;
  return caption ? `${label} ${caption}` : label;
};

const bubbleOf = (bubble: BotBubble): Bubble =>
  'text' in bubble
    ? { id: bubble.id, content: { type: 'chat', text: bubble.text } }
    : { id: bubble.id, content: { type: 'image', file: { use: 'image', url: bubble.picture } } };

/**
 * One question to the bot and what becomes of its answer (design 5.2). Turns of one chat run concurrently, never one after
 * the other: the engine merges a burst only when the second message arrives while the first request waits. A repeated turn
 * asks with the same `idMessage`, and its answer has the same ids.
 */
export class BotTurn {
  constructor(private readonly needs: BotTurnDependencies) {}

  /** Nothing when the chat is no longer the bot's. */
  async take(payload: BotAskPayload): Promise<void> {
    const question = await this.needs.repository.question(payload.storeId, payload.conversationId, payload.seq);
    if (question?.status !== OPEN || question.agentId === null) return;
    await this.ask(payload, this.questionOf(payload, question, question.agentId));
  }

  private async ask(payload: BotAskPayload, question: BotQuestion): Promise<void> {
    const { since = Date.now(), attempt = 0 } = payload;
    const { logger, bot } = this.needs;
    const answer = await bot.ask(question);
    if (answer.kind === 'answered') return this.deliver(payload, answer.bubbles);
    const chat = { chatId: chatIdOf(payload), reason: answer.reason };
    if (answer.kind === 'refused') {
      logger.warn('the bot refuses a message', chat);
      return this.needs.questions.refused(payload);
    }
    if (Date.now() - since > GIVE_UP_MS) {
      logger.error('the bot will not answer this message', chat);
      return this.needs.questions.giveUp(payload, answer.reason);
    }
    logger.warn('the bot did not answer, asking again', { ...chat, attempt });
    await this.needs.questions.again(
      { ...payload, since, attempt: attempt + 1 },
      answer.afterSeconds ?? Math.min(2 * 2 ** attempt, LONGEST_PAUSE_SECONDS),
    );
  }

  /** An answer that comes when the chat is no longer open is dropped, and the chat's history says so. */
  private async deliver(payload: BotAskPayload, bubbles: readonly BotBubble[]): Promise<void> {
    if (bubbles.length === 0) return;
    const { outbound, repository, announcer } = this.needs;
    if ((await outbound.sendBubbles(payload, bubbles.map(bubbleOf))) > 0) return;
    const ids = bubbles.map(({ id }) => id);
    const dropped = await repository.drop(payload, payload.seq, ids);
    if (dropped) announcer.history(chatIdOf(payload), [dropped]);
  }

  private questionOf(chat: BotAskPayload, question: OpenQuestion, agentId: string): BotQuestion {
    const picture = question.type === 'image' ? question.file : null;
    return {
      idUser: question.nohp,
      idAgent: agentId,
      idStore: chat.storeId,
      // The engine tells its model of the pictures that it gets: told twice, the model sees two
      message: picture ? (question.caption ?? '') : wordsOf(question),
      ...(picture ? { images: [this.needs.links.link(picture)] } : {}),
      idMessage: question.messageId,
      instanceID: question.instance,
      chatId: chatIdOf(chat),
      team: question.team,
      episode: question.episode,
      escalate: ESCALATE[question.escalate] ?? '',
      ...(question.name ? { name: question.name } : {}),
      timestamp: question.timestamp,
      seq: chat.seq,
    };
  }
}
