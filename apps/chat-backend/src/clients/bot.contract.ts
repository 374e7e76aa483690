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

  it('bot-engine keeps the conversation of a hidden id whose number is learned, and answers its messages the same way', async () => {
    const { client, question } = subjectOf();
    const hidden = `${question.idUser}@lid`;
    const asked = { ...question, idMessage: `${question.idMessage}-3` };
    const answer = await client.ask({ ...asked, idUser: hidden });
    expect(answer).toMatchObject({ kind: 'answered', bubbles: expect.arrayContaining([expect.anything()]) as object });
    expect(await client.ask({ ...asked, begunAs: hidden })).toEqual(answer);
  });

  it('bot-engine answers a message of files alone, after lines that it was not asked', async () => {
    const { client, question } = subjectOf();
    const since = [
      { role: 'customer', content: 'bisa cicil?', seq: 1 },
      { role: 'team', content: 'Bisa kak', seq: 2 },
      { role: 'auto', content: 'Ongkir 10rb', seq: 3 },
    ] as const;
    // Of another customer: how many a minute one may ask is counted
    const idUser = `${question.idUser.slice(0, -1)}${(Number(question.idUser.at(-1)) + 1) % 10}`;
    const files = { images: ['http://127.0.0.1:9/media/a'], audio: ['http://127.0.0.1:9/media/b'] };
    const asked = { ...question, ...files, idUser, message: '[gambar]', idMessage: `${question.idMessage}-2` };
    const answer = await client.ask({ ...asked, since, seq: 4 });
    expect(answer).toMatchObject({ kind: 'answered', bubbles: expect.arrayContaining([expect.anything()]) as object });
  });
};
