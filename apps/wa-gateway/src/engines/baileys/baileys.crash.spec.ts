/** @jest-environment ../../tools/jest/native-import.environment.cjs */
import { until } from '@platform/testing';
import type { CustomerPhone, MessageRef } from '@platform/testing/whatsapp';
import { CrashScene, SHOP } from './crash.fixture';

const MESSAGES = 200;
const KILLS = 4;
const CHATS = 5;

let scene: CrashScene;
const phones: CustomerPhone[] = [];
beforeAll(async () => {
  scene = await CrashScene.start();
  for (let n = 0; n < CHATS; n++) phones.push(await scene.sandbox.phone(`62812345678${n}`, { name: `Budi ${n}` }));
});
afterAll(async () => {
  await Promise.all(phones.map((phone) => phone.stop()));
  await scene.stop();
});

/** Each message was told, in the order of its chat, and every repetition was the same event. */
const expectAllTold = async (texts: readonly string[][]): Promise<void> => {
  const wanted = texts.flat();
  const taken = () => scene.receiver.messages();
  await until(
    () => new Set(taken().map(({ fields }) => fields.text)),
    (told) => wanted.every((text) => told.has(text)),
  );
  for (const chat of texts) {
    const told = taken().flatMap(({ fields }) => (chat.includes(fields.text ?? '') ? [fields.text] : []));
    expect([...new Set(told)]).toEqual(chat);
  }
  const events = new Map<string, Set<unknown>>();
  for (const { fields, headers } of taken()) {
    const known = events.get(fields.id ?? '') ?? new Set();
    events.set(fields.id ?? '', known.add(headers['x-gateway-event-id']));
  }
  expect([...events.values()].every(({ size }) => size === 1)).toBe(true);
};

describe('kill -9 while a message arrives', () => {
  /** Sends, waits for the point, kills, lets the store go on, starts again; resolves when the message was told. */
  const survives = async (text: string, point: (ref: MessageRef) => Promise<() => Promise<void>>): Promise<string> => {
    const [phone] = phones;
    if (!phone) throw new Error('no phone');
    const sending = phone.sendText(SHOP, text);
    const after = await point(await sending);
    await after();
    await scene.restart();
    await expectAllTold([[text]]);
    return (await sending).id;
  };

  /** Kills the gateway when it has stored the message and waits for the store of its keys. */
  const killAtItsKeys = async (id: string): Promise<void> => {
    await until(
      () => scene.database.query('SELECT 1 FROM message WHERE id = $1', [id]),
      ({ length }) => length > 0,
    );
    await until(() => scene.isWaiting(), Boolean);
    await scene.gateway.kill('SIGKILL');
  };

  it('before it is stored, it comes again', async () => {
    const release = await scene.block('message');
    const id = await survives('sebelum simpan', async () => {
      await until(() => scene.isWaiting(), Boolean);
      await scene.gateway.kill('SIGKILL');
      await scene.forgetWaiting();
      return release;
    });
    expect(scene.eventsOf(id)).toHaveLength(1);
  });

  it('after it is stored and before its keys are, it comes again and is told once', async () => {
    const release = await scene.block('auth_key');
    const id = await survives('sebelum kunci', async (ref) => {
      await killAtItsKeys(ref.id);
      await scene.forgetWaiting();
      return release;
    });
    expect(scene.eventsOf(id)).toHaveLength(1);
    await until(() => scene.receipts(id), Boolean);
  });

  it('after its keys are stored and before WhatsApp knows, it was told already and WhatsApp is told now', async () => {
    const release = await scene.block('auth_key');
    const id = await survives('sebelum kuitansi', async (ref) => {
      await killAtItsKeys(ref.id);
      expect(scene.receipts(ref.id)).toBe(0);
      // The database does not notice that the asker is gone: it stores the keys
      return release;
    });
    expect(scene.eventsOf(id)).toHaveLength(1);
    await until(() => scene.receipts(id), Boolean);
    await until(
      () => scene.sandbox.state().held.length,
      (held) => held === 0,
    );
  });

  it('after WhatsApp knows, nothing comes again', async () => {
    const id = await survives('sesudah kuitansi', async (ref) => {
      await until(() => scene.receipts(ref.id), Boolean);
      await scene.gateway.kill('SIGKILL');
      return () => Promise.resolve();
    });
    expect(scene.receipts(id)).toBe(1);
  });
});

it(`${MESSAGES} messages over ${CHATS} chats survive ${KILLS} kills at any moment, in order`, async () => {
  scene.receiver.reset();
  const texts = phones.map((_, chat) => Array.from({ length: MESSAGES / CHATS }, (_each, n) => `c${chat}-${n}`));
  let isOver = false;
  const traffic = Promise.all(
    phones.map(async (phone, chat) => {
      for (const text of texts[chat] ?? []) await phone.sendText(SHOP, text);
    }),
  ).finally(() => (isOver = true));
  for (let kill = 0; kill < KILLS; kill++) {
    const before = scene.receiver.messages().length;
    const enough = 1 + Math.floor(Math.random() * 20);
    await until(() => isOver || scene.receiver.messages().length >= before + enough);
    await scene.gateway.kill('SIGKILL');
    await scene.restart();
  }
  await traffic;
  await expectAllTold(texts);
});

it('kill -9 between a send and its acknowledgement: it goes out again under its id, and is told as sent', async () => {
  const [phone] = phones;
  const { client } = scene.gateway;
  scene.sandbox.faults({ silent: true }, SHOP);
  const { id } = await client.data<{ id: string }>(client.send('K-1', phone?.number ?? '', 'jawaban'));
  await until(
    () =>
      scene.database.query(`SELECT 1 FROM message WHERE id = $1 AND send_state IN ('sending', 'sent_to_engine')`, [id]),
    ({ length }) => length > 0,
  );
  await scene.gateway.kill('SIGKILL');
  scene.sandbox.faults({ silent: false }, SHOP);
  await scene.restart();
  await until(
    () => scene.receiver.statuses(id),
    (told) => told.includes('delivered'),
  );
  expect(phone?.received.filter((message) => message.id === id).map(({ text }) => text)).toEqual(['jawaban']);
});
