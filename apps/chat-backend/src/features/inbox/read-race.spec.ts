import { until } from '@platform/testing';
import { startLifecycle, type Lifecycle, type Ref } from '../lifecycle/lifecycle.fixture';

let chat: Lifecycle;
beforeAll(async () => (chat = await startLifecycle({ environment: { SEND_READ_RECEIPT: 'on' } })));
afterAll(() => chat.stop());

const write = ({ nohp }: Ref, id: string) => chat.inbound({ number: `${nohp}@s.whatsapp.net`, id });
const unreadNotifs = async () =>
  (await chat.database.query(`SELECT count FROM notifications WHERE user_id = 'u-rina' AND read_at IS NULL`)).map(
    ({ count }) => count,
  );

const markRead = (ref: Ref) => chat.post('/v1/chat_markread', ref);
const receipts = async ({ nohp }: Ref) => {
  await until(
    () => chat.database.query(`SELECT 1 FROM outbox_row WHERE kind = 'read' AND state <> 'done'`),
    (rows) => rows.length === 0,
  );
  return chat.gateway.receipts.filter(({ number }) => number === nohp).map(({ ids }) => ids.slice(-1));
};

it('a message that arrives while the chat is marked as read stays unread, with its notification, and gets its tick later', async () => {
  const ref = await chat.newChat({ status: 'handle', assignee_id: 'u-rina' });
  await write(ref, 'SEEN');
  expect(await unreadNotifs()).toEqual([1]);
  await chat.inTurn(
    ref,
    () => write(ref, 'LATE'),
    () => markRead(ref),
  );
  expect(await chat.row(ref)).toMatchObject({ last_seq: 3, read_seq: 2, unread_count: 1 });
  expect(await unreadNotifs()).toEqual([2]);
  expect(await receipts(ref)).toEqual([['SEEN']]);
  await markRead(ref);
  expect(await chat.row(ref)).toMatchObject({ last_seq: 3, read_seq: 3, unread_count: 0 });
  expect(await unreadNotifs()).toEqual([]);
  expect(await receipts(ref)).toEqual([['SEEN'], ['LATE']]);
});

it('two readers and a message between them: it is unread once, and nothing is ticked twice', async () => {
  const ref = await chat.newChat();
  await write(ref, 'BOTH');
  await chat.inTurn(
    ref,
    () => markRead(ref),
    () => write(ref, 'BETWEEN'),
    () => markRead(ref),
  );
  expect(await chat.row(ref)).toMatchObject({ last_seq: 3, read_seq: 2, unread_count: 1 });
  expect(await receipts(ref)).toEqual([['BOTH']]);
});
