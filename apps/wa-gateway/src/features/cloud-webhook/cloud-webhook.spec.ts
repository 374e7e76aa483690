import { createHmac } from 'node:crypto';
import { cloudAccount, CUSTOMER, quiet, useCloudGateway } from '../../engines/cloud/cloud.fixture';
import { until } from '../../gateway.fixture';

const { gateway, sandbox } = useCloudGateway();
afterEach(async () => {
  await quiet(sandbox);
  gateway.receiver.reset();
  sandbox.wa.webhooks.attempts.length = 0;
});

const signed = (body: string, secret = cloudAccount.app_secret) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
const webhook = (value: object) =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '1', changes: [{ field: 'messages', value }] }],
  });
const message = (id: string, text: string, more: object = {}) => ({
  metadata: { phone_number_id: cloudAccount.phone_number_id },
  contacts: [{ profile: { name: 'Budi' }, wa_id: CUSTOMER }],
  messages: [{ id, from: CUSTOMER, timestamp: '1795180010', type: 'text', text: { body: text }, ...more }],
});
const post = (body: string, signature = signed(body)) =>
  gateway.client.get('/webhook/cloud', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
    body,
  });
const stored = async (id: string) => {
  const [row] = await gateway.database.query<{ count: string }>('SELECT count(*) FROM message WHERE id = $1', [id]);
  return Number(row?.count);
};
const delivered = (count: number) =>
  until(
    () => gateway.receiver.messages(),
    (messages) => messages.length >= count,
  );

describe('GET /webhook/cloud', () => {
  const verify = async (query: string) => {
    const answer = await fetch(`${gateway.client.url}/webhook/cloud?${query}`);
    return [answer.status, answer.headers.get('content-type'), await answer.text()];
  };

  it('answers the challenge as text to whoever knows the verify token of a device', async () => {
    expect(await verify('hub.mode=subscribe&hub.verify_token=verify%20me&hub.challenge=1158201444')).toEqual([
      200,
      'text/plain; charset=utf-8',
      '1158201444',
    ]);
  });

  it.each([
    ['another token', 'hub.mode=subscribe&hub.verify_token=guessed&hub.challenge=1'],
    ['another mode', 'hub.mode=unsubscribe&hub.verify_token=verify%20me&hub.challenge=1'],
    ['nothing', ''],
  ])('answers 403 to %s', async (_, query) => {
    expect(await gateway.client.get(`/webhook/cloud?${query}`)).toEqual({
      status: 403,
      body: {
        success: false,
        message: 'the verify token is not known here',
        error: { code: 'FORBIDDEN', retryable: false },
      },
    });
  });
});

describe('POST /webhook/cloud', () => {
  it('answers 200 only when the message and its callback are stored', async () => {
    expect(await post(webhook(message('wamid.A', 'halo')))).toEqual({
      status: 200,
      body: { success: true, message: 'success webhook', data: null },
    });
    expect(await stored('wamid.A')).toBe(1);
    const [callback] = await delivered(1);
    expect({ ...callback?.fields, rawMessage: undefined }).toEqual({
      instanceID: 'toko-1',
      result: 'true',
      report: 'false',
      text: 'halo',
      number: `${CUSTOMER}@s.whatsapp.net`,
      fromMe: 'false',
      id: 'wamid.A',
      name: 'Budi',
      timestamp: '1795180010',
      type: 'chat',
    });
  });

  it.each([
    ['a wrong secret', (body: string) => signed(body, 'another secret')],
    ['a signature of something else', () => signed('{}')],
    ['no signature', () => ''],
  ])('answers 401 to %s, and stores nothing', async (_, signature) => {
    const body = webhook(message('wamid.forged', 'saya admin'));
    expect(await post(body, signature(body))).toEqual({
      status: 401,
      body: {
        success: false,
        message: 'the signature is not right',
        error: { code: 'UNAUTHENTICATED', retryable: false },
      },
    });
    expect(await stored('wamid.forged')).toBe(0);
  });

  it('answers 401 to an impossible number, and 400 to a body that is no webhook', async () => {
    const odd = webhook({ metadata: { phone_number_id: '1\0\ud800' } });
    expect((await post(odd, 'sha256=00')).status).toBe(401);
    for (const body of ['{', 'null', '{"entry":[null]}', '{"entry":{}}'])
      expect(await post(body)).toEqual({
        status: 400,
        body: {
          success: false,
          message: 'malformed request body',
          error: { code: 'MALFORMED', retryable: false },
        },
      });
  });

  it('answers 500 while the store is down, so that Meta repeats it', async () => {
    const { database } = gateway;
    await database.query('ALTER TABLE message ADD CONSTRAINT closed CHECK (false) NOT VALID');
    const body = webhook(message('wamid.B', 'tertahan'));
    const refused = await post(body);
    await database.query('ALTER TABLE message DROP CONSTRAINT closed');
    expect(refused).toEqual({
      status: 500,
      body: { success: false, message: 'internal server error', error: { code: 'INTERNAL', retryable: true } },
    });
    expect((await post(body)).status).toBe(200);
    expect((await delivered(1)).map(({ fields }) => fields.text)).toEqual(['tertahan']);
  });

  it('stores what Meta repeats once', async () => {
    sandbox.wa.addFault({ kind: 'webhook_duplicated', times: 2 });
    sandbox.wa.customerSends({ from: CUSTOMER, text: 'satu' });
    sandbox.wa.customerSends({ from: CUSTOMER, text: 'dua' });
    await quiet(sandbox);
    expect(sandbox.wa.webhooks.attempts.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await delivered(2)).map(({ fields }) => fields.text)).toEqual(['satu', 'dua']);
  });

  it('stores what came badly signed once it comes well signed', async () => {
    sandbox.wa.addFault({ kind: 'webhook_badly_signed' });
    sandbox.wa.customerSends({ from: CUSTOMER, text: 'halo lagi 😀' });
    expect((await delivered(1)).map(({ fields }) => fields.text)).toEqual(['halo lagi 😀']);
    await quiet(sandbox);
    expect(sandbox.wa.webhooks.attempts.map(({ status }) => status)).toEqual([401, 200]);
  });

  it('strips what PostgreSQL cannot store from the text', async () => {
    await post(webhook(message('wamid.nul', 'a\0b\ud800c')));
    expect((await delivered(1)).map(({ fields }) => fields.text)).toEqual(['ab\ufffdc']);
  });

  it('what a person says who hides the number can be read in the dead list of a receiver that knows no such address', async () => {
    gateway.receiver.answer = ({ fields }) =>
      /^\d+@/.test(fields.number ?? '') ? {} : { body: { result: false, message: 'invalid number format' } };
    sandbox.wa.customerSends({ user_id: 'ID.13491208655302741918', name: 'Siti', text: 'halo' });
    const { items } = await until(
      () =>
        gateway.client.data<{ items: { number: string; last_error: string }[] }>(
          gateway.client.get('/api/webhook/dead?instanceID=toko-1'),
        ),
      (dead) => dead.items.length === 1,
    );
    expect(items).toMatchObject([{ number: 'ID.13491208655302741918@bsuid' }]);
  });

  it('answers 200 to a number that no device has, and drops it', async () => {
    const body = webhook({ ...message('wamid.C', 'x'), metadata: { phone_number_id: '42' } });
    expect((await post(body)).status).toBe(200);
    expect(await stored('wamid.C')).toBe(0);
    expect((await post(body, signed(body, 'another secret'))).status).toBe(401);
  });
});

describe('statuses from Meta', () => {
  const send = async (pesanId: string) =>
    (await gateway.client.data<{ id: string }>(gateway.client.send(pesanId, CUSTOMER, `pesan ${pesanId}`))).id;
  const told = (id: string, last: string) =>
    until(
      () => gateway.receiver.statuses(id),
      (statuses) => statuses.includes(last),
    );

  it('carry our id, in rising order however Meta orders them', async () => {
    sandbox.wa.addFault({ kind: 'webhook_reordered', times: 2 });
    const id = await send('S-1');
    await told(id, 'delivered');
    await quiet(sandbox);
    expect(sandbox.wa.personReads(CUSTOMER)).toBeGreaterThan(0);
    expect(await told(id, 'viewed')).toEqual(['pending', 'delivered', 'viewed']);
  });

  it('that overtake the answer to the send are not lost', async () => {
    sandbox.wa.addFault({ kind: 'delay', ms: 300 });
    const id = await send('S-2');
    expect(await told(id, 'delivered')).toEqual(['pending', 'sent', 'delivered']);
    const [sent] = sandbox.wa.store.shown(CUSTOMER).slice(-1);
    const rows = await until(
      () => gateway.database.query('SELECT wa_id, send_state FROM message WHERE id = $1', [id]),
      ([row]) => row?.send_state === 'acked',
    );
    expect(rows).toEqual([{ wa_id: sent?.id, send_state: 'acked' }]);
  });

  it('skip delivered when a message is read at once, and go on to played', async () => {
    sandbox.wa.setOffline(CUSTOMER, true);
    const id = await send('S-3');
    await told(id, 'sent');
    sandbox.wa.personReads(CUSTOMER);
    await told(id, 'viewed');
    sandbox.wa.personPlays(CUSTOMER);
    sandbox.wa.setOffline(CUSTOMER, false);
    expect(await told(id, 'played')).toEqual(['pending', 'sent', 'viewed', 'played']);
  });

  it('report an undeliverable send as failed, once, and never one that has arrived', async () => {
    sandbox.wa.setOffline(CUSTOMER, true);
    const id = await send('S-4');
    await told(id, 'sent');
    const failed = (of: string) => ({
      metadata: { phone_number_id: cloudAccount.phone_number_id },
      statuses: [{ id: `wamid.${of}`, status: 'failed', biz_opaque_callback_data: of, errors: [{ code: 131026 }] }],
    });
    for (let n = 0; n < 2; n++) expect((await post(webhook(failed(id)))).status).toBe(200);
    const statuses = await until(
      () => gateway.receiver.taken.filter(({ fields }) => fields.id === id),
      ({ length }) => length === 3,
    );
    expect(statuses.map(({ fields: { status, rawMessage } }) => [status, rawMessage])).toEqual([
      ['pending', '{"pesan_id":"S-4"}'],
      ['sent', '{"pesan_id":"S-4"}'],
      ['pending', '{"pesan_id":"S-4","failed":{"code":"WA_131026","retryable":false}}'],
    ]);
    const states = () => gateway.database.query('SELECT send_state, error_code FROM message WHERE id = $1', [id]);
    expect(await states()).toEqual([{ send_state: 'failed', error_code: 'WA_131026' }]);
    sandbox.wa.setOffline(CUSTOMER, false);
    const arrived = await send('S-5');
    await told(arrived, 'delivered');
    await post(webhook(failed(arrived)));
    await quiet(sandbox);
    const rows = await gateway.database.query('SELECT send_state, error_code FROM message WHERE id = $1', [arrived]);
    expect(rows).toEqual([{ send_state: 'acked', error_code: null }]);
  });

  it('that come in reverse order do not revive a refused send', async () => {
    sandbox.wa.addFault({ kind: 'failed_status', code: 131026 });
    const id = await send('S-6');
    const told = () => gateway.receiver.statuses(id);
    await until(told, ({ length }) => length === 2);
    const sent = { id: `wamid.${id}`, status: 'sent', timestamp: '1795180010', biz_opaque_callback_data: id };
    const value = { metadata: { phone_number_id: cloudAccount.phone_number_id }, statuses: [sent] };
    expect((await post(webhook(value))).status).toBe(200);
    const rows = await gateway.database.query(`SELECT 1 FROM outbox_row WHERE dedupe_key LIKE $1`, [
      `%|${id}|true|sent`,
    ]);
    expect([rows, told()]).toEqual([[], ['pending', 'pending']]);
  });

  it("of other programs' sends through the number are ignored", async () => {
    const foreign = { id: 'wamid.foreign', status: 'delivered', timestamp: '1795180010', recipient_id: CUSTOMER };
    const value = { metadata: { phone_number_id: cloudAccount.phone_number_id }, statuses: [foreign] };
    expect((await post(webhook(value))).status).toBe(200);
    expect(await gateway.database.query('SELECT 1 FROM status WHERE id = $1', ['wamid.foreign'])).toEqual([]);
  });
});
