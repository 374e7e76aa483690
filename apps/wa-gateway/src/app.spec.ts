import { routeLines } from '@platform/http';
import { offlineService, PRODUCTION, until, useGateway } from './gateway.fixture';

const routesOf = (environment: Record<string, string>) =>
  routeLines(offlineService(environment)).filter((line) => /,\/(api|sim)[/,]/.test(line));

const CONTRACT = [
  'wa-gateway,POST,/api/new,perimeter',
  'wa-gateway,GET,/api/qrcode,perimeter',
  'wa-gateway,GET,/api/logout,perimeter',
  'wa-gateway,GET,/api/device-info,perimeter',
  'wa-gateway,POST,/api/send-message,perimeter',
  'wa-gateway,POST,/api/send-media,perimeter',
  'wa-gateway,POST,/api/send-location,perimeter',
  'wa-gateway,POST,/api/send-broadcast,perimeter',
  'wa-gateway,GET,/api/broadcast/{id},perimeter',
  'wa-gateway,POST,/api/broadcast/{id},perimeter',
  'wa-gateway,POST,/api/group/create,perimeter',
  'wa-gateway,GET,/api/group/info,perimeter',
  'wa-gateway,POST,/api/group/participants,perimeter',
  'wa-gateway,POST,/api/mark-read,perimeter',
  'wa-gateway,POST,/api/typing,perimeter',
  'wa-gateway,POST,/api/push-notif,perimeter',
  'wa-gateway,POST,/api/update-chatlist,perimeter',
  'wa-gateway,POST,/api/update-teamchat,perimeter',
  'wa-gateway,POST,/api/submit-pixel,perimeter',
  'wa-gateway,GET,/api/webhook/dead,perimeter',
  'wa-gateway,POST,/api/webhook/replay,perimeter',
];

it('the time of the database is known before a device begins', () => {
  const stages = offlineService().components.map((stage) => [stage].flat().map(({ name }) => name));
  const [known, begun] = ['clock', 'devices'].map((name) => stages.findIndex((names) => names.includes(name)));
  expect([known, begun]).not.toContain(-1);
  expect(known).toBeLessThan(begun ?? -1);
});

describe('in production', () => {
  it('the simulator is refused at the start', () => {
    expect(() => offlineService(PRODUCTION)).toThrow('WA_ENGINE=simulator sends nothing to WhatsApp');
  });

  it('its routes are absent, also on a demo installation', () => {
    for (const [setting, value] of [
      ['WA_ENGINE', 'cloud'],
      ['ALLOW_SIMULATOR', 'true'],
    ] as const) {
      const routes = routesOf({ ...PRODUCTION, [setting]: value });
      expect(routes).toEqual(expect.arrayContaining(CONTRACT));
      expect(routes.filter((line) => line.includes(',/sim'))).toEqual([]);
    }
  });

  it.each(['WA_AUTH_KEY', 'GATEWAY_API_KEY', 'REALTIME_TOKEN', 'TRUST_PROXY', 'REDIS_URL'])(
    'nothing starts without %s',
    (setting) => {
      expect(() => offlineService({ ...PRODUCTION, WA_ENGINE: 'cloud', [setting]: '' })).toThrow(
        `${setting} is missing`,
      );
    },
  );
});

describe('a production gateway', () => {
  const gateway = useGateway({ ...PRODUCTION, ALLOW_SIMULATOR: 'true' });

  it.each([
    ['a missing field', '/api/send-message', '{}', 422, 'pesan_id is required'],
    ['malformed JSON', '/api/send-message', '{', 400, 'malformed request body'],
    ['a body too large', '/api/new', JSON.stringify({ name: 'x'.repeat(1_100_000) }), 413, 'request too large'],
    ['an unknown route', '/api/send-contact', '{}', 404, 'route not found'],
    ['the page of the simulator', '/sim', '{}', 404, 'route not found'],
    ['a simulator route', '/sim/phones', '{"nohp":"628123456789"}', 404, 'route not found'],
    [
      'a receiver that is not on the list',
      '/api/new',
      '{"webhook_url":"http://192.0.2.1"}',
      422,
      'webhook_url is not valid',
    ],
  ])('hides the error of %s', async (_, path, body, status, message) => {
    expect(await gateway.client.post(path, body)).toEqual({ status, body: { success: false, message } });
  });
});

describe('the perimeter', () => {
  const gateway = useGateway({ GATEWAY_API_KEY: 'the-key', GATEWAY_ALLOWED_IPS: '127.0.0.0/8' });

  it('asks for the key when there is one', async () => {
    const { client } = gateway;
    const closed = {
      status: 401,
      body: { success: false, message: 'Unauthenticated', error: { code: 'UNAUTHENTICATED', retryable: false } },
    };
    expect(await client.get('/api/device-info')).toEqual(closed);
    expect(await client.get('/api/device-info', { headers: { 'x-api-key': 'another' } })).toEqual(closed);
    expect(await client.get('/api/device-info', { headers: { 'x-api-key': 'the-key' } })).toEqual({
      status: 200,
      body: { success: true, message: 'device info', data: { devices: [] } },
    });
  });

  it('asks nobody for the key who follows the link of a file, whose name nobody can guess', async () => {
    expect(await gateway.client.get(`/files/${'0'.repeat(32)}.pdf`)).toEqual({
      status: 404,
      body: { success: false, message: 'file not found', error: { code: 'NOT_FOUND', retryable: false } },
    });
  });
});

describe('a running gateway', () => {
  const gateway = useGateway();

  it('answers its documented examples', async () => {
    const { client, app } = gateway;
    for (const { method, path, examples = [] } of app.service.endpoints)
      for (const { summary, request, status, response } of examples) {
        const answer = method === 'get' ? client.get(`${path}?instanceID=nobody`) : client.post(path, request);
        expect([summary, await answer]).toEqual([summary, { status, body: response }]);
      }
  });

  it('serves its operational routes', async () => {
    const { url } = gateway.running;
    const statuses = await Promise.all(
      ['/health', '/ready', '/metrics', '/docs', '/docs.json'].map(async (path) => (await fetch(url + path)).status),
    );
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
  });

  it('sends what was accepted by a commit whose answer got lost', async () => {
    const { client, database, receiver } = gateway;
    await client.link('dev1');
    await client.customer('628123456789', 'dev1', 'halo');
    await until(
      () => receiver.messages().length,
      (count) => count === 1,
    );
    const payload = { content: { kind: 'text', text: 'terlupa' }, options: {} };
    await database.query(
      `INSERT INTO message (instance_id, chat, from_me, id, direction, type, pesan_id, role, payload, send_state, body_hash, at, created_at)
       VALUES ('dev1', '628123456789@s.whatsapp.net', true, '3EB0LOST', 'out', 'chat', 'LOST', 'agent', $1, 'queued', 'h', now(), now() - interval '1 minute')`,
      [JSON.stringify(payload)],
    );
    await gateway.app.fleet.pickUpForgotten();
    expect(
      await until(
        () => client.shows('628123456789'),
        ({ length }) => length > 0,
      ),
    ).toEqual(['terlupa']);
  });

  it('answers 503 while its database is away', async () => {
    // The pool ends with its last connection, and the jobs listen on one
    await gateway.app.jobs.stop?.();
    await gateway.app.database.stop?.();
    expect(await gateway.client.get('/api/device-info?instanceID=dev1')).toEqual({
      status: 503,
      body: { success: false, message: 'store unavailable', error: { code: 'UNAVAILABLE', retryable: true } },
    });
  });
});
