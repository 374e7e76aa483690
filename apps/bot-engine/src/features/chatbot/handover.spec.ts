import { until } from '@platform/testing';
import { newCustomer, question } from '../../app.fixture';
import { MODES, useTurns } from '../../turns.fixture';

const HANDED_OVER = 'Baik kak, kami sambungkan ke tim kami ya.';
const FALLBACK = 'Mohon ditunggu ya kak, tim kami akan segera membalas.';
const SILENT = { status: 201, answer: [], images: [], history: [], bot: 'handover', ids: [], isReplayed: false };
const HOURS = 3_600_000;

describe.each(MODES)('a hand-over, %s,', (_, redis) => {
  const { database, post, runsOf, useModel, chat, llm } = useTurns(redis);

  const at = (idUser: string, message: string, more: object = {}) =>
    post(question({ idUser, message, instanceID: 'dev1', team: '3', episode: 2, ...more }));
  const stateOf = async (idUser: string) => {
    const [row] = await database.query<Record<string, Date | string | number | null>>(
      `SELECT handover_at, handover_reason, handover_run_id, handover_episode, resume_at, context_from
       FROM bot_conversations WHERE id_user = $1`,
      [idUser],
    );
    return row ?? {};
  };
  const timeIsOver = (idUser: string) =>
    database.query(
      `UPDATE bot_chats b SET resume_at = now() FROM bot_conversations c WHERE c.id = b.conv_id AND c.id_user = $1`,
      [idUser],
    );
  const hoursUntil = (date: unknown) => Math.round((Number(date) - Date.now()) / HOURS);
  const escalated = (idUser: string) => chat.asked.filter(({ nohp }) => nohp === idUser);
  const told = (idUser: string) => until(() => escalated(idUser).length > 0);
  /** The row of the outbox is done a moment after the call. */
  const noted = (idUser: string) =>
    until(async () => {
      const [row] = await database.query(
        `SELECT o.finished_at FROM bot_conversations c JOIN outbox_row o ON o.dedupe_key = 'escalate:' || c.handover_run_id
         WHERE c.id_user = $1 AND o.state = 'done'`,
        [idUser],
      );
      return row !== undefined;
    });
  const calls = () => llm.requests.length;

  it('that the customer asks for is said once, told to the team, and then nothing is said or kept', async () => {
    const idUser = newCustomer();
    const answer = await at(idUser, 'saya mau bicara dengan admin');
    const [run] = await runsOf(idUser);
    expect(answer).toMatchObject({ bot: 'handover', answer: [HANDED_OVER], ids: [`bot-${run?.id}-0`] });
    expect(run?.status).toBe('handover');
    const state = await stateOf(idUser);
    expect(state).toMatchObject({ handover_reason: 'customer_request', handover_run_id: run?.id, handover_episode: 2 });
    expect(hoursUntil(state.resume_at)).toBe(12);
    await told(idUser);
    expect(escalated(idUser)).toEqual([
      { nohp: idUser, instance: 'dev1', alasan: expect.stringContaining('customer_request: '), prioritas: 'medium' },
    ]);
    const before = calls();
    expect(await at(idUser, 'halo?')).toEqual(SILENT);
    expect(await at(idUser, 'halo??', { escalate: 'requested' })).toEqual(SILENT);
    expect([calls(), (await runsOf(idUser)).length]).toEqual([before, 1]);
    expect(
      await database.query(
        `SELECT count(*)::int AS lines FROM bot_messages m JOIN bot_conversations c ON c.id = m.conv_id WHERE c.id_user = $1`,
        [idUser],
      ),
    ).toEqual([{ lines: 2 }]);
    expect(await stateOf(idUser)).toEqual(state);
  });

  it('of a complaint is urgent, and says what is known already', async () => {
    const idUser = newCustomer();
    await at(idUser, 'sepatu lari hitam ada?');
    await at(idUser, 'saya mau komplain, barang rusak');
    await told(idUser);
    expect(escalated(idUser)).toEqual([
      {
        nohp: idUser,
        instance: 'dev1',
        alasan: expect.stringMatching(/^complaint: .*SEPATU-HITAM-42/),
        prioritas: 'high',
      },
    ]);
  });

  it('ends with a new episode: the bot answers, and what was said before is no context', async () => {
    const idUser = newCustomer();
    await at(idUser, 'sepatu lari hitam ada?');
    await at(idUser, 'mau bicara dengan admin');
    expect(await at(idUser, 'halo', { episode: 2 })).toEqual(SILENT);
    const answer = await at(idUser, 'halo', { episode: 3 });
    expect(answer).toMatchObject({
      bot: 'answered',
      history: [{ role: 'user', content: 'halo' }, { role: 'assistant' }],
    });
    expect(await stateOf(idUser)).toEqual({
      ...{ handover_at: null, handover_reason: null, handover_run_id: null, handover_episode: null, resume_at: null },
      context_from: expect.any(Date),
    });
    expect((await at(idUser, 'sandal biru ada?', { episode: 3 })).history).toHaveLength(4);
  });

  it('ends when a person finished, but not by what was finished before it was told', async () => {
    const idUser = newCustomer();
    // The call hangs: chat-backend does not know yet
    chat.moods.push('hang');
    await at(idUser, 'mau bicara dengan admin');
    expect(await at(idUser, 'halo', { escalate: 'finished' })).toEqual(SILENT);
    await noted(idUser);
    expect((await at(idUser, 'halo', { escalate: 'finished' })).bot).toBe('answered');
    expect((await at(idUser, 'sepatu?', { escalate: 'finished' })).bot).toBe('answered');
  });

  it('ends by itself when its time is over', async () => {
    const idUser = newCustomer();
    await at(idUser, 'mau bicara dengan admin');
    expect(await at(idUser, 'halo')).toEqual(SILENT);
    await timeIsOver(idUser);
    expect((await at(idUser, 'halo')).bot).toBe('answered');
  });

  it('that follows from a model that fails is over after a quarter of an hour', async () => {
    const idUser = newCustomer();
    await useModel('unknown-model');
    expect(await at(idUser, 'sepatu?')).toMatchObject({ bot: 'fallback', answer: [FALLBACK] });
    await useModel(null);
    const { resume_at, handover_reason } = await stateOf(idUser);
    expect([handover_reason, Math.round((Number(resume_at) - Date.now()) / 60_000)]).toEqual(['model_failure', 15]);
    await told(idUser);
    expect(await at(idUser, 'sepatu?')).toEqual(SILENT);
    await timeIsOver(idUser);
    expect((await at(idUser, 'sepatu lari?')).bot).toBe('answered');
  });

  it('works in the first turn of a conversation, and from a burst in which it is asked for', async () => {
    const idUser = newCustomer();
    const answers = await Promise.all(['halo', 'mau bicara dengan admin'].map((message) => at(idUser, message)));
    expect(answers.flatMap(({ answer }) => answer)).toContain(HANDED_OVER);
    expect(await at(idUser, 'halo')).toEqual(SILENT);
  });

  it('without a model follows when the day is paid up, until the next one', async () => {
    const idUser = newCustomer();
    await database.query('UPDATE bot_stores SET day_cap_micros = 0');
    const before = calls();
    expect(await at(idUser, 'sepatu?')).toMatchObject({ bot: 'fallback', answer: [FALLBACK] });
    const { handover_reason, resume_at } = await stateOf(idUser);
    await database.query('UPDATE bot_stores SET day_cap_micros = NULL');
    expect([calls(), handover_reason]).toEqual([before, 'day']);
    expect(hoursUntil(resume_at)).toBeLessThanOrEqual(24);
    await told(idUser);
    expect(escalated(idUser)[0]?.alasan).toContain('Batas biaya harian bot tercapai');
    expect(await at(idUser, 'sepatu?')).toEqual(SILENT);
  });

  it("follows in the same way when the plan's replies are used up", async () => {
    const idUser = newCustomer();
    const period = `now() - interval '1 day', period_end = now() + interval '2 days'`;
    await database.query(`UPDATE bot_stores SET reply_limit = 0, period_start = ${period}`);
    expect(await at(idUser, 'sepatu?')).toMatchObject({ bot: 'fallback', answer: [FALLBACK] });
    await database.query(`UPDATE bot_stores SET reply_limit = NULL, period_start = NULL, period_end = NULL`);
    const { handover_reason, resume_at } = await stateOf(idUser);
    expect([handover_reason, hoursUntil(resume_at)]).toEqual(['replies', 48]);
  });
});
