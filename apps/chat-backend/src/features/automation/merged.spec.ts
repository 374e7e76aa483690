import { until } from '@platform/testing';
import { FakeBot } from '../../clients/bot.fake';
import { startLifecycle, type Lifecycle } from '../lifecycle/lifecycle.fixture';

const bot = new FakeBot();
let chat: Lifecycle;
beforeAll(async () => {
  chat = await startLifecycle({ bot });
  await chat.database.query(`UPDATE devices SET bot_agent_id = 'A1' WHERE instance = 'dev1'`);
});
afterAll(() => chat.stop());

const said = (nohp: string) =>
  chat.database.query(
    `SELECT m.pesan_id, m.pesan FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE c.nohp = $1 AND m.from_me ORDER BY m.seq`,
    [nohp],
  );
const waiting = (id: string) =>
  chat.database.query<{ id: string; seconds: number }>(
    `SELECT j.id::text, extract(epoch FROM j.run_at - j.created_at)::float8 AS seconds FROM chat_backend_jobs.jobs j
     JOIN messages m ON m.pesan_id = $1 AND j.key LIKE 'bot.' || m.store_id || '.' || m.conversation_id || '.' || m.seq || '.merged.%'`,
    [id],
  );
/** Its time has come. */
const due = (jobs: readonly { id: string }[]) =>
  chat.database.query(`SELECT chat_backend_jobs.reschedule_jobs($1::bigint[], now())`, [jobs.map(({ id }) => id)]);
const asked = (id: string) => bot.questions.filter(({ idMessage }) => idMessage === id);
/** A message of which the bot says that another turn carries it. */
const merged = async (nohp: string, id: string) => {
  bot.next.push(() => ({ kind: 'merged' }));
  await chat.inbound({ number: nohp.includes('@') ? nohp : `${nohp}@s.whatsapp.net`, id, text: `apa ${id}` });
  return until(
    () => waiting(id),
    (jobs) => jobs.length === 1,
  );
};
const settled = (id: string) => until(async () => (await waiting(id)).length === 0);

describe('a message that the bot has merged into another turn', () => {
  it('is asked once more after that turn, with the same id, and answered when the bot had lost it', async () => {
    const jobs = await merged('628710000001', 'M1');
    expect(Math.round((jobs[0]?.seconds ?? 0) / 10)).toBe(9);
    expect(await said('628710000001')).toEqual([]);
    await due(jobs);
    await until(async () => (await said('628710000001')).length > 0);
    expect(await said('628710000001')).toEqual([{ pesan_id: 'bot-M1-0', pesan: 'jawab apa M1' }]);
    expect(asked('M1')).toEqual([asked('M1')[0], asked('M1')[0]]);
  });

  it('is asked again in the conversation that it was asked in, when the number is learned meanwhile', async () => {
    const [hidden, number] = ['71000005@lid', '628710000005'];
    const jobs = await merged(hidden, 'M6');
    bot.next.push(() => ({ kind: 'merged' }));
    await chat.inbound({
      ...{ number: `${number}@s.whatsapp.net`, id: 'M7', text: 'apa M7' },
      rawMessage: JSON.stringify({ lid: hidden }),
    });
    await until(async () => (await waiting('M7')).length === 1);
    await due(jobs);
    await settled('M6');
    expect([asked('M6'), asked('M7')].map((each) => each.map(({ idUser, begunAs }) => begunAs ?? idUser))).toEqual([
      [hidden, hidden],
      [hidden],
    ]);
  });

  it('is asked again by the name that a process of the release before has asked it by', async () => {
    const [hidden, number] = ['71000007@lid', '628710000007'];
    const jobs = await merged(number, 'M9');
    // It asks by the number, whatever the chat began as
    await chat.database.query('UPDATE conversations SET begun_as = $2 WHERE nohp = $1', [number, hidden]);
    await due(jobs);
    await settled('M9');
    expect(asked('M9').map(({ idUser, begunAs }) => [idUser, begunAs])).toEqual([
      [number, undefined],
      [number, undefined],
    ]);
  });

  it('is asked in the same conversation by a process of the release before, and after one has given the chat its number', async () => {
    const [hidden, number] = ['71000006@lid', '628710000006'];
    const jobs = await merged(hidden, 'M8');
    // A process of before reads the name in the job, and keeps none in the chat
    const named = await chat.database.query(
      `SELECT payload->>'nohp' AS nohp FROM chat_backend_jobs._private_jobs WHERE id = $1::bigint`,
      [jobs[0]?.id],
    );
    expect(named).toEqual([{ nohp: hidden }]);
    await chat.database.query('UPDATE conversations SET nohp = $2 WHERE nohp = $1', [hidden, number]);
    await due(jobs);
    await settled('M8');
    expect(asked('M8').map(({ idUser, begunAs }) => [idUser, begunAs])).toEqual([
      [hidden, undefined],
      [number, hidden],
    ]);
  });

  it('is left to that turn when the bot still knows it', async () => {
    const jobs = await merged('628710000002', 'M2');
    bot.next.push(() => ({ kind: 'merged' }));
    await due(jobs);
    await settled('M2');
    expect([asked('M2').length, await said('628710000002')]).toEqual([2, []]);
  });

  it('is not asked again once people have answered since, though the chat is the bot’s again', async () => {
    const nohp = '628710000004';
    const jobs = await merged(nohp, 'M4');
    const to = { nohp, instance: 'dev1', team: '3' };
    await chat.as(chat.people.rina, 'send_message', { ...to, pesan: 'sudah saya jawab' });
    await chat.as(chat.people.rina, 'chat_finish', to);
    await chat.inbound({ number: `${nohp}@s.whatsapp.net`, id: 'M5', text: 'satu lagi' });
    await until(async () => (await said(nohp)).length === 2);
    await due(jobs);
    await settled('M4');
    expect((await said(nohp)).map(({ pesan }) => pesan)).toEqual(['sudah saya jawab', 'jawab satu lagi']);
    expect(asked('M4')).toHaveLength(1);
  });

  it('stays put to the bot when a person has taken the chat since, and is not asked again', async () => {
    const nohp = '628710000003';
    const jobs = await merged(nohp, 'M3');
    await chat.as(chat.people.rina, 'handle_chat', { nohp, instance: 'dev1', team: '3' });
    await due(jobs);
    await settled('M3');
    const state = await chat.database.query(`SELECT to_bot FROM messages WHERE pesan_id = 'M3'`);
    expect([asked('M3').length, state]).toEqual([1, [{ to_bot: 1 }]]);
  });
});
