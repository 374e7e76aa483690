import { until } from '@platform/testing';
import { newCustomer, question } from '../../app.fixture';
import { MODES, useTurns } from '../../turns.fixture';
import { writeNotice } from '../checkout/public';

/** Long enough for another message. */
const SLOW = 'sandbox-slow-1500';

describe.each(MODES)('a customer who writes to two numbers of a shop, %s,', (_, redis) => {
  const { database, post, runsOf, asked, pushedTo, useModel, llm, chat } = useTurns(redis);
  afterEach(() => useModel(null));

  const at = (chat: string, idUser: string, message: string, more: object = {}) =>
    post(
      question({ idUser, message, instanceID: `dev-${chat}`, chatId: `S1.${chat}`, team: '3', episode: 1, ...more }),
    );

  it('at the same time is answered on both, each with what was asked there', async () => {
    await useModel(SLOW);
    const idUser = newCustomer();
    const [one, other] = await Promise.all([
      at('1', idUser, `sepatu ${idUser}`, { seq: 9 }),
      at('2', idUser, `sandal ${idUser}`, { seq: 3 }),
    ]);
    expect([one.bot, other.bot]).toEqual(['answered', 'answered']);
    expect([one.answer.length, other.answer.length]).toEqual([1, 1]);
    expect(new Set(asked(idUser))).toEqual(new Set([`sandal ${idUser}`, `sepatu ${idUser}`]));
    expect((await runsOf(idUser)).map(({ merged_ids: ids }) => ids)).toHaveLength(2);
  });

  it('whose team has one of the chats is still answered in the other, and not in the one', async () => {
    const idUser = newCustomer();
    expect(await at('1', idUser, 'mau bicara dengan admin')).toMatchObject({ bot: 'handover' });
    expect(await at('2', idUser, 'sepatu hitam ada?', { episode: 7 })).toMatchObject({ bot: 'answered' });
    expect(await at('1', idUser, 'halo?')).toMatchObject({ bot: 'handover', answer: [] });
    expect(await at('1', idUser, 'halo lagi', { episode: 2 })).toMatchObject({ bot: 'answered' });
  });

  it('is known in both: what was said in one is remembered in the other', async () => {
    const idUser = newCustomer();
    await at('1', idUser, `nama saya Budi ${idUser}`);
    const { history } = await at('2', idUser, 'sepatu hitam ada?');
    expect(history[0]).toEqual({ role: 'user', content: `nama saya Budi ${idUser}` });
  });

  it('has each chat told what its own team said, wherever the other stands', async () => {
    const idUser = newCustomer();
    await at('1', idUser, 'halo', { seq: 41, since: [{ role: 'team', content: 'satu', seq: 40 }] });
    const words = `sepatu ${idUser}?`;
    await at('2', idUser, words, { seq: 6, since: [{ role: 'team', content: 'dua', seq: 5 }] });
    const request = llm.requests.find(({ body }) => JSON.stringify(body.messages).includes(words));
    expect(JSON.stringify(request?.body.messages)).toContain('[tim] dua');
  });

  it('is told in one what is for it, while a hand-over of the other cannot be passed on', async () => {
    const idUser = newCustomer();
    chat.moods.push(500);
    await at('1', idUser, 'mau bicara dengan admin');
    const kept = () =>
      database.query(
        `UPDATE outbox_lane l SET next_at = now() + interval '1 hour' FROM outbox_row o
         WHERE o.lane = l.lane AND o.kind = 'escalate' AND o.first_try_at IS NOT NULL AND o.state = 'queued' AND o.payload->>'customer' = $1 RETURNING 1`,
        [idUser],
      );
    await until(async () => (await kept()).length === 1);
    await at('2', idUser, 'sepatu hitam ada?');
    const [conversation] = await database.query<{ id: string }>('SELECT id FROM bot_conversations WHERE id_user = $1', [
      idUser,
    ]);
    const notice = { storeId: 'S1', conversationId: conversation?.id ?? '', key: `k:${idUser}`, text: 'sudah dibayar' };
    await database.tx((tx) => writeNotice(tx, { ...notice, onlyIfOpen: true }));
    await until(() => pushedTo(idUser).length === 1);
    expect(pushedTo(idUser)).toMatchObject([{ instance: 'dev-2', content: { text: 'sudah dibayar' } }]);
  });

  it('that was handed over before chats were told apart stays with its team, in the chat it was in', async () => {
    const idUser = newCustomer();
    await at('1', idUser, 'mau bicara dengan admin');
    await database.query('DELETE FROM bot_chats');
    expect(await at('1', idUser, 'halo?')).toMatchObject({ bot: 'handover', answer: [] });
    expect(await post(question({ idUser, message: 'halo?', episode: 1 }))).toMatchObject({ bot: 'handover' });
    expect(await at('2', idUser, 'sepatu hitam ada?')).toMatchObject({ bot: 'answered' });
    expect(await at('1', idUser, 'halo?')).toMatchObject({ bot: 'handover', answer: [] });
  });

  it('that a build before hands over while this one runs stays with its team', async () => {
    const idUser = newCustomer();
    await at('1', idUser, 'halo');
    await database.query(
      `UPDATE bot_conversations SET handover_at = now(), handover_episode = 1, resume_at = now() + interval '1 hour' WHERE id_user = $1`,
      [idUser],
    );
    expect(await at('1', idUser, 'halo?')).toMatchObject({ bot: 'handover', answer: [] });
    expect(await at('1', idUser, 'halo?', { episode: 2 })).toMatchObject({ bot: 'answered' });
    expect(await at('1', idUser, 'ada?', { episode: 2 })).toMatchObject({ bot: 'answered' });
  });
});
