import { expectNoSeqScan, explain } from '@platform/testing';
import { chatDatabase, SERVICE, startChat } from '../../chat.fixture';
import { startLifecycle, type Lifecycle } from '../lifecycle/lifecycle.fixture';
import { HANDLED, MOST_HANDLED } from './handled.sql';

let chat: Lifecycle;
let token: string;
beforeAll(async () => {
  chat = await startLifecycle();
  token = chat.tokens.tokenFor(SERVICE);
});
afterAll(() => chat.stop());

const handled = async (user: string, { store = 'S1', as = token } = {}) => {
  const { status, body } = await chat.call(`/internal/handled?store_id=${store}&user_id=${user}`, { token: as });
  return { status, body };
};
const of = (...nohp: readonly string[]) => ({
  status: 200,
  body: { result: true, message: 'success', data: { nohp } },
});

/** Chats in somebody's name, as many as asked for: the later the number, the longer ago. */
const MANY = `
  INSERT INTO conversations (store_id, id, instance, nohp, team_id, customer_id, status, assignee_id, last_seq, last_at)
  SELECT 'S1', gen_random_uuid(), 'dev1', (6289900000000 + n)::text, '3', gen_random_uuid(), 3, $2, 1, now() - n * interval '1 minute'
  FROM generate_series(1, $1) n`;

describe('the numbers that a user handles', () => {
  it('are those of the chats in their name, whatever the state, and follow a chat that is given to somebody else', async () => {
    const [mine, done, theirs] = [await chat.newChat(), await chat.newChat(), await chat.newChat()];
    for (const ref of [mine, done]) await chat.as(chat.people.rina, 'handle_chat', ref);
    await chat.as(chat.people.rina, 'chat_finish', done);
    await chat.as(chat.people.siti, 'handle_chat', theirs);
    expect([await handled('u-rina'), await handled('u-siti')]).toEqual([of(mine.nohp, done.nohp), of(theirs.nohp)]);
    await chat.as(chat.people.boss, 'handle_chat', { ...mine, user_id: 'u-siti', force: true });
    expect((await handled('u-rina')).body).toEqual(of(done.nohp).body);
    await chat.inbound({ number: `${done.nohp}@s.whatsapp.net` });
    expect(await handled('u-rina')).toEqual(of());
  });

  it(`are the newest ${MOST_HANDLED} of somebody who has more, what is not finished first`, async () => {
    const waiting = await chat.newChat({ status: 'handle', assignee_id: 'u-tono', last_at: '2020-01-01T00:00:00Z' });
    await chat.database.query(MANY, [MOST_HANDLED + 5, 'u-tono']);
    const { body } = (await handled('u-tono')) as { body: { data: { nohp: string[] } } };
    const newest = Array.from({ length: MOST_HANDLED - 1 }, (_, n) => String(6289900000001 + n));
    expect(body.data.nohp).toEqual([waiting.nohp, ...newest]);
  });

  it("are told of the token's store alone, and not to people", async () => {
    const ref = await chat.newChat({ status: 'handle', assignee_id: 'u-boss' });
    expect(await handled('u-boss')).toEqual(of(ref.nohp));
    expect(await handled('u-boss', { store: 'S2' })).toEqual(of());
    const ofAnother = chat.tokens.tokenFor({ ...SERVICE, store_id: 'S2' });
    expect((await handled('u-boss', { as: ofAnother })).body).toMatchObject({ result: false, code: 'forbidden' });
    expect((await handled('u-boss', { as: chat.people.boss })).body).toEqual({
      status: 'error',
      message: 'Unauthenticated',
    });
  });

  it('hold no group', async () => {
    await chat.newChat({ status: 'handle', assignee_id: 'u-group', is_group: true });
    expect(await handled('u-group')).toEqual(of());
  });

  it('are found by the index of those who have chats', async () =>
    expectNoSeqScan(await explain(chat.database, HANDLED, ['S1', 'u-rina']), 'conversations'));
});

it('a user handles the chats of the `_crm` source too', async () => {
  const crm = await chatDatabase();
  await crm.query(MANY, [1, 'u-rina']);
  const both = await startChat({ environment: { CRM_DATABASE_URL: crm.url } });
  try {
    const path = '/internal/handled?store_id=S1&user_id=u-rina';
    const { body } = await both.call(path, { token: both.tokens.tokenFor(SERVICE) });
    expect(body).toEqual(of('6289900000001').body);
  } finally {
    await both.stop();
    await crm.stop?.();
  }
});
