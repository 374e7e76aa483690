import { startLifecycle, type Lifecycle } from './lifecycle.fixture';

let chat: Lifecycle;
beforeAll(async () => {
  chat = await startLifecycle();
});
afterAll(() => chat.stop());

/** Each event continues from where the one before it ended, and the last one ends where the chat is. */
const expectChain = async (nohp: string) => {
  const events = await chat.database.query<{ event: string; from_status: number | null; to_status: number }>(
    `SELECT h.event, h.from_status, h.to_status FROM chat_histories h JOIN conversations c ON c.id = h.conversation_id WHERE c.nohp = $1 ORDER BY h.id`,
    [nohp],
  );
  const [{ status } = {}] = await chat.database.query<{ status: number }>(
    'SELECT status FROM conversations WHERE nohp = $1',
    [nohp],
  );
  const statuses = events.map(({ to_status: to }) => to);
  expect(events.map(({ from_status: from }) => from)).toEqual([null, ...statuses.slice(0, -1)]);
  expect(statuses.at(-1)).toBe(status);
};

describe('the history of a chat', () => {
  it('is an unbroken chain under concurrent writers', async () => {
    const refs = await Promise.all(Array.from({ length: 4 }, () => chat.newChat()));
    const calls = refs.flatMap((ref) => [
      ...Array.from({ length: 3 }, () => () => chat.as(chat.people.boss, 'chat_finish', ref)),
      ...Array.from({ length: 3 }, () => () => chat.as(chat.people.boss, 'chat_pending', ref)),
      ...Array.from({ length: 3 }, () => () => chat.inbound({ number: `${ref.nohp}@s.whatsapp.net` })),
      ...Array.from({ length: 3 }, () => () => chat.post('/v1/send_message', { ...ref, pesan: 'halo' })),
    ]);
    await Promise.all(calls.map((call) => call()));
    for (const { nohp } of refs) await expectChain(nohp);
  });
});
