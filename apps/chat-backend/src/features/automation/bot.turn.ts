import { setTimeout } from 'node:timers/promises';
import type { JobContext } from '@platform/jobs';
import { cut, type Logger } from '@platform/runtime';
import type { BotAnswer, BotBubble, BotClient, BotQuestion } from '../../clients/bot.client';
import type { Bubble, OutboundService } from '../outbound/public';
import { chatIdOf, chatStatuses } from '../records/public';
import type { ChatAnnouncer } from '../sockets/public';
import type { BotAskPayload } from './automation.payload';
import { knownToBot, type AutomationRepository, type BotTurnQuestion } from './automation.repository';
import type { BotQuestions } from './bot.questions';
import { wordsOf } from './message.words';

export interface BotTurnDependencies {
  readonly repository: AutomationRepository;
  readonly outbound: Pick<OutboundService, 'sendBubbles'>;
  readonly bot: BotClient;
  readonly questions: BotQuestions;
  readonly announcer: Pick<ChatAnnouncer, 'history'>;
  /** Where the bot fetches a stored file from. */
  readonly linkOf: (file: string) => string;
  readonly logger: Logger;
}

const OPEN = chatStatuses.indexOf('open');
const GIVE_UP_MS = 10 * 60_000;
const LONGEST_PAUSE_SECONDS = 60;
const MOST_SINCE = 1_000;
/** Automation decides within milliseconds; one that failed is not waited for. */
const MOST_LOOKS = 10;
const LOOK_MS = 200;
const ESCALATE = ['', 'requested', 'finished'];

const bubbleOf = (bubble: BotBubble): Bubble =>
  'text' in bubble
    ? { id: bubble.id, content: { type: 'chat', text: bubble.text } }
    : { id: bubble.id, content: { type: 'image', file: { use: 'image', url: bubble.picture } } };

/** Whether people have dealt with it, though the chat is the bot's again: not every line from a phone is one of a person who saw it. */
const isOfPeople = ({ merged }: BotAskPayload, { isPeoples, hasTurned, isAnswered }: BotTurnQuestion): boolean =>
  hasTurned || isAnswered || (merged === true && isPeoples);

/**
 * One question to the bot and what becomes of its answer (design 5.2). Turns of one chat run concurrently, never one after
 * the other: the engine merges a burst only when the second message arrives while the first request waits. A repeated turn
 * asks with the same `idMessage`, and its answer has the same ids.
 */
export class BotTurn {
  constructor(private readonly needs: BotTurnDependencies) {}

  /** What the bot does not answer is for people, as in a chat without a bot. Nothing when people have the chat already. */
  async take(payload: BotAskPayload, job: Pick<JobContext, 'attempt'>): Promise<void> {
    const question = await this.seen(payload);
    // What was answered while people had the chat was dropped then, and what they have answered needs no other answer
    if (question?.status !== OPEN || isOfPeople(payload, question)) return this.kept(payload);
    const { agentId, team } = question;
    if (agentId === null) await this.kept(payload);
    else if (await this.isAnswered(payload, this.questionOf(payload, question, agentId), job.attempt)) return;
    await this.needs.questions.handOut(payload, team);
  }

  /** What the bot took before stays put to it. */
  private async kept(payload: BotAskPayload): Promise<void> {
    if (!payload.merged) await this.needs.questions.kept(payload);
  }

  /** As it stands once automation has decided on the messages before it: who of a burst was greeted is the bot's to know. */
  private async seen(payload: BotAskPayload): Promise<BotTurnQuestion | undefined> {
    for (let looks = 1; ; looks++) {
      const question = await this.needs.repository.botQuestion(payload);
      if (!question?.undecided || looks === MOST_LOOKS) return question;
      await setTimeout(LOOK_MS);
    }
  }

  /** Whether the bot goes on with the chat, now or when it is asked again. */
  private async isAnswered(payload: BotAskPayload, question: BotQuestion, jobAttempt: number): Promise<boolean> {
    const { bot, questions } = this.needs;
    const answer = await bot.ask(question);
    if (answer.kind === 'later') return this.isAskedAgain(payload, answer);
    if (answer.kind === 'merged') {
      await questions.onceMore(payload);
      return true;
    }
    if (answer.kind === 'refused') {
      this.needs.logger.warn('the bot refuses a message', { chatId: chatIdOf(payload), reason: answer.reason });
      await questions.unanswered(payload);
      return false;
    }
    await this.deliver(payload, answer.bubbles, jobAttempt);
    if (answer.kind === 'answered') return true;
    await (answer.bubbles.length > 0 ? questions.handedOver(payload) : questions.unanswered(payload));
    return false;
  }

  private async isAskedAgain(
    payload: BotAskPayload,
    { reason, afterSeconds }: Extract<BotAnswer, { kind: 'later' }>,
  ): Promise<boolean> {
    const { logger, questions } = this.needs;
    const { attempt = 0 } = payload;
    const { since, ms } = questions.inVain(payload);
    const chat = { chatId: chatIdOf(payload), reason };
    if (ms > GIVE_UP_MS) {
      logger.error('the bot will not answer this message', chat);
      await questions.giveUp(payload, reason);
      return false;
    }
    logger.warn('the bot did not answer, asking again', { ...chat, attempt });
    const pause = afterSeconds ?? Math.min(2 * 2 ** attempt, LONGEST_PAUSE_SECONDS);
    await questions.again({ ...payload, since, attempt: attempt + 1 }, pause);
    return true;
  }

  /** An answer that comes when people have the chat, or had it and have answered, is dropped, and the chat's history says so. */
  private async deliver(payload: BotAskPayload, bubbles: readonly BotBubble[], attempt: number): Promise<void> {
    if (bubbles.length === 0) return;
    const { outbound, repository, announcer } = this.needs;
    const question = await repository.botQuestion(payload);
    const isTheirs = question !== undefined && isOfPeople(payload, question);
    if (!isTheirs && (await outbound.sendBubbles(payload, bubbles.map(bubbleOf), attempt)) > 0) return;
    const ids = bubbles.map(({ id }) => id);
    const dropped = await repository.drop(payload, payload.seq, ids);
    if (dropped) announcer.history(chatIdOf(payload), [dropped]);
  }

  private questionOf(chat: BotAskPayload, question: BotTurnQuestion, agentId: string): BotQuestion {
    const { type, file, untold } = question;
    const link = file !== null && (type === 'image' || type === 'audio') && [this.needs.linkOf(file)];
    const begunAs = chat.nohp ?? knownToBot(question);
    const since = untold.map((line) => ({ role: line.role, content: cut(wordsOf(line), MOST_SINCE), seq: line.seq }));
    return {
      idUser: question.nohp,
      ...(begunAs !== question.nohp && { begunAs }),
      idAgent: agentId,
      idStore: chat.storeId,
      message: wordsOf(question, link !== false),
      ...(link && { [type === 'image' ? 'images' : 'audio']: link }),
      ...(since.length > 0 ? { since: since.toReversed() } : {}),
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
