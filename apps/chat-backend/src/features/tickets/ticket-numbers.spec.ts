import { uuidv7 } from '@platform/runtime';
import { SERVICE } from '../../chat.fixture';
import { startLifecycle, type Lifecycle, type Ref } from '../lifecycle/lifecycle.fixture';

let chat: Lifecycle;
beforeAll(async () => {
  chat = await startLifecycle();
});
afterAll(() => chat.stop());

/** So many tickets the store has opened before the next. */
const after = (last: number) =>
  chat.database.query(
    `INSERT INTO ticket_numbers (store_id, last) VALUES ('S1', $1) ON CONFLICT (store_id) DO UPDATE SET last = $1`,
    [last],
  );
const opened = async ({ nohp }: Ref): Promise<unknown> => {
  const body = { store_id: 'S1', nohp, judul: 'Retur', isi: 'Salah ukuran' };
  const token = chat.tokens.tokenFor(SERVICE);
  return (await chat.call(`/internal/tickets/${uuidv7()}`, { method: 'PUT', token, body })).body;
};
const escalated = async (ref: Ref): Promise<unknown> => {
  const request = { ...ref, alasan: 'minta atasan', to_team: '4' };
  return (await chat.as(chat.people.rina, 'chats/request-escalate', request)).body;
};
const numbersOf = async ({ nohp }: Ref): Promise<string[]> => {
  const text = 'SELECT nomor FROM tickets WHERE nohp = $1';
  return (await chat.database.query<{ nomor: string }>(text, [nohp])).map(({ nomor }) => nomor);
};

describe.each([
  ['that is opened by hand', opened, 99_999],
  ['of a chat that asks for help', escalated, 199_999],
])('the number of a ticket %s', (_, open, before) => {
  it('counts on beyond a million of a store, and none is like one of before', async () => {
    const numbers = [];
    for (const last of [before, before * 10 + 9]) {
      const ref = await chat.newChat();
      await after(last);
      expect(await open(ref)).toMatchObject({ result: true });
      numbers.push(...(await numbersOf(ref)));
    }
    expect(numbers).toEqual([`TKT-${before + 1}`, `TKT-${before + 1}0`]);
  });
});
