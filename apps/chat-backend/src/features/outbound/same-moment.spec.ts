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

it('an answer of two runs of which one is stored at the same moment loses nothing of the other', async () => {
  const ref = await chat.newChat();
  const { database } = chat;
  const [row] = await database.query<{ store: string; id: string }>(
    `SELECT store_id AS store, id FROM conversations WHERE nohp = $1`,
    [ref.nohp],
  );
  const key = { storeId: row?.store ?? '', conversationId: row?.id ?? '' };
  const repository = new OutboundRepository(database);
  const send = (...ids: string[]) => repository.send(key, ids.map(bubble), { ifStatus: undefined, actor: undefined });
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
