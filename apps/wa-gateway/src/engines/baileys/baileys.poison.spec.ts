/** @jest-environment ../../tools/jest/native-import.environment.cjs */
import { createHash } from 'node:crypto';
import { silentLogger } from '@platform/runtime';
import { useRunning } from '@platform/testing';
import { until, useGateway } from '../../gateway.fixture';
import { BaileysDriver } from '../../parity/baileys-network.fixture';
import { loadLibrary } from './baileys.library';
import { DeviceStores } from './device.stores';
import { testBox } from './engine.fixture';
import { LineKeys } from './line.keys';
import { messagesOfEveryType } from './proto.fixture';

const SHOP = '628110000001';
/** An index compresses what repeats itself. */
const LONG = Array.from({ length: 80 }, (_, n) => createHash('sha256').update(`${n}`).digest('hex')).join('');

const driver = new BaileysDriver();
useRunning(async () => {
  await driver.start();
  return { stop: () => driver.stop() };
});
const gateway = useGateway(() => ({ WA_ENGINE: 'baileys', ...driver.environment() }));
beforeAll(() => driver.link(gateway.client, 'toko-1'));
const budi = useRunning(() => driver.sandbox.phone('628123456789', { name: 'Bu\0di \ud800' }));

/** Without their texts: 64 KB in every message, asked for again and again, is most of what this machine would do. */
const storedIds = async () =>
  (await gateway.database.query<{ id: string }>('SELECT id FROM message ORDER BY seq')).map(({ id }) => id);
const isStored = async (id: string) =>
  (await gateway.database.query('SELECT 1 FROM message WHERE id = $1', [id])).length > 0;
const storedAfter = (count: number) =>
  gateway.database.query<{ id: string; text: string | null }>(
    `SELECT id, payload->>'text' AS text FROM message ORDER BY seq OFFSET ${count}`,
  );
const device = () =>
  gateway.client.data<{ status: string; reconnects: number }>(gateway.client.get('/api/device-info?instanceID=toko-1'));

/** What comes next in the chat is stored, nothing waits at WhatsApp, and the line never closed. */
const expectToGoOn = async (): Promise<void> => {
  const { id } = await budi.sendText(SHOP, 'berikutnya');
  await until(() => isStored(id));
  await until(
    () => driver.sandbox.state().held,
    ({ length }) => length === 0,
  );
  expect(await device()).toMatchObject({ status: 'connected', reconnects: 0 });
};

/** About another message, or for nobody but the library. `deviceSentMessage` is what it wraps. */
const NO_MESSAGES = [
  'encReactionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
  'keepInChatMessage',
  'messageContextInfo',
  'pinInChatMessage',
  'pollUpdateMessage',
  'protocolMessage',
  'reactionMessage',
  'senderKeyDistributionMessage',
  'stickerSyncRmrMessage',
];

describe.each([
  ['U+0000, halves of pairs and text from right to left', 'a\0b\ud800c\u202eשלום😀\udfff', 3],
  ['64 KB and an emoji where it is cut', `${'x'.repeat(65_535)}😀${'ä'.repeat(100)}`, 0],
])('a customer’s message with %s in every text', (_, text, depth) => {
  it('of every type arrives, and so does what comes after it', async () => {
    const sent = new Map<string, string>();
    for (const [type, message] of messagesOfEveryType(text, depth))
      sent.set((await budi.sendProto(SHOP, message)).id, type);
    await expectToGoOn();
    const ids = new Set(await storedIds());
    const missing = [...sent].flatMap(([id, type]) => (ids.has(id) || type === 'deviceSentMessage' ? [] : [type]));
    expect(missing.sort()).toEqual(NO_MESSAGES);
  });
});

it.each([
  ['longer than an index takes', LONG],
  ['that no table takes', 'id\0\ud800'],
])('a message with an id %s arrives under one of ours', async (_, id) => {
  const before = (await storedIds()).length;
  await budi.sendProto(SHOP, { conversation: 'halo' }, { id });
  await expectToGoOn();
  expect(await storedAfter(before)).toEqual([
    { id: expect.stringMatching(/^long-[0-9a-f]{64}$/), text: 'halo' },
    { id: expect.any(String), text: 'berikutnya' },
  ]);
});

it.each([
  ['longer than an index takes', LONG],
  ['that no table takes', 'id\0\ud800'],
])('a receipt with an id %s keeps nobody out', async (_, id) => {
  driver.sandbox.send(SHOP, { tag: 'receipt', attrs: { from: budi.jid, id, t: '1795180010' } });
  await expectToGoOn();
});

it.each([
  ['longer than an index takes', LONG],
  ['that no table takes', 'group\0'],
])('a key with a name %s closes no line', async (_, name) => {
  const library = await loadLibrary({ logger: silentLogger });
  const stores = new DeviceStores(gateway.database, testBox, 60_000);
  const closed: unknown[] = [];
  const keys = new LineKeys(
    stores.of('toko-1', library).auth,
    stores.retrying((cause) => closed.push(cause)),
  );
  await expect(keys.set({ 'sender-key': { [name]: new Uint8Array(1) } })).rejects.toThrow();
  expect(closed).toEqual([]);
});
