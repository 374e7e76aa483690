import { startChat, form, message, type Chat } from '../../chat.fixture';

let chat: Chat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

const callback = '/v1/callback_message';
/** The same fields as a form, urlencoded and as JSON. */
const kinds = (fields: Record<string, string>) => [
  { body: form(fields) },
  { body: new URLSearchParams(fields) },
  { body: fields },
];
const everyWay = async (fields: Record<string, string>) => {
  const answers = [];
  for (const request of kinds(fields)) {
    const { status, body } = await chat.call(callback, request);
    answers.push({ status, body });
  }
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
  return answers[0]!;
};
const status = (fields: Record<string, string> = {}) => ({
  instanceID: 'dev1',
  result: 'true',
  report: 'true',
  number: '6281234567890@s.whatsapp.net',
  id: 'WA-x',
  status: 'sent',
  ...fields,
});

describe('callback_message answers as the contract documents', () => {
  it.each([
    ['result false', { result: 'false', report: 'false' }, 'Callback result false'],
    ['result absent, everything else missing', { text: 'x' }, 'Callback result false'],
    ['status without number', status({ number: '' }), 'missing required fields'],
    ['status without instanceID', status({ instanceID: '' }), 'missing required fields'],
    ['status without id', status({ id: '' }), 'missing required fields'],
    ['status without status', status({ status: '' }), 'missing required fields'],
    ['status with a bare number', status({ number: '6281234567890' }), 'invalid number format'],
    ['status of status@broadcast', status({ number: 'status@broadcast' }), 'invalid number format'],
    ['status pending', status({ status: 'pending' }), 'message update not valid'],
    ['status unknown', status({ status: 'read' }), 'message update not valid'],
    ['message with a bare number', message({ number: '6281234567890' }), 'invalid number format'],
  ])('%s', async (_, fields, text) =>
    expect(await everyWay(fields)).toEqual({ status: 200, body: { result: false, message: text } }),
  );

  it.each([
    ['status of an unknown device', status({ instanceID: 'dev9' }), 'device tidak ditemukan', 'device_not_found'],
    ['status of an unknown message', status({ id: 'nobody-knows' }), 'pesan tidak ditemukan', 'message_not_found'],
    ['message of an unknown device', message({ instanceID: 'dev9' }), 'device tidak ditemukan', 'device_not_found'],
  ])('%s', async (_, fields, text, code) =>
    expect(await everyWay(fields)).toEqual({ status: 200, body: { result: false, message: text, code } }),
  );

  it('422 names report when result is true and report absent', async () => {
    const { report: _, ...fields } = message();
    expect(await everyWay(fields)).toEqual({
      status: 422,
      body: { errors: [{ field: 'report', tag: 'required', message: 'report is a required field' }] },
    });
  });

  it.each([
    [
      'a boolean that is none',
      { ...message(), report: 'maybe' },
      'report must be a boolean: true, false, 1, 0, t or f',
    ],
    ['a timestamp that is none', message({ timestamp: 'yesterday' }), 'timestamp must be a 64 bit integer'],
  ])('400 for %s', async (_, fields, error) =>
    expect(await everyWay(fields)).toEqual({ status: 400, body: { error } }),
  );

  it.each([
    ['broken JSON', 'application/json', '{"result":'],
    ['JSON that is no object', 'application/json', 'null'],
    ['JSON that is a list', 'application/json', '[{"result":true}]'],
    ['a form without boundary', 'multipart/form-data', 'x'],
    [
      'a cut form',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="result"\r\n\r\ntru',
    ],
    ['an unknown content type', 'text/xml', '<x/>'],
  ])('400 for %s', async (_, type, body) => {
    const answer = await chat.call(callback, { body, headers: { 'content-type': type } });
    expect(answer).toMatchObject({ status: 400, body: { error: expect.any(String) } });
  });

  it('413 for a body over 20 MB', async () => {
    const answer = await chat.call(callback, {
      body: form({ ...message(), file: new Blob(['x'.repeat(17 * 1024 * 1024)]) }),
    });
    expect(answer).toMatchObject({ status: 413, body: { error: 'file too large' } });
  });
});

describe('a status', () => {
  const ladder = async (id: string, ...steps: [string, string?][]) => {
    for (const [name, timestamp] of steps) {
      const answer = await chat.call(callback, {
        body: form(status({ id, status: name, ...(timestamp ? { timestamp } : {}) })),
      });
      expect(answer.body).toEqual({ result: true, message: 'updated status' });
    }
    const [row] = await chat.database.query<{ status_ack: number }>(
      'SELECT status_ack FROM messages WHERE pesan_id = $1',
      [id],
    );
    return row?.status_ack;
  };
  const own = async (id: string) => {
    await chat.inbound({ id, fromMe: 'true' });
    return id;
  };

  it('that is later wins, whatever arrives first', async () =>
    expect(await ladder(await own('L1'), ['viewed', '20'], ['delivered', '10'])).toBe(3));
  it('that is further wins at the same time', async () =>
    expect(await ladder(await own('L2'), ['viewed', '20'], ['delivered', '20'], ['played', '20'])).toBe(4));
  it('without a time is applied literally', async () =>
    expect(await ladder(await own('L3'), ['viewed'], ['delivered'])).toBe(2));

  it("finds our message by our id and keeps WhatsApp's, which then finds it too", async () => {
    await own('P-OUR');
    const rawMessage = JSON.stringify({ pesan_id: 'P-OUR' });
    expect(
      (await chat.call(callback, { body: form(status({ id: 'WA-OUR', status: 'sent', rawMessage, timestamp: '1' })) }))
        .body,
    ).toEqual({ result: true, message: 'updated status' });
    expect(
      (await chat.call(callback, { body: form(status({ id: 'WA-OUR', status: 'viewed', timestamp: '2' })) })).body,
    ).toEqual({ result: true, message: 'updated status' });
    expect(await chat.database.query(`SELECT wa_id, status_ack FROM messages WHERE pesan_id = 'P-OUR'`)).toEqual([
      { wa_id: 'WA-OUR', status_ack: 3 },
    ]);
  });

  it.each([
    ['a message that waits', 0, { error: 'NO_ACK', failed: true }],
    ['one that WhatsApp took and could not deliver', 1, { error: 'NO_ACK', failed: true }],
    ['none that arrived', 2, { error: null, failed: false }],
  ])('pending with a failure marks %s and is still refused in the documented words', async (_, level, expected) => {
    const id = await own(`F${level}`);
    await chat.database.query(`UPDATE messages SET status_ack = $2 WHERE pesan_id = $1`, [id, level]);
    const rawMessage = JSON.stringify({ pesan_id: id, failed: { code: 'NO_ACK', retryable: false } });
    expect((await chat.call(callback, { body: form(status({ id, status: 'pending', rawMessage })) })).body).toEqual({
      result: false,
      message: 'message update not valid',
    });
    const [row] = await chat.database.query(
      `SELECT error, failed_at IS NOT NULL AS failed FROM messages WHERE pesan_id = $1`,
      [id],
    );
    expect(row).toEqual(expected);
  });

  const ackFor = (number: string, id: string, more: Record<string, string> = {}) =>
    chat.call(callback, { body: form(status({ id, number, status: 'viewed', ...more })) }).then(({ body }) => body);
  const messageOf = async (id: string) =>
    (await chat.database.query('SELECT status_ack, error FROM messages WHERE pesan_id = $1', [id]))[0];

  it('whose number names another chat of the device is of no message of ours', async () => {
    const other = '628222000002@s.whatsapp.net';
    await chat.inbound({ number: other });
    const id = await own('N1');
    expect(await ackFor(other, id)).toEqual({
      result: false,
      message: 'pesan tidak ditemukan',
      code: 'message_not_found',
    });
    const rawMessage = JSON.stringify({ pesan_id: id, failed: { code: 'NO_ACK', retryable: false } });
    await chat.database.query(`UPDATE messages SET status_ack = 0 WHERE pesan_id = $1`, [id]);
    await ackFor(other, id, { status: 'pending', rawMessage });
    expect(await messageOf(id)).toEqual({ status_ack: 0, error: null });
  });

  it.each([
    ['a number that has no chat, as WhatsApp may write ours', '628222000003@s.whatsapp.net'],
    ['a hidden id that nobody has told of', '70000031@lid'],
    ['the number with a device part', '6281234567890:12@s.whatsapp.net'],
  ])('is taken with %s', async (_, number) => {
    const id = await own(`N-${number}`);
    expect(await ackFor(number, id)).toEqual({ result: true, message: 'updated status' });
    expect(await messageOf(id)).toEqual({ status_ack: 3, error: null });
  });

  it('is taken with a hidden id that has a chat, of which the gateway alone knows that it is its customer’s', async () => {
    await chat.inbound({ number: '70000034@lid' });
    const id = await own('N3');
    expect(await ackFor('70000034@lid', id)).toEqual({ result: true, message: 'updated status' });
    expect(await messageOf(id)).toEqual({ status_ack: 3, error: null });
  });

  it('is taken with the hidden id of its customer, and not with that of another', async () => {
    const alias = (number: string, hidden: string) =>
      chat.database.query(
        `INSERT INTO conversation_aliases (store_id, instance, alias, nohp) VALUES ('S1', 'dev1', $1, $2)`,
        [hidden, number],
      );
    await chat.inbound({ number: '628222000004@s.whatsapp.net' });
    await alias('6281234567890', '70000032@lid');
    await alias('628222000004', '70000033@lid');
    const id = await own('N2');
    expect(await ackFor('70000033@lid', id)).toMatchObject({ code: 'message_not_found' });
    expect(await ackFor('70000032@lid', id)).toEqual({ result: true, message: 'updated status' });
  });

  it('of another store does not reach this one', async () => {
    const id = await own('X1');
    expect((await chat.call(callback, { body: form(status({ instanceID: 'dev2', id })) })).body).toEqual({
      result: false,
      message: 'pesan tidak ditemukan',
      code: 'message_not_found',
    });
  });
});

describe('variants', () => {
  it.each(['_admin', '_crm'])('callback_message%s stores the same way', async (suffix) => {
    const answer = await chat.call(`${callback}${suffix}`, {
      body: form(message({ number: '628333000001@s.whatsapp.net', id: `V${suffix}` })),
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { result: true, data: { newChatInbox: { pesan_id: `V${suffix}` } } },
    });
  });
});
