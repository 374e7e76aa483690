import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import { useGateway, until } from '../../gateway.fixture';

const gateway = useGateway();

const refusal = (code: string, message: string, retryable = false, more: object = {}) => ({
  success: false,
  message,
  error: { code, retryable, ...more },
});
const stateOf = async (instanceID: string) =>
  (await gateway.client.data<{ status: string }>(gateway.client.get(`/api/device-info?instanceID=${instanceID}`)))
    .status;

/** Reads the picture with a decoder that is not ours. */
const readQr = (png: Buffer): string | undefined => {
  const { data, width, height } = PNG.sync.read(png);
  return jsQR(new Uint8ClampedArray(data), width, height)?.data;
};

describe('POST /api/new', () => {
  it('makes a device, and changes it when it is repeated', async () => {
    const { client, receiver } = gateway;
    const data = { instanceID: 'new-1', name: 'Toko', engine: 'simulator', webhook_url: receiver.url };
    expect(await client.post('/api/new', { instanceID: 'new-1', name: 'Toko' })).toEqual({
      status: 200,
      body: {
        success: true,
        message: 'device created',
        data: { ...data, status: 'created', created_at: expect.any(String) },
      },
    });
    await until(
      () => stateOf('new-1'),
      (status) => status === 'qr',
    );
    expect(await client.post('/api/new', { instance: 'new-1', name: 'Toko Nusa' })).toEqual({
      status: 200,
      body: {
        success: true,
        message: 'device already exists',
        data: { ...data, name: 'Toko Nusa', status: 'qr', created_at: expect.any(String) },
      },
    });
  });

  it('makes one device, however often and at the same time it is asked for', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => gateway.client.post('/api/new', { instanceID: 'new-10' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    const created = answers.filter(({ body }) => (body as { message: string }).message === 'device created');
    expect(created).toHaveLength(1);
    const { attempt } = await gateway.client.data<{ attempt: number }>(
      gateway.client.get('/api/qrcode?instanceID=new-10'),
    );
    expect(attempt).toBe(1);
  });

  it('chooses a name when none is given', async () => {
    const data = await gateway.client.data<{ instanceID: string }>(gateway.client.post('/api/new', {}));
    expect(data.instanceID).toMatch(/^dev-[0-9a-f]{8}$/);
  });

  it.each([
    ['http://evil.example/v1', 'a host that is not on the list'],
    ['http://user:secret@127.0.0.1/v1', 'credentials in the address'],
    ['ftp://127.0.0.1/v1', 'another protocol'],
  ])('refuses %s: %s', async (webhook_url) => {
    expect(await gateway.client.post('/api/new', { instanceID: 'new-2', webhook_url })).toEqual({
      status: 422,
      body: refusal('VALIDATION', 'webhook_url is not valid', false, {
        errors: [{ field: 'webhook_url', tag: expect.any(String), message: 'webhook_url is not valid' }],
      }),
    });
  });

  it('lists every wrong field and names the first', async () => {
    expect(await gateway.client.post('/api/new', { instanceID: 'a b', secret: 'short', online: 'maybe' })).toEqual({
      status: 422,
      body: refusal('VALIDATION', 'instanceID is not valid', false, {
        errors: [
          { field: 'instanceID', tag: 'format', message: 'instanceID is not valid' },
          { field: 'secret', tag: 'min', message: 'secret is not valid' },
          { field: 'online', tag: 'boolean', message: 'online is not valid' },
        ],
      }),
    });
  });
});

describe('linking a device', () => {
  it('goes from the code to a connected device, which then has no code any more', async () => {
    const { client } = gateway;
    await client.post('/api/new', { instanceID: 'link-1' });
    const answer = await client.get('/api/qrcode?instanceID=link-1');
    const { qr, qrcode } = (answer.body as { data: { qr: string; qrcode: string } }).data;
    expect(answer).toEqual({
      status: 200,
      body: {
        success: true,
        message: 'scan qrcode',
        data: { instanceID: 'link-1', status: 'qr', qrcode, qr, attempt: 1, expired_at: expect.any(String) },
      },
    });
    expect(qr).toMatch(/^sim:link\/link-1\/[0-9a-f]{24}$/);
    const png = await fetch(`${client.url}/api/qrcode?instanceID=link-1&format=png`);
    expect(png.headers.get('content-type')).toBe('image/png');
    const bytes = Buffer.from(await png.arrayBuffer());
    expect(qrcode).toBe(`data:image/png;base64,${bytes.toString('base64')}`);
    expect(readQr(bytes)).toBe(qr);

    expect(await client.post('/sim/scan', { qr, nohp: '0811-0000-001' })).toEqual({
      status: 200,
      body: {
        success: true,
        message: 'device linked',
        data: { instanceID: 'link-1', number: '628110000001@s.whatsapp.net' },
      },
    });
    expect(await stateOf('link-1')).toBe('connected');
    const again = { status: 409, body: refusal('DEVICE_STATE', 'device already connected') };
    expect(await client.get('/api/qrcode?instanceID=link-1')).toEqual(again);
    expect(await client.post('/sim/scan', { qr, nohp: '628110000001' })).toEqual(again);
  });

  it('offers a code to type when a number is given', async () => {
    const { client } = gateway;
    await client.post('/api/new', { instanceID: 'link-2', nohp: '08110000002' });
    const data = await client.data(client.get('/api/qrcode?instanceID=link-2'));
    expect(data).toMatchObject({ pairing_code: expect.stringMatching(/^[0-9A-F]{8}$/) });
  });

  it('refuses a code of another round', async () => {
    const { client } = gateway;
    await client.post('/api/new', { instanceID: 'link-3' });
    await client.get('/api/qrcode?instanceID=link-3');
    expect(await client.post('/sim/scan', { qr: 'sim:link/link-3/00ff', nohp: '628110000003' })).toEqual({
      status: 409,
      body: refusal('DEVICE_STATE', 'qrcode expired', true),
    });
  });
});

describe('GET /api/device-info', () => {
  it('tells everything about one device', async () => {
    const { client } = gateway;
    await client.link('info-1', { name: 'Kasir' }, '628110000007');
    const capabilities = expect.objectContaining({ text: true, qr: true, groups: true }) as object;
    expect(await client.get('/api/device-info?instance=info-1')).toEqual({
      status: 200,
      body: {
        success: true,
        message: 'device info',
        data: {
          instanceID: 'info-1',
          engine: 'simulator',
          status: 'connected',
          number: '628110000007@s.whatsapp.net',
          name: 'Phone 0007',
          profilepic: null,
          platform: 'simulator',
          connected_at: expect.any(String),
          last_seen: expect.any(String),
          last_error: null,
          reconnects: 0,
          restricted_until: null,
          queue: { outgoing: 0, webhook: 0, dead: 0 },
          capabilities,
        },
      },
    });
  });

  it('lists all devices when none is named', async () => {
    const { devices } = await gateway.client.data<{ devices: { instanceID: string }[] }>(
      gateway.client.get('/api/device-info'),
    );
    expect(devices.map(({ instanceID }) => instanceID)).toEqual(expect.arrayContaining(['info-1', 'link-1']));
  });

  it('answers 404 to an unknown name, and asks for a name where there are several devices', async () => {
    const { client } = gateway;
    const nobody = { status: 404, body: refusal('NOT_FOUND', 'device not found') };
    expect(await client.get('/api/device-info?instanceID=nobody')).toEqual(nobody);
    expect(await client.get('/api/logout?instanceID=nobody')).toEqual(nobody);
    expect(await client.get('/api/qrcode')).toEqual({
      status: 422,
      body: refusal('VALIDATION', 'instanceID is required', false, {
        errors: [{ field: 'instanceID', tag: 'required', message: 'instanceID is required' }],
      }),
    });
  });
});

describe('GET /api/logout', () => {
  it('unlinks, also when it is repeated; accidents change nothing', async () => {
    const { client } = gateway;
    await client.link('out-1', {}, '628110000009');
    const head = await fetch(`${client.url}/api/logout?instanceID=out-1`, { method: 'HEAD' });
    expect(head.status).toBe(405);
    expect(
      await client.get('/api/logout?instanceID=out-1', { headers: { 'sec-purpose': 'prefetch;prerender' } }),
    ).toEqual({
      status: 409,
      body: refusal('DEVICE_STATE', 'prefetch refused'),
    });
    expect(await stateOf('out-1')).toBe('connected');
    const gone = {
      status: 200,
      body: { success: true, message: 'success logout', data: { instanceID: 'out-1', status: 'logged_out' } },
    };
    expect(await client.get('/api/logout?instanceID=out-1')).toEqual(gone);
    expect(await client.get('/api/logout?instanceID=out-1')).toEqual(gone);
    expect(await client.send('OUT-1', '628123456789', 'halo', { instanceID: 'out-1' })).toEqual({
      status: 409,
      body: refusal('DEVICE_STATE', 'device not connected', true, { status: 'logged_out' }),
    });
    await client.link('out-1', {}, '628110000009');
    expect(await stateOf('out-1')).toBe('connected');
  });

  it('at the same time as links and scans leaves a device that can be linked', async () => {
    const { client } = gateway;
    const nohp = '628110000077';
    for (let round = 0; round < 10; round++) {
      await client.post('/api/new', { instanceID: 'torn' });
      await Promise.all([
        client.get('/api/qrcode?instanceID=torn'),
        client.post('/sim/scan', { instanceID: 'torn', nohp }),
        client.get('/api/logout?instanceID=torn'),
        client.post('/api/new', { instanceID: 'torn' }),
      ]);
    }
    await client.get('/api/logout?instanceID=torn');
    await client.link('torn', {}, nohp);
    expect(await stateOf('torn')).toBe('connected');
  });
});

it('a device whose account has a name that no table takes is connected, and is called what is left of it', async () => {
  const { app, client } = gateway;
  await client.link('named', {}, '628110000077');
  const line = await app.fleet.here('named');
  if (!line) throw new Error('the device does not run here');
  const account = { linked: true, pushName: 'To\0ko \ud83d', platform: 'simulator' };
  jest.spyOn(line.engine, 'info').mockReturnValue(account);
  const sink = app.sinkOf(line);
  await sink.state('reconnecting', 'closed: \0\ud83d');
  await sink.state('connected');
  const info = client.get('/api/device-info?instanceID=named');
  expect(await client.data(info)).toMatchObject({ status: 'connected', name: 'Toko \ufffd' });
});
