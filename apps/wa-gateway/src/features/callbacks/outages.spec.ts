import { useGateway, timePasses, until } from '../../gateway.fixture';
import { accepted, useReceiver, type Answer, type Receiver } from '../../receiver.fixture';

const CHATS = Array.from({ length: 8 }, (_, n) => `62812000010${n}`);
const EACH = 6;
const gateway = useGateway({ WEBHOOK_TIMEOUT: '5s' });
const second = useReceiver();
beforeAll(async () => {
  await gateway.client.link('dev1');
  await gateway.client.link('dev2', { webhook_url: second.url }, '628110000002');
});
beforeEach(() => {
  gateway.receiver.reset();
  second.reset();
});

const texts = (receiver: Receiver): string[] => receiver.messages().map(({ fields }) => fields.text ?? '');
const inChat = (receiver: Receiver, chat: number): string[] =>
  texts(receiver).filter((text) => text.startsWith(`${chat}-`));
const expected = (chat: number, each = EACH): string[] => Array.from({ length: each }, (_, n) => `${chat}-${n}`);

const everybodyWrites = async (to: string, each = EACH): Promise<void> => {
  for (let n = 0; n < each; n++)
    await Promise.all(CHATS.map((from, chat) => gateway.client.customer(from, to, `${chat}-${n}`)));
};
const arrived = async (receiver: Receiver, count: number): Promise<void> => {
  await until(
    async () => {
      await timePasses(gateway.database);
      return receiver.messages().length;
    },
    (messages) => messages >= count,
  );
};
const expectAllInOrder = (receiver: Receiver, each = EACH): void => {
  for (const chat of CHATS.keys()) expect(inChat(receiver, chat)).toEqual(expected(chat, each));
};

const never = (): Promise<Answer> => new Promise(() => undefined);

describe('a receiver that, for a while,', () => {
  it.each<[string, () => Answer | Promise<Answer>]>([
    ['answers 500', () => ({ status: 500 })],
    ['answers 503', () => ({ status: 503 })],
    ['answers 401', () => ({ status: 401 })],
    ['hangs', never],
    ['refuses everything', () => ({ body: { result: false, message: 'chat_busy' } })],
  ])('%s gets everything afterwards, once and in order', async (_, answer) => {
    const { receiver } = gateway;
    receiver.answer = answer;
    await everybodyWrites('dev1');
    await until(
      () => receiver.calls.length,
      (calls) => calls >= CHATS.length,
    );
    await timePasses(gateway.database);
    receiver.taken.length = 0;
    receiver.answer = () => accepted;
    await arrived(receiver, CHATS.length * EACH);
    expectAllInOrder(receiver);
  });

  it('is away gets everything afterwards, and delays no other receiver', async () => {
    const { receiver, client } = gateway;
    await receiver.down();
    await everybodyWrites('dev1');
    await client.customer('628120000999', 'dev2', 'halo');
    await until(
      () => second.messages().length,
      (messages) => messages === 1,
    );
    await receiver.up();
    await arrived(receiver, CHATS.length * EACH);
    expectAllInOrder(receiver);
  });
});

describe('while one chat is refused again and again', () => {
  it('the others are delivered meanwhile, and its own messages follow in order afterwards', async () => {
    const { receiver } = gateway;
    let told = 0;
    receiver.answer = ({ fields: { text = '' } }) => {
      if (text.startsWith('0-')) return { status: 500 };
      told += 1;
      return accepted;
    };
    for (let n = 0; n < 15; n++) {
      await Promise.all(CHATS.map((from, chat) => gateway.client.customer(from, 'dev1', `${chat}-${n}`)));
    }
    await until(
      () => told,
      (count) => count === (CHATS.length - 1) * 15,
    );
    expect(inChat(receiver, 0)).toEqual([]);
    receiver.answer = () => accepted;
    await arrived(receiver, CHATS.length * 15);
    expectAllInOrder(receiver, 15);
  });
});

describe('twenty percent of random failures', () => {
  it('neither change the order of a chat nor lose a message', async () => {
    const { receiver } = gateway;
    let state = 7;
    const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    const failures: Answer[] = [{ status: 500 }, { status: 429 }, { body: { result: false, message: 'chat_busy' } }];
    receiver.answer = ({ fields: { text = '' } }) => {
      const failure = random() < 0.2 ? failures[Math.floor(random() * failures.length)] : undefined;
      // What is refused with 200 counts as taken by the fixture
      return failure?.body
        ? { ...failure, status: 207 }
        : (failure ?? { ...accepted, headers: { 'x-text': String(text.length) } });
    };
    await everybodyWrites('dev1', 12);
    const done = () => receiver.calls.length >= CHATS.length * 12;
    await until(done, Boolean);
    await until(
      async () => {
        await timePasses(gateway.database);
        return gateway.database.query(`SELECT 1 FROM outbox_row WHERE state IN ('queued', 'blocked')`);
      },
      ({ length }) => length === 0,
    );
    for (const chat of CHATS.keys()) expect([...new Set(inChat(receiver, chat))]).toEqual(expected(chat, 12));
  });
});
