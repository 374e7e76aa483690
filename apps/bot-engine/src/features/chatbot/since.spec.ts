import { newCustomer, question } from '../../app.fixture';
import { MODES, useTurns } from '../../turns.fixture';

describe.each(MODES)('what a person said meanwhile, %s,', (_, redis) => {
  const { post, llm } = useTurns(redis);

  /** The lines that the model was told for a question, without the instructions. */
  const toldFor = (words: string): string[] => {
    const request = llm.requests.find(
      ({ body }) => (body.messages as { content: unknown }[]).at(-1)?.content === words,
    );
    const messages = (request?.body.messages ?? []) as { role: string; content: string }[];
    return messages.slice(1).map(({ role, content }) => `${role}: ${content}`);
  };
  const since = [
    { role: 'customer', content: 'pesanan saya mana', seq: 11 },
    { role: 'team', content: 'sudah kami kirim kak', seq: 12 },
    { role: 'auto', content: 'Toko tutup pukul 21', seq: 13 },
  ];
  const lines = [
    'user: pesanan saya mana',
    'assistant: [tim] sudah kami kirim kak',
    'assistant: [tim] Toko tutup pukul 21',
  ];

  it('is told to the model once and in order after a hand-back; the bot goes on from there', async () => {
    const idUser = newCustomer();
    await post(question({ idUser, message: 'mau bicara dengan admin', episode: 1, seq: 10 }));
    const words = `sandal biru ada? ${idUser}`;
    const first = await post(question({ idUser, message: words, episode: 2, since, seq: 14 }));
    expect(first).toMatchObject({ bot: 'answered', answer: [expect.stringContaining('Sandal')] });
    expect(toldFor(words)).toEqual([...lines, `user: ${words}`]);
    expect(first.history).toHaveLength(5);
    const next = `sepatu hitam ada? ${idUser}`;
    const second = await post(
      question({
        idUser,
        message: next,
        episode: 2,
        since: [...since, { role: 'team', content: 'siap', seq: 15 }],
        seq: 16,
      }),
    );
    expect(toldFor(next)).toEqual([
      ...lines,
      `user: ${words}`,
      `assistant: ${first.answer[0]}`,
      'assistant: [tim] siap',
      `user: ${next}`,
    ]);
    expect(second.bot).toBe('answered');
  });

  it('is taken once from a burst, and not for a message of its own', async () => {
    const idUser = newCustomer();
    await post(question({ idUser, message: 'halo' }));
    const words = `sepatu? ${idUser}`;
    const told = { role: 'team', content: 'sebentar ya', seq: 21 };
    await post(
      question({ idUser, message: words, seq: 23, since: [told, { role: 'customer', content: words, seq: 23 }] }),
    );
    expect(toldFor(words).slice(2)).toEqual(['assistant: [tim] sebentar ya', `user: ${words}`]);
  });

  it('without places is recognised by its words', async () => {
    const idUser = newCustomer();
    const said = [{ role: 'team', content: 'siap kak' }];
    await post(question({ idUser, message: 'halo', since: said }));
    const words = `sepatu? ${idUser}`;
    await post(question({ idUser, message: words, since: [...said, { role: 'team', content: 'lalu ini' }] }));
    expect(toldFor(words).filter((line) => line.includes('[tim]'))).toEqual([
      'assistant: [tim] siap kak',
      'assistant: [tim] lalu ini',
    ]);
  });
});
