import { until } from '@platform/testing';
import { question } from '../../app.fixture';
import { MODES, useTurns } from '../../turns.fixture';

describe.each(MODES)('a store with more customers at once than it has turns, %s,', (_, redis) => {
  const { database, post, runsOf, useModel, asked, pushedTo } = useTurns(redis, { BOT_WINDOW_MS: '1500' });

  it('has them answered one after the other; nobody is lost, and another store waits for nobody', async () => {
    await database.query(`INSERT INTO bot_stores (store_id, name) VALUES ('S2', 'Toko Lain')`);
    await database.query(`INSERT INTO bot_agents (store_id, id, name, prompt) VALUES ('S2', 'A2', 'Lain', 'p')`);
    await useModel('sandbox-slow-2500');
    await database.query(`UPDATE bot_agents SET model = NULL WHERE id = 'A2'`);
    const sent = Array.from({ length: 26 }, (_, n) =>
      question({ message: `halo ramai ${n}`, instanceID: 'dev1', team: '3' }),
    );
    const waiting = Promise.all(sent.map((message) => post(message)));
    await until(() => asked('ramai').length >= 20);
    expect(await post(question({ idStore: 'S2', idAgent: 'A2', message: 'halo' }))).toMatchObject({ bot: 'answered' });
    const answers = await waiting;
    const later = sent.filter((_, n) => answers[n]?.status !== 201);
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(20).fill(201), ...Array(6).fill(503)]);
    for (const { idUser } of later) await until(() => pushedTo(idUser).length > 0);
    const runs = await Promise.all(sent.map(({ idUser }) => runsOf(idUser)));
    expect(runs.map((all) => all.map(({ status }) => status))).toEqual(Array(26).fill(['done']));
    expect((await post(later[0] as object)).ids).toEqual(
      pushedTo(later[0]?.idUser ?? '').map(({ pesanId }) => pesanId),
    );
  });
});
