import { until } from '@platform/testing';
import { newCustomer, question, serviceToken } from '../../app.fixture';
import { CHATBOT, MODES, useTurns } from '../../turns.fixture';

describe.each(MODES)('an answer for which nobody waits any more, %s,', (_, redis) => {
  const { database, post, runsOf, asked, useModel, pushedTo, bots, chat } = useTurns(redis);

  /** Posts, and goes when the model is asked. */
  const leave = async (message: { readonly message: string }): Promise<void> => {
    await useModel('sandbox-slow-1000');
    const gone = new AbortController();
    const [bot] = bots.all;
    const headers = { authorization: `Bearer ${await serviceToken()}`, 'content-type': 'application/json' };
    const waiting = fetch(`${bot?.url}${CHATBOT}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(message),
      signal: gone.signal,
    });
    await until(() => asked(message.message).length > 0);
    gone.abort();
    await waiting.catch(() => undefined);
    await useModel(null);
  };
  const at = (more: object) => question({ instanceID: 'dev1', team: '3', chatId: 'S1.c', ...more });

  it('is pushed with the ids that a repeat gets, and stored once', async () => {
    const sent = at({ message: `sepatu lari hitam ${newCustomer()}` });
    await leave(sent);
    await until(() => pushedTo(sent.idUser).length === 2);
    const [run] = await runsOf(sent.idUser);
    const again = await post(sent);
    expect(again).toMatchObject({
      bot: 'answered',
      isReplayed: true,
      ids: [`bot-${run?.id}-0`, `bot-${run?.id}-img-0`],
    });
    expect(pushedTo(sent.idUser)).toEqual([
      { pesanId: again.ids[0], instance: 'dev1', nohp: sent.idUser, content: { text: again.answer[0] } },
      { pesanId: again.ids[1], instance: 'dev1', nohp: sent.idUser, content: { picture: again.images[0] } },
    ]);
    const rows = await database.query(
      `SELECT target, kind, dedupe_key FROM outbox_row WHERE dedupe_key LIKE $1 ORDER BY id`,
      [`turn:${run?.id}:%`],
    );
    expect(rows).toEqual([
      { target: 'chat-backend S1', kind: 'bubble', dedupe_key: `turn:${run?.id}:0` },
      { target: 'chat-backend S1', kind: 'image', dedupe_key: `turn:${run?.id}:1` },
    ]);
  });

  it('keeps the order of its conversation when the first push fails twice', async () => {
    const idUser = newCustomer();
    chat.moods.push(500, 500);
    for (const [n, message] of ['sepatu', 'sandal'].entries()) {
      await leave(at({ idUser, message: `${message} ${idUser}` }));
      await until(
        () => runsOf(idUser),
        (runs) => runs.length > n,
      );
    }
    await until(
      () => pushedTo(idUser).length,
      (count) => count >= 3,
    );
    const texts = pushedTo(idUser).flatMap(({ content }) => ('text' in content ? [content.text] : []));
    expect(texts).toEqual([expect.stringContaining('Sepatu'), expect.stringContaining('Sandal')]);
  });

  it('is dropped when a person has the chat, and changes nothing here', async () => {
    const idUser = newCustomer();
    chat.chats.push({ storeId: 'S1', instance: 'dev1', nohp: idUser, status: 'handle' });
    await leave(at({ idUser, message: `sepatu ${idUser}` }));
    const [run] = await until(
      () => runsOf(idUser),
      (runs) => runs.length > 0,
    );
    const rows = () =>
      database.query(`SELECT state, outcome FROM outbox_row WHERE dedupe_key LIKE $1`, [`turn:${run?.id}:%`]);
    const dropped = { state: 'done', outcome: 'dropped' };
    await until(rows, (all) => all.length > 0 && all.every(({ state }) => state === 'done'));
    expect(await rows()).toEqual([dropped, dropped]);
    expect(pushedTo(idUser)).toEqual([]);
    expect(await database.query('SELECT handover_at FROM bot_conversations WHERE id_user = $1', [idUser])).toEqual([
      { handover_at: null },
    ]);
  });

  it('is dead, and told in the log, where no device is known', async () => {
    const idUser = newCustomer();
    await leave(question({ idUser, message: `sepatu ${idUser}` }));
    const dead = () =>
      database.query(
        `SELECT o.state, o.outcome, o.last_error FROM outbox_row o JOIN bot_conversations c ON starts_with(o.lane, c.id::text) WHERE c.id_user = $1`,
        [idUser],
      );
    await until(dead, (rows) => rows.length > 0 && rows.every(({ state }) => state === 'dead'));
    expect(JSON.stringify(await dead())).toContain('no_instance');
    const log = bots.all.flatMap((bot) => bot.log).filter((line) => line.includes('an answer could not be pushed'));
    expect(log.length).toBeGreaterThan(0);
    expect(log.join()).not.toContain(idUser);
  });
});
