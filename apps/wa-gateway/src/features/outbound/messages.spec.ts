import { io } from 'socket.io-client';
import { invalid, queued, useGateway, until } from '../../gateway.fixture';

const BUDI = '628123456789';
const JID = `${BUDI}@s.whatsapp.net`;
const gateway = useGateway();
beforeAll(async () => {
  await gateway.client.link('dev1');
  await gateway.client.data(gateway.client.post('/sim/phones', { nohp: BUDI, name: 'Budi' }));
});
beforeEach(() => gateway.receiver.reset());

const idOf = ({ body }: { body: unknown }) => (body as { data: { id: string } }).data.id;
const statusesOf = (id: string, last: string) =>
  until(
    () => gateway.receiver.statuses(id),
    (statuses) => statuses.includes(last),
  );
const refusal = (code: string, message: string, more: object = {}) => ({
  success: false,
  message,
  error: { code, retryable: false, ...more },
});

describe('POST /api/send-message', () => {
  it('sends a text, and reports pending, sent, delivered, viewed and played', async () => {
    const { client, receiver } = gateway;
    const answer = await client.send('P-1', '08123456789', '  Halo kak  ');
    const id = idOf(answer);
    expect(answer).toEqual({
      status: 200,
      body: {
        success: true,
        message: 'success send message',
        data: queued('P-1', JID, { id }),
      },
    });
    expect(id).toMatch(/^3EB0[0-9A-F]{18}$/);
    await statusesOf(id, 'delivered');
    expect(await client.shows(BUDI)).toEqual(['Halo kak']);
    expect(await client.post('/sim/read', { nohp: BUDI })).toEqual({
      status: 200,
      body: { success: true, message: 'messages read', data: { count: 1 } },
    });
    await statusesOf(id, 'viewed');
    await client.data(client.post('/sim/play', { id }));
    expect(await statusesOf(id, 'played')).toEqual(['pending', 'sent', 'delivered', 'viewed', 'played']);
    expect(receiver.taken.at(-1)?.parts).toEqual([
      ['instanceID', 'dev1'],
      ['result', 'true'],
      ['report', 'true'],
      ['number', JID],
      ['id', id],
      ['timestamp', expect.any(String)],
      ['rawMessage', '{"pesan_id":"P-1"}'],
      ['status', 'played'],
    ]);
  });

  it('takes data as a JSON text', async () => {
    const { client } = gateway;
    const data = JSON.stringify({ instance: 'dev1', number: BUDI, text: 'dari teks' });
    const answer = await client.post('/api/send-message', { pesan_id: 'P-JSON', role: 'bot', data });
    expect(answer.status).toBe(200);
    await statusesOf(idOf(answer), 'delivered');
    expect(await client.shows(BUDI)).toContain('dari teks');
  });

  it('sends once, however often and at the same time it is asked to', async () => {
    const { client, database } = gateway;
    const answers = await Promise.all(Array.from({ length: 50 }, () => client.send('P-50', BUDI, 'sekali saja')));
    const first = answers.find(({ body }) => (body as { message: string }).message === 'success send message');
    const data = (first?.body as { data: object }).data;
    const repeated = { success: true, message: 'message already accepted', data: { ...data, duplicate: true } };
    expect(answers.filter((answer) => answer !== first)).toEqual(
      Array.from({ length: 49 }, () => ({ status: 200, body: repeated })),
    );
    await statusesOf(idOf(answers[0] ?? { body: {} }), 'delivered');
    expect((await client.shows(BUDI)).filter((text) => text === 'sekali saja')).toEqual(['sekali saja']);
    const copies = await database.query(`SELECT copies FROM sim_message WHERE id = $1`, [
      idOf(answers[0] ?? { body: {} }),
    ]);
    expect(copies).toEqual([{ copies: 1 }]);
  });

  it('refuses another content, or another person, under a pesan_id that was used', async () => {
    const { client } = gateway;
    await client.send('P-2', BUDI, 'satu');
    const used = { status: 422, body: refusal('CONFLICT', 'pesan_id already used') };
    expect(await client.send('P-2', BUDI, 'dua')).toEqual(used);
    await client.data(client.post('/sim/phones', { nohp: '628120000009' }));
    expect(await client.send('P-2', '628120000009', 'satu')).toEqual(used);
  });

  it.each([
    ['role', { role: 'bot' }, {}],
    ['quoted message', {}, { quoted_id: 'another' }],
    ['mention', {}, { mentions: ['628120000009'] }],
  ])('refuses another %s under a pesan_id that was used', async (what, fields, data) => {
    const { client } = gateway;
    const sent = { pesan_id: `P-3-${what}`, role: 'agent', data: { number: BUDI, text: 'satu' } };
    await client.data(client.post('/api/send-message', sent));
    const other = { ...sent, ...fields, data: { ...sent.data, ...data } };
    expect(await client.post('/api/send-message', other)).toEqual({
      status: 422,
      body: refusal('CONFLICT', 'pesan_id already used'),
    });
    expect(await client.post('/api/send-message', sent)).toMatchObject({
      status: 200,
      body: { data: { duplicate: true } },
    });
  });

  it('says so when the message to quote is not known: it goes without', async () => {
    const { client } = gateway;
    const { id } = await client.data<{ id: string }>(client.send('P-Q', BUDI, 'yang dikutip'));
    const quoting = async (pesanId: string, quoted_id: string) => {
      const { quoted } = await client.data<{ quoted?: boolean }>(client.send(pesanId, BUDI, 'kutip', { quoted_id }));
      return quoted;
    };
    expect(await quoting('P-Q1', id)).toBeUndefined();
    expect(await quoting('P-Q2', 'nobody-knows-it')).toBe(false);
    expect(await quoting('P-Q2', 'nobody-knows-it')).toBe(false);
  });

  it('keeps the order of a chat', async () => {
    const { client } = gateway;
    const texts = Array.from({ length: 30 }, (_, n) => `urut ${n}`);
    for (const [n, text] of texts.entries()) await client.send(`P-O${n}`, BUDI, text);
    const shown = await until(
      async () => (await client.shows(BUDI)).filter((text) => text?.startsWith('urut')),
      ({ length }) => length === 30,
    );
    expect(shown).toEqual(texts);
  });

  it('keeps the order also when the answer to the commit of a send got lost, and the send is asked for again', async () => {
    const { client, database } = gateway;
    await client.send('P-SEEN', BUDI, 'hilang');
    // As the lost commit left it: accepted, and in no queue
    await database.query(
      `INSERT INTO message (instance_id, chat, id, from_me, direction, type, pesan_id, role, payload, send_state, body_hash, at, created_at)
       SELECT instance_id, chat, '3EB0000000000000000LOST', from_me, direction, type, 'P-LOST', role, payload, 'queued', body_hash, at, now() - interval '1 second'
       FROM message WHERE pesan_id = 'P-SEEN'`,
    );
    expect((await client.send('P-LOST', BUDI, 'hilang')).body).toMatchObject({ data: { duplicate: true } });
    await statusesOf(idOf(await client.send('P-NEXT', BUDI, 'berikut')), 'delivered');
    expect((await client.shows(BUDI)).slice(-3)).toEqual(['hilang', 'hilang', 'berikut']);
  });

  it('keeps the order also when another process accepted the first of two sends and its call got lost', async () => {
    const { client, database } = gateway;
    await client.send('P-MODEL', BUDI, 'dahulu');
    await database.query(
      `INSERT INTO message (instance_id, chat, id, from_me, direction, type, pesan_id, role, payload, send_state, body_hash, at)
       SELECT instance_id, chat, '3EB000000000000000THERE', from_me, direction, type, 'P-THERE', role, payload, 'queued', body_hash, at
       FROM message WHERE pesan_id = 'P-MODEL'`,
    );
    await statusesOf(idOf(await client.send('P-HERE', BUDI, 'kemudian')), 'delivered');
    expect((await client.shows(BUDI)).slice(-3)).toEqual(['dahulu', 'dahulu', 'kemudian']);
  });

  it('waits while the phone is away, and reports delivered when it is back', async () => {
    const { client } = gateway;
    await client.data(client.post('/sim/offline', { nohp: BUDI, on: true }));
    const id = idOf(await client.send('P-OFF', BUDI, 'nanti'));
    expect(await statusesOf(id, 'sent')).toEqual(['pending', 'sent']);
    expect(await client.shows(BUDI)).not.toContain('nanti');
    await client.data(client.post('/sim/offline', { nohp: BUDI, on: false }));
    expect(await statusesOf(id, 'delivered')).toEqual(['pending', 'sent', 'delivered']);
  });

  it('reports the failure of an accepted send as pending once more', async () => {
    const { client, receiver } = gateway;
    await client.data(client.post('/sim/faults', { nack463: true }));
    const id = idOf(await client.send('P-463', BUDI, 'ditolak'));
    await until(
      () => receiver.statuses(id).length,
      (count) => count === 2,
    );
    await client.data(client.post('/sim/faults', { nack463: false }));
    expect(
      receiver.taken.filter(({ fields }) => fields.id === id).map(({ fields }) => [fields.status, fields.rawMessage]),
    ).toEqual([
      ['pending', '{"pesan_id":"P-463"}'],
      ['pending', '{"pesan_id":"P-463","failed":{"code":"WA_463","retryable":false}}'],
    ]);
  });

  it('also delivers the message as a callback when echo is asked for', async () => {
    const { client, receiver } = gateway;
    const id = idOf(await client.send('P-ECHO', BUDI, 'gema', { echo: true }));
    await until(
      () => receiver.messages().length,
      (count) => count === 1,
    );
    expect(receiver.messages()[0]?.fields).toMatchObject({
      report: 'false',
      fromMe: 'true',
      id,
      text: 'gema',
      number: JID,
    });
  });

  it.each([
    ['no pesan_id', { role: 'agent', data: {} }, invalid('pesan_id', 'required', 'pesan_id is required')],
    ['no role', { pesan_id: 'X', data: {} }, invalid('role', 'required', 'role is required')],
    ['no data', { pesan_id: 'X', role: 'agent' }, invalid('data', 'required', 'data is required')],
    ['data that is a list', { pesan_id: 'X', role: 'agent', data: [] }, invalid('data', 'format', 'data is not valid')],
    [
      'data that is no JSON',
      { pesan_id: 'X', role: 'agent', data: '{' },
      invalid('data', 'format', 'data is not valid'),
    ],
    [
      'no text',
      { pesan_id: 'X', role: 'agent', data: { number: BUDI } },
      invalid('text', 'required', 'text is required'),
    ],
    [
      'a contact alone',
      { pesan_id: 'X', role: 'agent', data: { number: BUDI, contact: {} } },
      invalid('text', 'required', 'text is required'),
    ],
    [
      'a NUL',
      { pesan_id: 'X', role: 'agent', data: { number: BUDI, text: 'a\0b' } },
      invalid('data', expect.any(String) as string, 'data is not valid'),
    ],
    [
      'a NUL in a JSON text',
      { pesan_id: 'X', role: 'agent', data: JSON.stringify({ number: BUDI, text: 'a\0b' }) },
      invalid('text', expect.any(String) as string, 'text is not valid'),
    ],
    [
      'no number at all',
      { pesan_id: 'X', role: 'agent', data: { number: 'Budi', text: 'x' } },
      invalid('number', 'number_format', 'number format not valid'),
    ],
    [
      'an unknown number',
      { pesan_id: 'X', role: 'agent', data: { number: '628999999999', text: 'x' } },
      invalid('number', 'not_registered', 'number not registered'),
    ],
    [
      'an unknown device',
      { pesan_id: 'X', role: 'agent', data: { instanceID: 'dev9', number: BUDI, text: 'x' } },
      { status: 404, body: refusal('NOT_FOUND', 'device not found') },
    ],
    ['malformed JSON', '{"pesan_id":', { status: 400, body: refusal('MALFORMED', 'malformed request body') }],
    [
      'a body above 1 MB',
      JSON.stringify({ pesan_id: 'x'.repeat(1_100_000) }),
      { status: 413, body: refusal('TOO_LARGE', 'request too large') },
    ],
  ])('refuses %s', async (_, body, expected) => {
    expect(await gateway.client.post('/api/send-message', body)).toEqual(expected);
  });
});

describe('sockets', () => {
  it('hear the three fields of a message that goes to sockets only', async () => {
    const { client, database } = gateway;
    const socket = io(client.url, { transports: ['websocket'], forceNew: true });
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
    const heard = new Promise((resolve) => socket.once('sendMessage', resolve));
    const event = { pesan_id: 'R-1', role: 'agent', data: { note: 'dibaca', any: [1, { thing: true }] } };
    expect(await client.post('/api/send-message', event)).toEqual({
      status: 200,
      body: {
        success: true,
        message: 'success send message',
        data: { pesan_id: 'R-1', role: 'agent', status: null, delivery: 'realtime', clients: 1 },
      },
    });
    expect(await heard).toEqual(event);
    expect(await database.query(`SELECT 1 FROM message WHERE pesan_id = 'R-1'`)).toEqual([]);
    socket.disconnect();
  });

  it('hear what happens on a device; a QR code only those who joined its room', async () => {
    const { client } = gateway;
    const everybody: string[] = [];
    const joined: string[] = [];
    const [stranger, friend] = [everybody, joined].map((events) =>
      io(client.url, { transports: ['websocket'], forceNew: true }).onAny(
        (event: string, { instanceID }: { instanceID: string }) => instanceID === 'dev2' && events.push(event),
      ),
    );
    await until(() => Boolean(stranger?.connected && friend?.connected), Boolean);
    expect(await friend?.emitWithAck('join', { instance: 'dev2', team: '3' })).toEqual({
      joined: ['instance:dev2', 'team:3'],
    });
    await client.link('dev2', {}, '628110000002');
    await client.customer(BUDI, 'dev2', 'halo');
    await until(() => everybody.includes('newMessage') && joined.includes('newMessage'), Boolean);
    expect(everybody.filter((event) => event === 'qrcode')).toEqual([]);
    expect(joined.sort()).toEqual(['deviceStatus', 'deviceStatus', 'newMessage', 'qrcode']);
    stranger?.disconnect();
    friend?.disconnect();
    await client.get('/api/logout?instanceID=dev2');
  });
});
