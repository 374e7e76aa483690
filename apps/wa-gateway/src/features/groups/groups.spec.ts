import { invalid, useGateway, until } from '../../gateway.fixture';

const BUDI = '628123456789';
const SITI = '628120000002';
const SHOP = '628110000001@s.whatsapp.net';
const jid = (nohp: string) => `${nohp}@s.whatsapp.net`;

const gateway = useGateway();
beforeAll(async () => {
  const { client } = gateway;
  await client.link('dev1');
  await client.data(client.post('/sim/phones', { nohp: BUDI, name: 'Budi' }));
  await client.data(client.post('/sim/phones', { nohp: SITI, name: 'Siti' }));
});
beforeEach(() => gateway.receiver.reset());

const newGroup = async (participants: string[]) =>
  (
    await gateway.client.data<{ group_id: string }>(
      gateway.client.post('/api/group/create', { name: 'Keluarga', participants }),
    )
  ).group_id;
const infoOf = (id: string) => gateway.client.get(`/api/group/info?group_id=${id}`);

describe('groups', () => {
  it('begin with the members that WhatsApp knows, each once', async () => {
    const { client } = gateway;
    const participants = ['0812-3456-789', `+${BUDI}`, '628999999999'];
    const answer = await client.post('/api/group/create', { name: 'Keluarga', participants });
    const { group_id } = (answer.body as { data: { group_id: string } }).data;
    expect(answer).toEqual({
      status: 200,
      body: {
        success: true,
        message: 'group created',
        data: {
          group_id,
          name: 'Keluarga',
          participants: [
            { number: jid(BUDI), status: 200 },
            { number: jid('628999999999'), status: 404 },
          ],
        },
      },
    });
    const info = await infoOf(group_id);
    expect(info).toEqual({
      status: 200,
      body: {
        success: true,
        message: 'group info',
        data: {
          group_id,
          name: 'Keluarga',
          description: null,
          owner: SHOP,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
          size: 2,
          announce: false,
          participants: [
            { number: SHOP, name: 'Phone 0001', admin: 'superadmin' },
            { number: jid(BUDI), name: 'Budi', admin: null },
          ],
        },
      },
    });
    expect(await infoOf(group_id.replace('@g.us', ''))).toEqual(info);
  });

  it.each([
    ['add', SITI, 200, 'success'],
    ['add', BUDI, 409, 'already a participant'],
    ['add', '628999999999', 404, 'number not registered'],
    ['remove', SITI, 404, 'not a participant'],
    ['promote', BUDI, 200, 'success'],
    ['demote', BUDI, 200, 'success'],
    ['remove', BUDI, 200, 'success'],
  ])('%s of %s ends with %d', async (action, number, status, message) => {
    const group_id = await newGroup([BUDI]);
    const change = { group_id, action, participants: [number] };
    expect(await gateway.client.post('/api/group/participants', change)).toEqual({
      status: 200,
      body: {
        success: true,
        message: 'group participants updated',
        data: { group_id, action, results: [{ number: jid(number), status, message }] },
      },
    });
  });

  it('made by somebody else are changed by their admins only', async () => {
    const { client, receiver } = gateway;
    const group = '120363000000000077';
    await client.data(client.post('/sim/messages', { from: BUDI, to: 'dev1', group, text: 'selamat datang' }));
    await until(
      () => receiver.messages().length,
      (count) => count === 1,
    );
    expect(receiver.messages()[0]?.fields).toMatchObject({ number: `${group}@g.us`, participantname: 'Budi' });
    const change = { group_id: group, action: 'add', participants: [SITI] };
    expect(await client.data(client.post('/api/group/participants', change))).toEqual({
      group_id: `${group}@g.us`,
      action: 'add',
      results: [{ number: jid(SITI), status: 403, message: 'not an admin' }],
    });
  });

  it('that the device is not in are not found', async () => {
    const missing = {
      status: 404,
      body: { success: false, message: 'group not found', error: { code: 'NOT_FOUND', retryable: false } },
    };
    expect(await infoOf('120363999999999999')).toEqual(missing);
    const change = { group_id: '120363999999999999@g.us', action: 'add', participants: [BUDI] };
    expect(await gateway.client.post('/api/group/participants', change)).toEqual(missing);
  });

  it.each([
    ['/api/group/create', { participants: [BUDI] }, invalid('name', 'required')],
    ['/api/group/create', { name: 'x' }, invalid('participants', 'required')],
    ['/api/group/create', { name: 'x', participants: [] }, invalid('participants', 'min')],
    [
      '/api/group/create',
      { name: 'x', participants: ['Budi'] },
      invalid('participants', 'number_format', 'number format not valid'),
    ],
    ['/api/group/participants', { action: 'add', participants: [BUDI] }, invalid('group_id', 'required')],
    ['/api/group/participants', { group_id: '12036312345', participants: [BUDI] }, invalid('action', 'required')],
    [
      '/api/group/participants',
      { group_id: '12036312345', action: 'invite', participants: [BUDI] },
      invalid('action', 'oneof'),
    ],
    ['/api/group/participants', { group_id: '12036312345', action: 'add' }, invalid('participants', 'required')],
  ])('%s refuses %j', async (path, body, expected) => {
    expect(await gateway.client.post(path, body)).toEqual(expected);
  });

  it('are looked up by a valid id only', async () => {
    expect(await gateway.client.get('/api/group/info')).toEqual(invalid('group_id', 'required'));
    expect(await infoOf('keluarga')).toEqual(invalid('group_id', 'number_format', 'number format not valid'));
  });

  it('of a device without a line cannot be looked up', async () => {
    const { client } = gateway;
    await client.post('/api/new', { instanceID: 'dev2' });
    const answer = await client.get('/api/group/info?instanceID=dev2&group_id=120363000000000077');
    expect(answer).toEqual({
      status: 409,
      body: {
        success: false,
        message: 'device not connected',
        error: { code: 'DEVICE_STATE', retryable: true, status: expect.any(String) },
      },
    });
  });
});
