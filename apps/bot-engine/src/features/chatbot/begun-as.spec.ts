import { until } from '@platform/testing';
import { newCustomer, question } from '../../app.fixture';
import { MODES, useTurns } from '../../turns.fixture';

/** Long enough for another message. */
const SLOW = 'sandbox-slow-1500';

describe.each(MODES)('a customer whose number is learned after the chat began, %s,', (_, redis) => {
  const { database, post, runsOf, asked, useModel, commerce } = useTurns(redis);
  afterEach(() => useModel(null));

  const somebody = () => {
    const idUser = newCustomer();
    const hidden = `${idUser}@lid`;
    const in1 = { instanceID: 'dev-1', chatId: `S1.c-${idUser}`, team: '3', episode: 1 };
    const hides = (message: string, more: object = {}) => post(question({ idUser: hidden, message, ...in1, ...more }));
    const shows = (message: string, more: object = {}) =>
      post(question({ idUser, begunAs: hidden, message, ...in1, ...more }));
    return { idUser, hidden, hides, shows };
  };

  it('is remembered, and stays with the team that the chat was handed to', async () => {
    const { hides, shows, idUser } = somebody();
    await hides(`nama saya Budi ${idUser}`);
    const { history } = await shows('sepatu hitam ada?');
    expect(history[0]).toEqual({ role: 'user', content: `nama saya Budi ${idUser}` });
    expect(await hides('mau bicara dengan admin')).toMatchObject({ bot: 'handover' });
    expect(await shows('halo?')).toMatchObject({ bot: 'handover', answer: [] });
    expect(await shows('halo lagi', { episode: 2 })).toMatchObject({ bot: 'answered' });
  });

  it('gets the answer of before to a message that is asked again by the number', async () => {
    const { hides, shows, hidden } = somebody();
    const idMessage = `again-${hidden}`;
    const first = await hides('sepatu hitam ada?', { idMessage });
    const again = await shows('sepatu hitam ada?', { idMessage });
    expect(again).toMatchObject({ isReplayed: true, ids: first.ids, answer: first.answer });
    expect(await runsOf(hidden)).toHaveLength(1);
  });

  it('in the middle of a burst is answered once for all of it', async () => {
    await useModel(SLOW);
    const { hides, shows, idUser, hidden } = somebody();
    const said = await Promise.all([
      hides(`sepatu ${idUser}`, { seq: 1 }),
      shows(`sandal ${idUser}`, { seq: 2 }),
      hides(`tas ${idUser}`, { seq: 3 }),
    ]);
    expect(said.map(({ bot }) => bot).filter((bot) => bot === 'answered')).toHaveLength(1);
    expect(asked(idUser).length).toBeGreaterThan(0);
    const runs = await runsOf(hidden);
    expect(runs.flatMap(({ merged_ids: ids }) => ids)).toHaveLength(3);
    const rows = await database.query('SELECT id_user FROM bot_conversations WHERE id_user = ANY ($1)', [
      [idUser, hidden],
    ]);
    expect(rows).toEqual([{ id_user: hidden }]);
  });

  it('buys as the number, and one who is known by the number already is still known by it in their other chat', async () => {
    const { hides, shows, idUser } = somebody();
    const other = { instanceID: 'dev-2', chatId: `S1.d-${idUser}`, team: '3' };
    await post(question({ idUser, message: `alamat saya Mawar ${idUser}`, ...other }));
    await hides('halo');
    const order = 'saya mau beli SEPATU-HITAM-42, nama Budi, alamat Jalan Mawar 1, kota Bandung';
    await shows(order);
    const quoted = commerce.seen.filter(({ url, body }) => url.endsWith('create-checkout') && body.includes(idUser));
    expect(quoted.map(({ body }) => (JSON.parse(body) as { idUser: string }).idUser)).toEqual([idUser]);
    const { history } = await post(question({ idUser, message: 'halo', ...other }));
    expect(history[0]).toEqual({ role: 'user', content: `alamat saya Mawar ${idUser}` });
  });

  it('buys as the number also when what was asked by the hidden id before comes last in a burst', async () => {
    const { hides, shows, idUser } = somebody();
    const order = 'saya mau beli SEPATU-HITAM-42, nama Budi, alamat Jalan Mawar 1, kota Bandung';
    await database.query('UPDATE bot_agents SET window_ms = 400');
    await Promise.all([shows('halo', { seq: 1 }), hides(order, { seq: 2 })]);
    await database.query('UPDATE bot_agents SET window_ms = NULL');
    const quoted = commerce.seen.filter(({ url, body }) => url.endsWith('create-checkout') && body.includes(idUser));
    expect(quoted.map(({ body }) => (JSON.parse(body) as { idUser: string }).idUser)).toEqual([idUser]);
  });

  it('buys as the number also when that is learned while a turn by the hidden id runs', async () => {
    const { hides, shows, idUser } = somebody();
    await useModel(SLOW);
    const order = 'saya mau beli SEPATU-HITAM-42, nama Budi, alamat Jalan Mawar 1, kota Bandung';
    const first = hides(`halo ${idUser}`, { seq: 1 });
    await until(() => asked(idUser).length > 0);
    await Promise.all([first, shows(order, { seq: 2 })]);
    const quoted = commerce.seen.filter(({ url, body }) => url.endsWith('create-checkout') && body.includes(idUser));
    expect(quoted.map(({ body }) => (JSON.parse(body) as { idUser: string }).idUser)).toEqual([idUser]);
  });
});
