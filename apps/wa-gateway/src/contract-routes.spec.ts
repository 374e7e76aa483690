import { PRODUCTION, startGateway, type Gateway, type HttpReply } from './gateway.fixture';

const BUDI = '628123456789';
const JID = `${BUDI}@s.whatsapp.net`;
const SHOP = '628110000001';
const PICTURE = Buffer.from('\xff\xd8\xff\xe0\0\x10JFIF\0', 'latin1').toString('base64');
const GROUP = '120363000000000009';

const anyText = expect.any(String) as string;
const anyNumber = expect.any(Number) as number;
const engineSend = {
  pesan_id: null,
  role: 'agent',
  id: expect.stringMatching(/^3EB0[0-9A-F]{18}$/) as string,
  instanceID: 'dev1',
  number: JID,
  status: 'pending',
  timestamp: anyNumber,
  delivery: 'engine',
};
const device = { instanceID: 'dev1' };
const to = { ...device, number: BUDI };

interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Body, or query. */
  readonly request: Record<string, unknown>;
  readonly message: string;
  readonly data: unknown;
  /** Fields without which it answers 422; where the missing one is told by another name, that name. */
  readonly required?: readonly (string | readonly [field: string, told: string])[];
}

const session: Route[] = [
  {
    method: 'POST',
    path: '/api/new',
    request: { instanceID: 'dev2', name: 'Toko' },
    message: 'device created',
    data: {
      instanceID: 'dev2',
      name: 'Toko',
      engine: 'simulator',
      status: 'created',
      webhook_url: anyText,
      created_at: anyText,
    },
  },
  {
    method: 'GET',
    path: '/api/qrcode',
    request: { instanceID: 'dev2' },
    message: 'scan qrcode',
    data: {
      instanceID: 'dev2',
      status: 'qr',
      qrcode: expect.stringMatching(/^data:image\/png;base64,/) as string,
      qr: expect.stringMatching(/^sim:link\/dev2\//) as string,
      attempt: 1,
      expired_at: anyText,
    },
  },
  {
    method: 'GET',
    path: '/api/device-info',
    request: device,
    message: 'device info',
    data: expect.objectContaining({
      instanceID: 'dev1',
      engine: 'simulator',
      status: 'connected',
      number: `${SHOP}@s.whatsapp.net`,
      name: 'Toko Nusa',
    }) as unknown,
  },
  {
    method: 'GET',
    path: '/api/logout',
    request: { instanceID: 'dev2' },
    message: 'success logout',
    data: { instanceID: 'dev2', status: 'logged_out' },
  },
];

const messaging: Route[] = [
  {
    method: 'POST',
    path: '/api/send-message',
    request: { pesan_id: 'P-1', role: 'bot', data: { ...to, text: 'Halo kak' } },
    message: 'success send message',
    data: { ...engineSend, pesan_id: 'P-1', role: 'bot' },
    required: ['pesan_id', 'role', 'data'],
  },
  {
    method: 'POST',
    path: '/api/send-media',
    request: { ...to, type: 'image', base64: PICTURE },
    message: 'success send media',
    data: {
      ...engineSend,
      type: 'image',
      filename: anyText,
      mimetype: 'image/jpeg',
      size: 11,
      url: expect.stringMatching(/^\/files\/[0-9a-f]{32}\.jpg$/) as string,
    },
    required: ['number', 'type', ['base64', 'file']],
  },
  {
    method: 'POST',
    path: '/api/send-location',
    request: { ...to, latitude: -6.2, longitude: '106.8' },
    message: 'success send location',
    data: engineSend,
    required: ['number', 'latitude', 'longitude'],
  },
  {
    method: 'POST',
    path: '/api/send-broadcast',
    request: { ...device, numbers: [BUDI], text: 'Promo', broadcast_id: 'B-1' },
    message: 'broadcast queued',
    data: { broadcast_id: 'B-1', total: 1, queued: 1, rejected: [], estimated_finish: anyText },
    required: ['numbers', 'text'],
  },
  {
    method: 'POST',
    path: '/api/mark-read',
    request: to,
    message: 'success mark read',
    data: { number: JID, count: 0 },
    required: ['number'],
  },
  {
    method: 'POST',
    path: '/api/typing',
    request: { ...to, on: true },
    message: 'success typing',
    data: { number: JID, on: true },
    required: ['number', 'on'],
  },
];

const groups: Route[] = [
  {
    method: 'POST',
    path: '/api/group/create',
    request: { ...device, name: 'Pelanggan', participants: [BUDI] },
    message: 'group created',
    data: {
      group_id: expect.stringMatching(/^120363\d{12}@g\.us$/) as string,
      name: 'Pelanggan',
      participants: [{ number: JID, status: 200 }],
    },
    required: ['name', 'participants'],
  },
  {
    method: 'GET',
    path: '/api/group/info',
    request: { ...device, group_id: GROUP },
    message: 'group info',
    data: {
      group_id: `${GROUP}@g.us`,
      name: 'Keluarga',
      description: null,
      owner: `${SHOP}@s.whatsapp.net`,
      created_at: anyText,
      size: 1,
      announce: false,
      participants: [{ number: `${SHOP}@s.whatsapp.net`, name: 'Toko Nusa', admin: 'superadmin' }],
    },
    required: ['group_id'],
  },
  {
    method: 'POST',
    path: '/api/group/participants',
    request: { ...device, group_id: GROUP, action: 'add', participants: [BUDI] },
    message: 'group participants updated',
    data: {
      group_id: `${GROUP}@g.us`,
      action: 'add',
      results: [{ number: JID, status: 200, message: 'success' }],
    },
    required: ['group_id', 'action', 'participants'],
  },
];

const notifications: Route[] = [
  {
    method: 'POST',
    path: '/api/push-notif',
    request: { title: 'Pesan baru', message: 'Budi menulis' },
    message: 'success push notif',
    data: { event: 'pushNotif', clients: 0 },
    required: ['title', 'message'],
  },
  {
    method: 'POST',
    path: '/api/update-chatlist',
    request: { instance: 'dev1', nohp: BUDI },
    message: 'success update chatlist',
    data: { event: 'updateChatlist', clients: 0 },
    required: ['instance', 'nohp'],
  },
  {
    method: 'POST',
    path: '/api/update-teamchat',
    request: { team: '3', data: { unread_chat: 4 } },
    message: 'success update teamchat',
    data: { event: 'updateTeamchat', clients: 0 },
    required: ['team', 'data'],
  },
  {
    method: 'POST',
    path: '/api/submit-pixel',
    request: { pixel_id: '1', event_name: 'Purchase' },
    message: 'success submit pixel',
    data: { event: 'submitPixel', clients: 0 },
    required: ['pixel_id', 'event_name'],
  },
];

const routes = [...session, ...messaging, ...groups, ...notifications];

/** A linked device and a customer, where no route of the simulator is there to make them. */
const furnish = async ({ database, receiver }: Gateway): Promise<void> => {
  await database.query(`INSERT INTO sim_phone (nohp, name) VALUES ('${SHOP}', 'Toko Nusa'), ('${BUDI}', 'Budi')`);
  await database.query(`INSERT INTO sim_link VALUES ('dev1', '${SHOP}')`);
  await database.query(`INSERT INTO sim_group (id, name, owner) VALUES ('${GROUP}@g.us', 'Keluarga', '${SHOP}')`);
  await database.query(
    `INSERT INTO sim_member (group_id, nohp, rank) VALUES ('${GROUP}@g.us', '${SHOP}', 'superadmin')`,
  );
  await database.query(
    `INSERT INTO device (instance_id, engine, status, webhook_url, push_name, number)
     VALUES ('dev1', 'simulator', 'connected', $1, 'Toko Nusa', '${SHOP}@s.whatsapp.net')`,
    [receiver.url],
  );
};

const environments = {
  development: { APP_ENV: 'development' },
  production: { ...PRODUCTION, ALLOW_SIMULATOR: 'true' },
};

describe.each(Object.entries(environments))('every route of the contract, in %s', (name, environment) => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway(environment);
    await furnish(gateway);
  });
  afterAll(() => gateway.stop());

  const call = ({ method, path }: Route, request: Record<string, unknown>): Promise<HttpReply> =>
    method === 'POST'
      ? gateway.client.post(path, request)
      : gateway.client.get(`${path}?${new URLSearchParams(request as Record<string, string>).toString()}`);

  it.each(routes.map((route) => [route.path, route] as const))('%s answers its documented body', async (_, route) => {
    const { request, message, data } = route;
    expect(await call(route, request)).toEqual({ status: 200, body: { success: true, message, data } });
  });

  const omissions = routes.flatMap((route) =>
    (route.required ?? []).map((each) => {
      const [field, told] = typeof each === 'string' ? [each, each] : each;
      return [route.path, field, told, route] as const;
    }),
  );
  it.each(omissions)('%s without %s answers 422', async (_, field, told, route) => {
    const { [field]: _left, ...request } = route.request;
    const message = `${told} is required`;
    const error = { code: 'VALIDATION', retryable: false, errors: [{ field: told, tag: anyText, message }] };
    expect(await call(route, request)).toEqual({
      status: 422,
      body: { success: false, message, ...(name === 'production' ? {} : { error }) },
    });
  });
});
