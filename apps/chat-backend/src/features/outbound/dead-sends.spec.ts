import { expectNoSeqScan, explain, until } from '@platform/testing';
import { SERVICE, startChat, type Chat } from '../../chat.fixture';
import { DEAD, REPLAY } from './dead-sends.repository';

let chat: Chat;
let token: string;
beforeAll(async () => {
  chat = await startChat();
  token = chat.tokens.tokenFor(SERVICE);
  for (const n of [1, 2, 3]) {
    chat.gateway.next.push({ status: 422, message: 'number not registered' });
    await chat.post('/v1/send_express', {
      nohp: `62840000000${n}`,
      instance: 'dev1',
      team: '3',
      pesan: `mati ${n}`,
      pesan_id: `DEAD${n}`,
    });
    await until(async () => (await stored(`DEAD${n}`))?.error);
  }
});
afterAll(() => chat.stop());

const stored = async (pesanId: string) =>
  (
    await chat.database.query<{ error: string | null; wa_id: string | null }>(
      'SELECT error, wa_id FROM messages WHERE pesan_id = $1',
      [pesanId],
    )
  )[0];
interface Page {
  data: { id: string; pesan_id: string }[];
  next_cursor: string | null;
}
const dead = async (query: string) => (await chat.call(`/internal/outbox/dead?${query}`, { token })).body as Page;
const replay = (body: object, request = {}) => chat.call('/internal/outbox/replay', { token, ...request, body });

describe('the dead sends of a store', () => {
  it('are listed newest first, page by page, with their reason', async () => {
    const page = await dead('store_id=S1&limit=2');
    expect(page).toEqual({
      result: true,
      message: 'success',
      data: [expect.objectContaining({ pesan_id: 'DEAD3' }), expect.objectContaining({ pesan_id: 'DEAD2' })],
      next_cursor: page.data[1]?.id,
    });
    expect(page.data[0]).toEqual({
      id: expect.stringMatching(/^\d+$/),
      chatId: expect.stringMatching(/^S1\./),
      pesan_id: 'DEAD3',
      nohp: '628400000003',
      instance: 'dev1',
      attempts: 1,
      reason: 'the gateway answered 422: number not registered',
      created_at: expect.any(Number),
      dead_at: expect.any(Number),
    });
    expect((await dead(`store_id=S1&cursor=${page.next_cursor}`)).data.map(({ pesan_id }) => pesan_id)).toEqual([
      'DEAD1',
    ]);
    expect((await dead('store_id=S2')).data).toEqual([]);
  });

  it('go out again when asked, without their failure', async () => {
    const [row] = (await dead('store_id=S1&limit=1')).data;
    expect((await replay({ store_id: 'S2', id: row?.id })).body).toMatchObject({
      result: false,
      code: 'message_not_found',
    });
    expect((await replay({ store_id: 'S1', id: row?.id })).body).toEqual({
      result: true,
      message: 'success replay',
      data: { id: expect.stringMatching(/^\d+$/) },
    });
    await until(async () => (await stored('DEAD3'))?.wa_id);
    expect(await stored('DEAD3')).toMatchObject({ error: null });
    expect((await replay({ store_id: 'S1', id: row?.id })).body).toMatchObject({
      result: false,
      code: 'message_not_found',
    });
  });

  it('are hidden from people, and from services of another store', async () => {
    const unauthenticated = { status: 401, body: { status: 'error', message: 'Unauthenticated' } };
    const person = chat.tokens.tokenFor({ role: 'owner' });
    expect(await chat.call('/internal/outbox/dead?store_id=S1', { token: person })).toMatchObject(unauthenticated);
    expect(await chat.call('/internal/outbox/dead?store_id=S1')).toMatchObject(unauthenticated);
    const bound = chat.tokens.tokenFor({ ...SERVICE, store_id: 'S2' });
    expect(await chat.call('/internal/outbox/dead?store_id=S1', { token: bound })).toMatchObject({
      status: 200,
      body: { result: false, code: 'forbidden' },
    });
  });

  it.each([
    ['listing', DEAD, ['S1', null, 50]],
    ['replaying', REPLAY, ['S1', '1']],
  ])('%s reads no table from end to end', async (_, sql, values) =>
    expectNoSeqScan(await explain(chat.database, sql, values)),
  );
});
