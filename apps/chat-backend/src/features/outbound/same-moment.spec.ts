import { until, untilWaiting } from '@platform/testing';
import { startLifecycle, type Lifecycle } from '../lifecycle/lifecycle.fixture';
import { OutboundRepository, type OutboundMessage } from './outbound.repository';

let chat: Lifecycle;
beforeAll(async () => {
  chat = await startLifecycle();
});
afterAll(() => chat.stop());

const bubble = (pesan_id: string): OutboundMessage => ({
  ...{ pesan_id, role: 'bot', user_id: null, type: 'chat', pesan: `kata ${pesan_id}` },
  ...{ detail: null, quote: null, preview: `kata ${pesan_id}` },
});

const conditions = { ifStatus: undefined, actor: undefined };

it('an answer of two runs of which one is stored at the same moment loses nothing of the other', async () => {
  const ref = await chat.newChat();
  const { database } = chat;
  const [row] = await database.query<{ store: string; id: string }>(
    `SELECT store_id AS store, id FROM conversations WHERE nohp = $1`,
    [ref.nohp],
  );
  const key = { storeId: row?.store ?? '', conversationId: row?.id ?? '' };
  const repository = new OutboundRepository(database);
  const send = (...ids: string[]) => repository.send(key, ids.map(bubble), conditions);
  const [one, both] = await database
    .tx(async (tx) => {
      await tx.query('SELECT 1 FROM conversations WHERE id = $1 FOR UPDATE', [key.conversationId]);
      const first = send('run1-0');
      await untilWaiting(tx, first);
      const second = send('run1-0', 'run2-0');
      await untilWaiting(tx, first, second);
      return [first, second] as const;
    })
    .then((sent) => Promise.all(sent));
  expect([one, both].map((sent) => sent.map(({ pesanId }) => pesanId))).toEqual([['run1-0'], ['run2-0']]);
  const sent = () => chat.gateway.calls.filter(({ number }) => number === ref.nohp).map(({ pesanId }) => pesanId);
  await until(() => sent().length === 2);
  expect(sent()).toEqual(['run1-0', 'run2-0']);
});

it('of two answers the later one waits in the lane of the first, also when the number is learned in the moment between them', async () => {
  const [hidden, number] = ['74000001@lid', '628740000001'];
  const shows = () =>
    chat.inbound({ number: `${number}@s.whatsapp.net`, id: 'N2', rawMessage: JSON.stringify({ lid: hidden }) });
  const { body } = await chat.inbound({ number: hidden, id: 'N1' });
  const { chatId } = (body as { data: { chat_list: { chatId: string } } }).data.chat_list;
  const key = { storeId: 'S1', conversationId: chatId.split('.')[1] ?? '' };
  const { database, gateway } = chat;
  const answers = (id: string) => new OutboundRepository(database).send(key, [bubble(id)], conditions);
  let release = (): void => undefined;
  gateway.held.set('satu', new Promise<void>((resolve) => (release = resolve)));
  const all = await database.tx(async (tx) => {
    await tx.query('SELECT 1 FROM conversations WHERE id = $1 FOR UPDATE', [key.conversationId]);
    const calls: Promise<unknown>[] = [];
    for (const call of [() => answers('satu'), shows, () => answers('dua')]) {
      calls.push(call());
      await untilWaiting(tx, ...calls);
    }
    return calls;
  });
  await Promise.all(all);
  release();
  const sent = () => gateway.calls.filter((call) => [hidden, number].includes(call.number)).map((call) => call.pesanId);
  await until(() => sent().length === 2);
  expect(sent()).toEqual(['satu', 'dua']);
  const find = `SELECT lane FROM outbox_row WHERE payload->>'conversationId' = $1`;
  expect(await database.query(find, [key.conversationId])).toEqual(Array(2).fill({ lane: `dev1|${hidden}` }));
});
