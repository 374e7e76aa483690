import { invalid, useGateway, until } from '../../gateway.fixture';

const BUDI = '628123456789';
const JID = `${BUDI}@s.whatsapp.net`;
const GROUP = '120363000000000005';

const gateway = useGateway();
beforeAll(async () => {
  await gateway.client.link('dev1');
});
beforeEach(() => gateway.receiver.reset());

const heard = (count: number) =>
  until(
    () => gateway.receiver.messages().length,
    (taken) => taken >= count,
  );
const marked = (number: string, count: number) => ({
  status: 200,
  body: { success: true, message: 'success mark read', data: { number, count } },
});
const markRead = (body: object) => gateway.client.post('/api/mark-read', body);
/** What the writers' phones show as read. */
const readOnPhones = async () =>
  (
    await gateway.database.query<{ id: string }>(
      `SELECT id FROM sim_message WHERE direction = 'in' AND level = 3 ORDER BY seq`,
    )
  ).map(({ id }) => id);

describe('POST /api/mark-read', () => {
  it('marks what is named, then the rest of the chat, and nothing twice', async () => {
    const { client } = gateway;
    const ids: string[] = [];
    for (const text of ['satu', 'dua', 'tiga']) ids.push((await client.customer(BUDI, 'dev1', text)).id);
    await client.customer('628120000002', 'dev1', 'dari yang lain');
    await heard(4);
    expect(await markRead({ number: '08123456789', ids: [ids[1], 'UNKNOWN'] })).toEqual(marked(JID, 1));
    expect(await readOnPhones()).toEqual([ids[1]]);
    expect(await markRead({ number: BUDI })).toEqual(marked(JID, 2));
    expect(await readOnPhones()).toEqual(ids);
    expect(await markRead({ number: BUDI })).toEqual(marked(JID, 0));
  });

  it.each([
    ['by the number', BUDI],
    ['by the hidden id', '9628110000009@lid'],
  ])('marks what came %s and what came by the other name of the writer', async (_, number) => {
    const { client, database } = gateway;
    const hidden = '9628110000009@lid';
    const ids: string[] = [];
    for (const text of ['satu', 'dua']) ids.push((await client.customer(BUDI, 'dev1', text)).id);
    await heard(2);
    await database.query('UPDATE message SET chat = $2 WHERE id = $1', [ids[0], hidden]);
    await database.query(`INSERT INTO chat_identity VALUES ('dev1', $1, $2) ON CONFLICT DO NOTHING`, [hidden, JID]);
    const named = number === BUDI ? JID : hidden;
    expect(await markRead({ number, ids })).toEqual(marked(named, 2));
    expect(await readOnPhones()).toEqual(expect.arrayContaining(ids));
    expect(await markRead({ number })).toEqual(marked(named, 0));
  });

  it('knows the writers in a group', async () => {
    const { client } = gateway;
    for (const from of [BUDI, '628120000002'])
      await client.data(client.post('/sim/messages', { from, to: 'dev1', group: GROUP, text: 'halo' }));
    await heard(2);
    expect(await markRead({ number: `${GROUP}@g.us` })).toEqual(marked(`${GROUP}@g.us`, 2));
  });
});

describe('POST /api/typing', () => {
  it('shows on the phone until it is over, or the message has come', async () => {
    const { client } = gateway;
    const composing = async () =>
      (await client.data<{ composing: boolean }>(client.get(`/sim/chat?nohp=${BUDI}&instanceID=dev1`))).composing;
    const typing = (on: boolean) => client.post('/api/typing', { number: BUDI, on });
    const done = (on: boolean) => ({
      status: 200,
      body: { success: true, message: 'success typing', data: { number: JID, on } },
    });
    expect(await typing(true)).toEqual(done(true));
    expect(await composing()).toBe(true);
    expect(await typing(false)).toEqual(done(false));
    expect(await composing()).toBe(false);
    await typing(true);
    await client.send('T-1', BUDI, 'sudah');
    await until(composing, (on) => !on);
  });
});

describe('POST /api/mark-read and /api/typing', () => {
  it.each([
    ['/api/mark-read', {}, 'number', 'required', 'number is required'],
    ['/api/mark-read', { number: 'Budi' }, 'number', 'number_format', 'number format not valid'],
    ['/api/mark-read', { number: BUDI, ids: 'x' }, 'ids', 'array', 'ids is not valid'],
    ['/api/typing', { on: true }, 'number', 'required', 'number is required'],
    ['/api/typing', { number: BUDI }, 'on', 'required', 'on is required'],
  ])('%s refuses %j', async (path, body, field, tag, message) => {
    expect(await gateway.client.post(path, body)).toEqual(invalid(field, tag, message));
  });
});
