import { until } from '@platform/testing';
import { question } from '../../app.fixture';
import { CHATBOT, MODES, saidBy, useTurns } from '../../turns.fixture';

describe.each(MODES.filter(([, redis]) => redis !== undefined))('a process that stops, %s,', (_, redis) => {
  const { start, useModel, runsOf, asked, pushedTo, keys } = useTurns(redis);
  const at = (message: string) => question({ instanceID: 'dev1', team: '3', message });

  it('answers what it can within its grace', async () => {
    const bot = await start();
    await useModel('sandbox-slow-500');
    const sent = at('halo sebentar');
    const waiting = bot.post(CHATBOT, sent);
    await until(() => asked('sebentar').length > 0);
    const stopped = bot.stop();
    expect(saidBy(await waiting)).toMatchObject({ status: 201, bot: 'answered' });
    await stopped;
    await useModel(null);
  });

  it('waits for no further messages of a burst', async () => {
    const bot = await start({ BOT_WINDOW_MS: '30000', BOT_MAX_WAIT_MS: '30000', BOT_STOP_GRACE_MS: '3000' });
    const sent = at('halo kak');
    const waiting = bot.post(CHATBOT, sent);
    // Somebody leads: it waits for the end of the burst
    await until(async () => (await keys?.found('b:*:lease'))?.length);
    const stopped = bot.stop();
    expect(saidBy(await waiting)).toMatchObject({ status: 201, bot: 'answered' });
    await stopped;
  });

  it('leaves a turn that hangs to another one, which pushes its answer at once', async () => {
    const bot = await start({ BOT_STOP_GRACE_MS: '100' });
    await useModel('sandbox-hang');
    const sent = at('halo macet');
    const waiting = bot.post(CHATBOT, sent);
    await until(() => asked('macet').length > 0);
    await useModel(null);
    const stopped = bot.stop();
    const answer = await waiting;
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    await stopped;
    await until(() => pushedTo(sent.idUser).length > 0);
    expect(await runsOf(sent.idUser)).toHaveLength(1);
  });
});
