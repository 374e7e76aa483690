import type { BotClient, BotQuestion } from './bot.client';

export interface BotSubject {
  readonly client: BotClient;
  /** From a customer who wrote nothing before. */
  readonly question: BotQuestion;
}

/** What this service relies on at bot-engine; runs on the fake here, and in tools/stack on the service itself. */
export const botContract = (subjectOf: () => BotSubject): void => {
  it('bot-engine answers with texts that have ids, and the same question with the same ones', async () => {
    const { client, question } = subjectOf();
    const answer = await client.ask(question);
    expect(answer).toEqual({
      kind: 'answered',
      bubbles: expect.arrayContaining([{ id: expect.stringMatching(/./), text: expect.stringMatching(/./) }]),
    });
    expect(await client.ask(question)).toEqual(answer);
  });
};
