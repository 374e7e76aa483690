import type { BotAnswer, BotClient, BotQuestion } from './bot.client';

/** Answers what it is told to; keeps what it was asked. */
export class FakeBot implements BotClient {
  readonly questions: BotQuestion[] = [];
  readonly next: ((question: BotQuestion) => Promise<BotAnswer> | BotAnswer)[] = [];

  async ask(question: BotQuestion): Promise<BotAnswer> {
    this.questions.push(question);
    const scripted = this.next.shift();
    return scripted
      ? scripted(question)
      : { kind: 'answered', bubbles: [{ id: `bot-${question.idMessage}-0`, text: `jawab ${question.message}` }] };
  }
}
