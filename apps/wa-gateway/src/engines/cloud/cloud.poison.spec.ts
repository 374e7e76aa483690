import { createHash, createHmac } from 'node:crypto';
import { until } from '../../gateway.fixture';
import { cloudAccount, CUSTOMER, useCloudGateway } from './cloud.fixture';

const { gateway } = useCloudGateway();
afterEach(() => gateway.receiver.reset());

const HOSTILE = 'a\0b\ud800c\u202eשלום😀\udfff';
const LONG = Array.from({ length: 80 }, (_, n) => createHash('sha256').update(`${n}`).digest('hex')).join('');

/** Status of the answer to a webhook with this message of Budi. */
const arrives = async (message: object, name = 'Budi'): Promise<number> => {
  const value = {
    metadata: { phone_number_id: cloudAccount.phone_number_id },
    contacts: [{ profile: { name }, wa_id: CUSTOMER }],
    messages: [{ from: CUSTOMER, timestamp: '1795180010', ...message }],
  };
  const body = JSON.stringify({ entry: [{ changes: [{ field: 'messages', value }] }] });
  const signature = `sha256=${createHmac('sha256', cloudAccount.app_secret).update(body).digest('hex')}`;
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature };
  return (await gateway.client.get('/webhook/cloud', { method: 'POST', headers, body })).status;
};

const text = (id: string, body: string) => ({ id, type: 'text', text: { body } });
const heard = (id: string) =>
  until(
    () => gateway.receiver.messages().find(({ fields }) => fields.id === id)?.fields,
    (fields) => fields !== undefined,
  );
const storedIds = async () =>
  (await gateway.database.query<{ id: string }>('SELECT id FROM message')).map(({ id }) => id);

/** Every type of message of Meta, the words in every text. */
const everyType = (words: string): Readonly<Record<string, object>> => {
  const file = { id: words, mime_type: words, caption: words, filename: words, sha256: words };
  const files = ['image', 'video', 'audio', 'document', 'sticker'].map((type) => [type, { [type]: file }]);
  return {
    ...(Object.fromEntries(files) as Record<string, object>),
    text: { text: { body: words }, context: { id: words, from: words } },
    location: { location: { latitude: 1, longitude: 2, name: words, address: words } },
    contacts: { contacts: [{ name: { formatted_name: words }, phones: [{ phone: words }] }] },
    button: { button: { text: words, payload: words } },
    interactive: { interactive: { type: words, button_reply: { id: words, title: words } } },
    order: { order: { catalog_id: words, [words]: words } },
    [words]: { unsupported: words },
  };
};

it.each([
  ['U+0000, halves of pairs and text from right to left', HOSTILE],
  ['64 KB and an emoji where it is cut', `${'x'.repeat(65_535)}😀`],
])('a message with %s in every text arrives, whatever its type, and so does what comes after it', async (_, words) => {
  const types = Object.entries(everyType(words));
  const prefix = `wamid.${words.length}`;
  for (const [n, [type, message]] of types.entries())
    expect(await arrives({ id: `${prefix}.${n}`, type, ...message }, words)).toBe(200);
  expect(await arrives(text(`${prefix}.next`, 'berikutnya'))).toBe(200);
  expect(await storedIds()).toEqual(
    expect.arrayContaining([...types.map((_each, n) => `${prefix}.${n}`), `${prefix}.next`]),
  );
});

it('a text is told as far as receivers take it, and its emoji whole or not at all', async () => {
  const customer = { from: '628120000001' };
  await arrives({ ...text('wamid.cut', `${'x'.repeat(65_535)}😀`), ...customer });
  await arrives({ ...text('wamid.whole', `${'x'.repeat(65_534)}😀`), ...customer });
  expect((await heard('wamid.cut'))?.text).toBe('x'.repeat(65_535));
  expect((await heard('wamid.whole'))?.text).toBe(`${'x'.repeat(65_534)}😀`);
});

it.each([
  ['longer than an index takes is told under one of ours', LONG, /^long-[0-9a-f]{64}$/],
  ['that no table takes is told under what is left of it', 'wamid.\0\ud800', /^wamid\.\ufffd$/],
])('a message with an id %s', async (_, id, told) => {
  const before = new Set(await storedIds());
  const customer = { from: '628120000002' };
  expect(await arrives({ ...text(id, 'halo'), ...customer })).toBe(200);
  const [own] = (await storedIds()).filter((each) => !before.has(each));
  expect(await heard(own ?? '')).toMatchObject({ text: 'halo', id: expect.stringMatching(told) });
});

it('what the database refuses for ever is told as unreadable, and nothing behind it waits', async () => {
  const customer = { from: '628120000003' };
  // 22008: no calendar reaches that far
  const message = { ...text('wamid.late', 'kapan?'), ...customer, timestamp: '9007199254740991' };
  expect(await arrives(message)).toBe(200);
  expect(await arrives({ ...text('wamid.after', 'berikutnya'), ...customer })).toBe(200);
  expect(await heard('wamid.late')).toEqual({
    instanceID: 'toko-1',
    result: 'true',
    report: 'false',
    number: '628120000003@s.whatsapp.net',
    fromMe: 'false',
    id: 'wamid.late',
    timestamp: expect.stringMatching(/^\d{10}$/),
    type: 'chat',
    rawMessage: '{"unreadable":"22008"}',
  });
  expect(await heard('wamid.after')).toMatchObject({ text: 'berikutnya' });
});

it('a status with an id that the database refuses is passed over', async () => {
  const statuses = [{ id: LONG, biz_opaque_callback_data: LONG, status: 'read', recipient_id: CUSTOMER }];
  const value = { metadata: { phone_number_id: cloudAccount.phone_number_id }, statuses };
  const body = JSON.stringify({ entry: [{ changes: [{ field: 'messages', value }] }] });
  const signature = `sha256=${createHmac('sha256', cloudAccount.app_secret).update(body).digest('hex')}`;
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature };
  const answer = await gateway.client.get('/webhook/cloud', { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
});
