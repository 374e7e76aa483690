import { until } from '@platform/testing';
import { newCustomer, question } from '../../app.fixture';
import { MODES, useTurns } from '../../turns.fixture';

/** Long enough for another message. */
const SLOW = 'sandbox-slow-1500';
const SHOE = 'Ada kak, Sepatu Lari Nusa Hitam 42 Rp250.000, stok 7.';

describe.each(MODES)('a burst of messages, %s,', (_, redis) => {
  const { database, post, runsOf, asked } = useTurns(redis, { BOT_WINDOW_MS: '1500' });

  it('is one turn in the order of its chat: one request gets the answer, the others nothing', async () => {
    const idUser = newCustomer();
    const words = ['kak', 'mau tanya', 'sepatu lari', 'yang hitam', `ada ${idUser}?`];
    const burst = words.map((message, seq) => question({ idUser, message, seq, timestamp: 1_790_000_000 }));
    const shuffled = [3, 0, 4, 2, 1].map((n) => burst[n] as (typeof burst)[number]);
    const answers = await Promise.all(shuffled.map((message) => post(message)));
    const merged = answers.filter(({ bot }) => bot === 'merged');
    const [answered] = answers.filter(({ bot }) => bot === 'answered');
    expect(merged).toEqual(
      Array(4).fill({ status: 201, answer: [], images: [], history: [], bot: 'merged', ids: [], isReplayed: false }),
    );
    expect(answered?.answer).toEqual([SHOE]);
    expect(answered?.history).toEqual([
      ...words.map((content) => ({ role: 'user', content })),
      { role: 'assistant', content: SHOE },
    ]);
    expect(new Set(asked(idUser))).toEqual(new Set([words.join('\n')]));
    const runs = await runsOf(idUser);
    expect(runs.map(({ merged_ids }) => merged_ids)).toEqual([burst.map(({ idMessage }) => idMessage)]);
  });

  it('is ordered by time where a message does not tell its place', async () => {
    const idUser = newCustomer();
    const burst = ['dua', 'satu', `tiga ${idUser}`].map((message, n) =>
      question({ idUser, message, timestamp: [20, 10, 30][n], ...(n > 0 ? { seq: 9 - n } : {}) }),
    );
    await Promise.all(burst.map((message) => post(message)));
    expect(asked(idUser)[0]).toBe(`satu\ndua\ntiga ${idUser}`);
  });

  it('repeats get what the first time got, whoever led', async () => {
    const idUser = newCustomer();
    const burst = ['halo', 'kak'].map((message) => question({ idUser, message }));
    const first = await Promise.all(burst.map((message) => post(message)));
    const again = await Promise.all(burst.map((message) => post(message)));
    expect(again).toEqual(first.map((answer) => ({ ...answer, isReplayed: answer.bot === 'answered' })));
  });

  it('of one who never stops is answered when the longest wait is over', async () => {
    await database.query('UPDATE bot_agents SET window_ms = 30000, max_wait_ms = 1500');
    const idUser = newCustomer();
    const answers = await Promise.all(['halo', 'kak'].map((message) => post(question({ idUser, message }))));
    await database.query('UPDATE bot_agents SET window_ms = NULL, max_wait_ms = NULL');
    expect(answers.map(({ bot }) => bot).sort()).toEqual(['answered', 'merged']);
  });
});

describe.each(MODES)('a message that arrives while the model is asked, %s,', (_, redis) => {
  const { post, runsOf, asked, useModel, pushedTo } = useTurns(redis);
  beforeAll(() => useModel(SLOW));
  const inFlight = (text: string, times = 1) =>
    until(
      () => asked(text).length,
      (count) => count >= times,
    );

  it('is taken into the turn, once; one after that has a round of its own in the same request', async () => {
    const idUser = newCustomer();
    const sent = ['halo', 'selamat pagi', 'halo lagi'].map((message) =>
      question({ idUser, message: `${message} ${idUser}` }),
    );
    const first = post(sent[0] as object);
    await inFlight(idUser);
    const second = await post(sent[1] as object);
    await inFlight('selamat pagi');
    const third = await post(sent[2] as object);
    const answer = await first;
    expect([second.bot, third.bot]).toEqual(['merged', 'merged']);
    const runs = await runsOf(idUser);
    const ids = sent.map(({ idMessage }) => idMessage);
    expect(runs.map(({ merged_ids }) => merged_ids)).toEqual([ids.slice(0, 2), ids.slice(2)]);
    expect(new Set(runs.map(({ lead_token }) => lead_token)).size).toBe(1);
    expect(answer).toMatchObject({ bot: 'answered', ids: runs.map(({ id }) => `bot-${id}-0`) });
    expect(answer.answer).toEqual([expect.any(String), expect.any(String)]);
    expect(answer.history.map(({ role }) => role)).toEqual(['user', 'user', 'assistant', 'user', 'assistant']);
    expect(await post(sent[0] as object)).toEqual({ ...answer, isReplayed: true });
    expect(pushedTo(idUser)).toEqual([]);
  });
});

describe.each(MODES)('a message for which a request has no round left, %s,', (_, redis) => {
  const { post, runsOf, asked, useModel, pushedTo } = useTurns(redis, { BOT_MAX_ROUNDS: '1' });
  beforeAll(() => useModel(SLOW));

  it('is answered by itself, and pushed', async () => {
    const idUser = newCustomer();
    const say = (message: string) => post(question({ idUser, instanceID: 'dev1', team: '3', message }));
    const first = say(`halo ${idUser}`);
    await until(() => asked(idUser).length > 0);
    await say('ini diserap');
    await until(() => asked('ini diserap').length > 0);
    await say(`sandal ${idUser}`);
    expect((await first).ids).toHaveLength(1);
    await until(() => pushedTo(idUser).length > 0);
    const [, run] = await runsOf(idUser);
    expect(pushedTo(idUser)).toEqual([
      {
        pesanId: `bot-${run?.id}-0`,
        instance: 'dev1',
        nohp: idUser,
        content: { text: expect.stringContaining('Sandal') },
      },
    ]);
  });
});
