import { inspect } from 'node:util';
import type { Logger } from '@platform/runtime';
import { invalid, until } from '../../gateway.fixture';
import { cloudAccount, CUSTOMER, quiet, useCloudGateway } from './cloud.fixture';

const logged: string[] = [];
const write = (...line: unknown[]): void => void logged.push(inspect(line, { depth: 8 }));
const logger: Logger = { debug: write, info: write, warn: write, error: write, child: () => logger };

const { gateway, sandbox } = useCloudGateway({ ACK_TIMEOUT: '0s' }, { logger });
afterEach(async () => {
  await quiet(sandbox);
  sandbox.wa.faults.clear();
  gateway.receiver.reset();
});

const create = (body: object) => gateway.client.post('/api/new', { instanceID: 'toko-1', engine: 'cloud', ...body });
const statusOf = async (instanceID = 'toko-1') => {
  const info = gateway.client.get(`/api/device-info?instanceID=${instanceID}`);
  return (await gateway.client.data<{ status: string }>(info)).status;
};
const shown = () => sandbox.wa.store.sent.map(({ opaque }) => opaque);
const send = async (pesanId: string, to = CUSTOMER) =>
  (await gateway.client.data<{ id: string }>(gateway.client.send(pesanId, to, `pesan ${pesanId}`))).id;
/** The callback that tells of a failed send. */
const failureOf = (id: string) =>
  until(
    () => gateway.receiver.taken.filter(({ fields }) => fields.id === id && fields.rawMessage?.includes('"failed"')),
    ({ length }) => length > 0,
  ).then(([callback]) => JSON.parse(callback?.fields.rawMessage ?? '') as object);

describe('POST /api/new with engine cloud', () => {
  it('is connected after one look at the number, and says what it cannot do', async () => {
    const info = await gateway.client.data<Record<string, unknown>>(
      gateway.client.get('/api/device-info?instanceID=toko-1'),
    );
    expect(info).toMatchObject({
      engine: 'cloud',
      status: 'connected',
      number: '6281110000001@s.whatsapp.net',
      name: 'Toko Nusa',
      platform: 'cloud',
      capabilities: { text: true, groups: { reason: 'groups of the Cloud API are not built' } },
    });
    expect(await gateway.client.get('/api/qrcode?instanceID=toko-1')).toMatchObject({ status: 409 });
  });

  it('needs an account, and all of it', async () => {
    const { token: _, ...rest } = cloudAccount;
    expect(await create({ instanceID: 'toko-2', cloud: rest })).toEqual(
      invalid('cloud.token', 'required', 'cloud.token is required'),
    );
    expect(await create({ instanceID: 'toko-2' })).toEqual(invalid('cloud', 'required', 'cloud is required'));
    expect(await create({ instanceID: 'toko-2', cloud: { ...cloudAccount, token: 'a\nb' } })).toEqual(
      invalid('cloud.token', 'format', 'cloud.token is not valid'),
    );
  });

  it('gives a number to one device only: a webhook names nothing else', async () => {
    expect(await create({ instanceID: 'toko-2', cloud: cloudAccount })).toEqual(
      invalid('cloud.phone_number_id', 'taken', 'cloud.phone_number_id is not valid'),
    );
  });

  it('keeps token and secrets sealed', async () => {
    const [row] = await gateway.database.query<{ kept: Record<string, string> }>(
      'SELECT cloud_enc AS kept FROM device',
    );
    expect(row?.kept).toEqual({
      phone_number_id: cloudAccount.phone_number_id,
      sealed: expect.stringMatching(/^v1\./),
    });
    const { phone_number_id: _, ...secrets } = cloudAccount;
    for (const secret of Object.values(secrets)) expect(JSON.stringify(row)).not.toContain(secret);
  });
});

describe('limits', () => {
  const sendMedia = (type: string, bytes: Buffer) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ number: CUSTOMER, type })) form.append(name, value);
    form.append('file', new Blob([new Uint8Array(bytes)]), 'file.bin');
    return gateway.client.get('/api/send-media', { method: 'POST', body: form });
  };
  const large = (head: string, bytes: number) => Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(bytes)]);

  it('a text has 4,096 characters at most', async () => {
    expect(await gateway.client.send('L-1', CUSTOMER, 'x'.repeat(4_097))).toEqual(
      invalid('text', 'max', 'text is not valid'),
    );
    const { id } = await gateway.client.data<{ id: string }>(gateway.client.send('L-2', CUSTOMER, 'x'.repeat(4_096)));
    await until(shown, (ids) => ids.includes(id));
  });

  it('a broadcast has them too, also once its fields are filled in', async () => {
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const broadcast = (body: object) => gateway.client.post('/api/send-broadcast', { ...body, scheduled_at: later });
    expect(await broadcast({ numbers: [CUSTOMER], text: 'x'.repeat(4_097) })).toEqual(
      invalid('text', 'max', 'text is not valid'),
    );
    const recipients = [
      { number: CUSTOMER, data: { isi: 'x'.repeat(4_096) } },
      { number: '628120000009', data: { isi: 'x'.repeat(4_097) } },
    ];
    expect(await broadcast({ recipients, text: '{{isi}}' })).toMatchObject({
      status: 200,
      body: { data: { total: 2, queued: 1, rejected: [{ number: '628120000009', message: 'text is not valid' }] } },
    });
  });

  it.each([
    ['image', large('\xff\xd8\xff', 5 * 1024 * 1024)],
    ['sticker', large('RIFF\0\0\0\0WEBPVP8 ', 500 * 1024)],
  ])('a larger %s is refused', async (type, bytes) => {
    expect(await sendMedia(type, bytes)).toEqual({
      status: 413,
      body: { success: false, message: 'file too large', error: { code: 'TOO_LARGE', retryable: false } },
    });
  });
});

describe('a send that Meta does not take', () => {
  it.each([131047, 131026])('with %i is told as failed, and not tried again', async (code) => {
    sandbox.wa.addFault({ kind: 'error', code });
    const id = await send(`F-${code}`);
    expect(await failureOf(id)).toEqual({ pesan_id: `F-${code}`, failed: { code: `WA_${code}`, retryable: false } });
    expect(shown()).not.toContain(id);
  });

  it('and says so only afterwards, is told as failed', async () => {
    sandbox.wa.addFault({ kind: 'failed_status', code: 131026 });
    const id = await send('F-later');
    expect(await failureOf(id)).toEqual({ pesan_id: 'F-later', failed: { code: 'WA_131026', retryable: false } });
  });

  it('over the pair rate goes out after its pause; another chat does not wait', async () => {
    sandbox.wa.addFault({ kind: 'error', code: 131056, to: CUSTOMER });
    const slow = await send('R-1');
    const other = await send('R-2', '628120000009');
    await until(shown, (ids) => ids.includes(slow));
    expect(shown().slice(-2)).toEqual([other, slow]);
  });
});

describe('a send whose answer got lost', () => {
  it('is settled by the webhook with our id, and not sent again', async () => {
    sandbox.wa.addFault({ kind: 'accept_then_drop' });
    const id = await send('D-1');
    await until(
      () => gateway.receiver.statuses(id),
      (statuses) => statuses.includes('delivered'),
    );
    await gateway.app.fleet.chase();
    expect(gateway.receiver.statuses(id)).toEqual(['pending', 'sent', 'delivered']);
    expect(shown().filter((each) => each === id)).toHaveLength(1);
    const [row] = await gateway.database.query('SELECT wa_id, send_state FROM message WHERE id = $1', [id]);
    expect(row).toEqual({ wa_id: expect.stringMatching(/^wamid\./), send_state: 'acked' });
  });

  it('fails with NO_ACK when no webhook comes, and is not sent again', async () => {
    const { webhooks } = sandbox.wa;
    const { subscription } = webhooks;
    webhooks.subscription = undefined;
    sandbox.wa.addFault({ kind: 'accept_then_drop' });
    const id = await send('D-2');
    await until(
      () => gateway.database.query('SELECT send_state FROM message WHERE id = $1 AND sent_at IS NOT NULL', [id]),
      ([row]) => row?.send_state === 'sending' && shown().includes(id),
    );
    const failed = failureOf(id);
    await until(
      () => gateway.app.fleet.chase().then(() => gateway.receiver.statuses(id).length),
      (reports) => reports === 2,
    );
    expect(await failed).toEqual({ pesan_id: 'D-2', failed: { code: 'NO_ACK', retryable: false } });
    expect(shown().filter((each) => each === id)).toHaveLength(1);
    if (subscription) await sandbox.wa.subscribe(subscription);
  });

  it('is not given up while Meta has it and only the webhooks are late', async () => {
    const { webhooks } = sandbox.wa;
    const { subscription } = webhooks;
    webhooks.subscription = undefined;
    const id = await send('D-3');
    const state = async () =>
      (await gateway.database.query<{ send_state: string }>('SELECT send_state FROM message WHERE id = $1', [id]))[0];
    await until(state, (row) => row?.send_state === 'sent_to_engine');
    await gateway.app.fleet.chase();
    expect(await state()).toEqual({ send_state: 'sent_to_engine' });
    if (subscription) await sandbox.wa.subscribe(subscription);
    expect(
      await until(
        () => gateway.receiver.statuses(id),
        (statuses) => statuses.includes('delivered'),
      ),
    ).toEqual(['pending', 'sent', 'delivered']);
  });
});

describe('a token that has expired', () => {
  it('logs the device out and fails what waits; what customers write is still stored; a new token brings it back', async () => {
    sandbox.wa.addFault({ kind: 'error', code: 190 });
    const id = await send('T-1');
    expect(await failureOf(id)).toEqual({ pesan_id: 'T-1', failed: { code: 'LOGGED_OUT', retryable: false } });
    expect(await statusOf()).toBe('logged_out');
    expect(await gateway.client.send('T-2', CUSTOMER, 'halo')).toMatchObject({
      status: 409,
      body: { message: 'device not connected' },
    });
    sandbox.wa.customerSends({ from: CUSTOMER, text: 'masih buka?' });
    await until(
      () => gateway.receiver.messages().map(({ fields }) => fields.text),
      (texts) => texts.includes('masih buka?'),
    );
    expect(await create({ cloud: { ...cloudAccount, token: 'wrong' } })).toMatchObject({
      body: { data: { status: 'logged_out' } },
    });
    expect(await create({ cloud: cloudAccount })).toMatchObject({
      status: 200,
      body: { message: 'device already exists', data: { status: 'connected' } },
    });
    const again = await send('T-3');
    await until(shown, (ids) => ids.includes(again));
  });

  it('may be replaced before that happens', async () => {
    expect(await create({ cloud: { ...cloudAccount, token: 'wrong' } })).toMatchObject({ status: 200 });
    await until(
      () => statusOf(),
      (status) => status === 'logged_out',
    );
    expect(await create({ cloud: cloudAccount })).toMatchObject({ body: { data: { status: 'connected' } } });
  });
});

describe('logout', () => {
  it('forgets the account: webhooks are dropped, and it needs one to come back', async () => {
    await gateway.client.data(gateway.client.get('/api/logout?instanceID=toko-1'));
    expect(await gateway.database.query('SELECT cloud_enc FROM device')).toEqual([{ cloud_enc: null }]);
    expect(await create({})).toEqual(invalid('cloud', 'required', 'cloud is required'));
    expect(await create({ cloud: cloudAccount })).toMatchObject({ body: { data: { status: 'connected' } } });
  });
});

describe('another engine', () => {
  it('leaves the number to other devices', async () => {
    sandbox.wa.addFault({ kind: 'error', code: 190 });
    await failureOf(await send('E-1'));
    expect(await create({ engine: 'simulator' })).toMatchObject({ status: 200 });
    await gateway.client.data(create({ instanceID: 'toko-2', cloud: cloudAccount }));
    expect(await statusOf('toko-2')).toBe('connected');
  });
});

describe('the logs of all this', () => {
  it('hold neither token nor secret nor what people wrote', () => {
    expect(logged.length).toBeGreaterThan(5);
    const { token, app_secret, verify_token } = cloudAccount;
    for (const secret of [token, app_secret, verify_token, 'pesan F-', 'pesan D-', 'masih buka?'])
      expect(logged.filter((line) => line.includes(secret))).toEqual([]);
  });
});
