import { until } from '@platform/testing';
import { newCustomer, question } from '../../app.fixture';
import { MODES, useTurns, type Said } from '../../turns.fixture';

const body = ({ answer, images, history, ids }: Said) => ({ answer, images, history, ids });

describe.each(MODES)('a repeated message, %s,', (_, redis) => {
  const { database, post, runsOf, asked, useModel, pushedTo, keys, bots } = useTurns(redis);

  it('sent ten times at once has one run, and every request its answer', async () => {
    const sent = question({ message: `sepatu ${newCustomer()}` });
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(sent)));
    expect(new Set(answers.map((answer) => JSON.stringify(body(answer)))).size).toBe(1);
    expect(answers.map(({ bot }) => bot)).toEqual(Array(10).fill('answered'));
    expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
    expect(await runsOf(sent.idUser)).toHaveLength(1);
  });

  it('waits for the turn that is at it', async () => {
    await useModel('sandbox-slow-800');
    const sent = question({ message: 'halo' });
    const first = post(sent);
    const again = post(sent);
    const answers = await Promise.all([first, again]);
    await useModel(null);
    expect(body(answers[0])).toEqual(body(answers[1]));
    expect(answers[0].answer).toHaveLength(1);
  });

  it('of a silent conversation gets nothing, as the first time', async () => {
    const idUser = newCustomer();
    await post(question({ idUser, message: 'mau bicara dengan admin' }));
    const sent = question({ idUser, message: 'halo?' });
    const first = await post(sent);
    expect(first).toMatchObject({ bot: 'handover', answer: [] });
    expect(await post(sent)).toEqual({ ...first, isReplayed: true });
  });

  if (keys)
    it('is known to the database when Redis has lost everything', async () => {
      const sent = question({ message: 'sepatu lari' });
      const first = await post(sent);
      const calls = asked('sepatu lari').length;
      await keys.forget('*');
      const again = await post(sent);
      expect(again).toEqual({ ...first, isReplayed: true });
      expect([asked('sepatu lari').length, (await runsOf(sent.idUser)).length]).toEqual([calls, 1]);
    });

  if (keys)
    it('of which another leader took the lease is answered by whoever commits first; the other answer is dropped', async () => {
      const sent = question({ message: `halo ${newCustomer()}`, instanceID: 'dev1', team: '3' });
      await useModel('sandbox-slow-6000');
      const stale = post(sent);
      await until(() => asked(sent.message).length === 1);
      await useModel(null);
      await keys.forget('b:{*}:lease');
      await until(() => pushedTo(sent.idUser).length > 0);
      const [run, ...more] = await runsOf(sent.idUser);
      const answer = await stale;
      expect(more).toEqual([]);
      expect(answer).toMatchObject({ bot: 'answered', ids: [`bot-${run?.id}-0`] });
      expect(pushedTo(sent.idUser).map(({ pesanId }) => pesanId)).toEqual(answer.ids);
      const requests = await database.query(
        'SELECT DISTINCT run_id FROM llm_requests WHERE run_id IS NOT NULL AND run_id NOT IN (SELECT id FROM bot_runs)',
      );
      expect(requests).toEqual([]);
      const told = bots.all.map(
        ({ log }) => log.filter((line) => line.includes('"message":"turn"') && line.includes(run?.id ?? '?')).length,
      );
      expect(told.reduce((sum, count) => sum + count, 0)).toBe(1);
    });
});
