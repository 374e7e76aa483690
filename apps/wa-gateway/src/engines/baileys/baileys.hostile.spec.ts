/** @jest-environment ../../tools/jest/native-import.environment.cjs */
import type { proto } from 'baileys';
import { hostileTexts, mixedText, textsIn, useRunning, withText, type TextPath } from '@platform/testing';
import { until, useGateway } from '../../gateway.fixture';
import { BaileysDriver } from '../../parity/baileys-network.fixture';
import type { BinaryNode } from './baileys.library';
import { announced, messages, notices, stanzas } from './hostile.fixture';

const SHOP = '628110000001';
const driver = new BaileysDriver();
useRunning(async () => {
  await driver.start();
  return { stop: () => driver.stop() };
});
const gateway = useGateway(() => ({
  ...{ WA_ENGINE: 'baileys', WEBHOOK_SEND_REACTIONS: 'true' },
  ...driver.environment(),
}));
beforeAll(() => driver.link(gateway.client, 'toko-1'));
const budi = useRunning(() => driver.sandbox.phone('628123456789', { name: 'Budi' }));
afterEach(() => gateway.receiver.reset());

const isTold = (id: string): boolean => gateway.receiver.messages().some(({ fields }) => fields.id === id);

/** What comes next in the chat is told, nothing waits at WhatsApp, and the line never closed. */
const expectToGoOn = async (): Promise<void> => {
  const { id } = await budi.sendText(SHOP, 'berikutnya');
  await until(() => isTold(id));
  await until(
    () => driver.sandbox.state().held,
    ({ length }) => length === 0,
  );
  const info = gateway.client.get('/api/device-info?instanceID=toko-1');
  expect(await gateway.client.data(info)).toMatchObject({ status: 'connected', reconnects: 0 });
};

/** Of each kind one place after the other. */
const AT_EACH: ReadonlySet<string> = new Set([mixedText, '64 KB']);

/** The same value again and again, with a hostile text at every place, or every time at another one. */
const spoilt = <T>(value: T): [where: string, spoilt: T][] =>
  Object.entries(hostileTexts).flatMap(([named, hostile]) => {
    const spoil = (given: unknown, at: TextPath) => withText(given, at, hostile(Infinity));
    const places = textsIn(value).filter((at) => at.at(-1) !== 'tag');
    const one = AT_EACH.has(named) ? places : [];
    return [
      [`${named} everywhere`, places.reduce<unknown>(spoil, value) as T] as [string, T],
      ...one.map((at): [string, T] => [`${named} in ${at.join('.')}`, spoil(value, at) as T]),
    ];
  });

const sendAll = async (message: proto.IMessage): Promise<Map<string, string>> => {
  const sent = new Map<string, string>();
  for (const [where, one] of spoilt(message)) sent.set(where, (await budi.sendProto(SHOP, one)).id);
  return sent;
};

it.each(Object.entries(messages))(
  'a customer’s %s with a hostile text at any place arrives, and so does what comes after it',
  async (_, message) => {
    const sent = await sendAll(message);
    await expectToGoOn();
    expect([...sent].filter(([, id]) => !isTold(id)).map(([where]) => where)).toEqual([]);
  },
);

it.each(Object.entries(notices))(
  'a customer’s %s with a hostile text at any place keeps back no message',
  async (_, message) => {
    await sendAll(message);
    await expectToGoOn();
  },
);

it.each(Object.entries(stanzas))(
  'WhatsApp’s %s with a hostile text at any place keeps back no message',
  async (_, stanza) => {
    for (const [, node] of spoilt<BinaryNode>(stanza)) driver.sandbox.send(SHOP, node);
    await expectToGoOn();
  },
);

it('a message of which only its coming is told, with a hostile text at any place, keeps back no message', async () => {
  for (const [, node] of spoilt(announced(budi.jid, 'ONCE'))) driver.sandbox.send(SHOP, node);
  await expectToGoOn();
});

it('people with hostile names are told, and so is what they write next', async () => {
  const message = { conversation: 'halo' };
  const names = Object.entries(hostileTexts);
  names.forEach(([, hostile], n) => {
    driver.sandbox.inject({ to: SHOP, from: budi.jid, id: `NAME${n}`, name: hostile(Infinity), message });
  });
  await expectToGoOn();
  await until(
    () => names.flatMap(([named], n) => (isTold(`NAME${n}`) ? [] : [named])),
    ({ length }) => length === 0,
  );
});

it('a file with a hostile name, type and caption is told with it', async () => {
  for (const [named, hostile] of Object.entries(hostileTexts)) {
    const text = hostile(Infinity);
    const bytes = Buffer.from('%PDF-1.7');
    const { id } = await budi.sendMedia(SHOP, {
      kind: 'document',
      bytes,
      mimetype: text,
      fileName: text,
      caption: text,
    });
    await until(() => isTold(id));
    const told = gateway.receiver.messages().find(({ fields }) => fields.id === id);
    const extras = JSON.parse(told?.fields.rawMessage ?? '{}') as Record<string, unknown>;
    expect([named, told?.file?.bytes, extras]).toEqual([
      named,
      bytes,
      expect.objectContaining({
        fileUrl: expect.stringMatching(/^\/files\/[0-9a-f]{32}\.pdf$/) as unknown,
        fileSize: bytes.length,
      }),
    ]);
    expect((told?.file?.name ?? '').length).toBeLessThanOrEqual(255);
  }
  await expectToGoOn();
});
