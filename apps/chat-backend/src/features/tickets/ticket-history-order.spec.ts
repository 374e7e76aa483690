import { uuidv7 } from '@platform/runtime';
import { untilWaiting } from '@platform/testing';
import { SERVICE, startChat, type Chat } from '../../chat.fixture';

let chat: Chat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

const call = async (method: string, path: string, body: object) =>
  (await chat.call(`/internal/tickets${path}`, { method, token: chat.tokens.tokenFor(SERVICE), body })).body;

const eventsOf = async (ticketId: string): Promise<string[]> => {
  const rows = await chat.database.query<{ event: string }>(
    'SELECT event FROM ticket_histories WHERE ticket_id = $1 ORDER BY id',
    [ticketId],
  );
  return rows.map(({ event }) => event);
};

describe('the history of a ticket', () => {
  it.each<[string, string, string, object]>([
    ['assign', 'PUT', 'assign', { user_id: 'u-siti' }],
    ['rating', 'PUT', 'rating', { rating: 5 }],
    ['reply', 'POST', 'replies', { balasanId: uuidv7(), pesan: 'dicek' }],
  ])('puts %s behind a change that it waited for', async (event, method, path, body) => {
    const id = uuidv7();
    await call('PUT', `/${id}`, { store_id: 'S1', nohp: '628120000001', judul: 'Retur', isi: 'Salah ukuran' });
    const { answer } = await chat.database.tx(async (tx) => {
      await tx.query(`UPDATE tickets SET status = 'pending' WHERE id = $1`, [id]);
      const waiting = call(method, `/${id}/${path}`, { store_id: 'S1', ...body });
      await untilWaiting(tx, waiting);
      await tx.query(
        `INSERT INTO ticket_histories (store_id, ticket_id, id, event, actor_type) VALUES ('S1', $1, uuidv7(), 'status', 'system')`,
        [id],
      );
      return { answer: waiting };
    });
    expect(await answer).toMatchObject({ result: true });
    expect(await eventsOf(id)).toEqual(['created', 'status', event]);
  });
});
