// Whose a chat is after help with it has ended (ADR 163).
import { startLifecycle, type Lifecycle, type Ref } from '../lifecycle/lifecycle.fixture';

let chat: Lifecycle;
beforeAll(async () => {
  chat = await startLifecycle();
});
afterAll(() => chat.stop());

const ask = (ref: Ref) =>
  chat.as(chat.people.rina, 'chats/request-escalate', { ...ref, alasan: 'minta atasan', to_team: '4' });
const end = (ref: Ref, token = chat.people.tono) => chat.as(token, 'chats/finish-escalate', ref);

it.each<[who: keyof Lifecycle['people'], seat: string, role: string | null, left: string | null]>([
  ['tono', '4', 'agent', null],
  ['rina', '4', 'agent', null],
  ['boss', '4', null, null],
  // Who sees the chat besides keeps it
  ['rina', '3', 'agent', 'u-tono'],
  ['boss', '4', 'supervisor', 'u-tono'],
])('the end of help by %s gives back a chat that its helper (seat %s, role %s) has', async (who, seat, role, left) => {
  const ref = await chat.newChat();
  await chat.database.query(`DELETE FROM team_members WHERE user_id = 'u-tono'`);
  await chat.database.query(
    `INSERT INTO team_members (store_id, team_id, user_id) SELECT 'S1', t, 'u-tono' FROM unnest($1::text[]) t`,
    [seat === '4' ? ['4'] : ['3', '4']],
  );
  await chat.database.query(`UPDATE users SET role = $1 WHERE user_id = 'u-tono'`, [role]);
  await ask(ref);
  await chat.as(chat.people.tono, 'send_message', { ...ref, team: '4', pesan: 'saya bantu' });
  expect(await chat.row(ref)).toMatchObject({ assignee_id: 'u-tono' });
  await end(ref, chat.people[who]);
  expect(await chat.row(ref)).toMatchObject({ assignee_id: left, status: left === null ? 0 : 1, status_escalate: 2 });
  const taken = await chat.as(chat.people.siti, 'handle_chat', ref);
  expect(taken.body).toMatchObject(left === null ? { data: { user_id: 'u-siti' } } : { code: 'chat_handled' });
});

it('a helper who has lost their seat in the asked team meanwhile does not keep the chat', async () => {
  const ref = await chat.newChat();
  await chat.database.query(`DELETE FROM team_members WHERE user_id = 'u-tono'`);
  await chat.database.query(`UPDATE users SET role = 'agent' WHERE user_id = 'u-tono'`);
  await ask(ref);
  await chat.as(chat.people.tono, 'send_message', { ...ref, team: '4', pesan: 'saya bantu' });
  await end(ref, chat.people.rina);
  expect(await chat.row(ref)).toMatchObject({ assignee_id: null, status: 0, status_escalate: 2 });
});

it('another reason for the same help is told, the same one again is not, and the last stays to be read', async () => {
  const ref = await chat.newChat({ status: 'handle', assignee_id: 'u-rina' });
  const reasons = async () =>
    ((await chat.post('/v1/chat_inbox', ref)).body as { history: { event: string; catatan: string | null }[] }).history
      .filter(({ event }) => event === 'request_escalate')
      .map(({ catatan }) => catatan);
  await ask(ref);
  await ask(ref);
  const more = { ...ref, alasan: 'minta atasan segera', to_team: '4' };
  for (let n = 0; n < 2; n += 1) await chat.as(chat.people.rina, 'chats/request-escalate', more);
  expect(await reasons()).toEqual(['minta atasan', 'minta atasan segera']);
  expect(await chat.row(ref)).toMatchObject({ assignee_id: 'u-rina', status: 1, status_escalate: 1 });
  await chat.database.query(
    `INSERT INTO chat_histories (store_id, conversation_id, id, episode, event, from_status, to_status, actor_type)
     SELECT c.store_id, c.id, uuidv7(), 1, 'handle', 1, 1, 'user' FROM conversations c, generate_series(1, 60) WHERE c.nohp = $1`,
    [ref.nohp],
  );
  expect(await reasons()).toEqual(['minta atasan segera']);
  await end(ref, chat.people.rina);
  expect(await reasons()).toEqual([]);
});

it('a chat stays with who has it or has set it aside, whoever helped to answer it', async () => {
  await chat.database.query(`INSERT INTO team_members (store_id, team_id, user_id) VALUES ('S1', '3', 'u-rina')`);
  for (const status of ['handle', 'pending']) {
    const ref = await chat.newChat({ status: 'handle', assignee_id: 'u-rina' });
    await ask(ref);
    if (status === 'pending') await chat.as(chat.people.rina, 'chat_pending', ref);
    await chat.as(chat.people.tono, 'send_message', { ...ref, team: '4', pesan: 'saya bantu' });
    await end(ref);
    expect([status, await chat.row(ref)]).toMatchObject([status, { assignee_id: 'u-rina', status: 1 }]);
  }
});

it('of the same reason that is given twice at once one is told, and of two reasons both', async () => {
  const ref = await chat.newChat({ status: 'handle', assignee_id: 'u-rina' });
  await ask(ref);
  const because = (alasan: string) => () =>
    chat.as(chat.people.rina, 'chats/request-escalate', { ...ref, alasan, to_team: '4' });
  const answers = await chat.inTurn(ref, because('dua'), because('dua'));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await chat.events(ref)).toEqual(['request_escalate', 'request_escalate']);
  await chat.inTurn(ref, because('tiga'), because('empat'));
  expect(await chat.events(ref)).toHaveLength(4);
});

it('a chat that its helper has goes to nobody, and to no other team, when others are asked', async () => {
  await chat.database.query(
    `DELETE FROM team_members WHERE user_id = 'u-tono'; UPDATE users SET role = 'agent' WHERE user_id = 'u-tono'`,
  );
  const ref = await chat.newChat();
  await ask(ref);
  await chat.as(chat.people.tono, 'send_message', { ...ref, team: '4', pesan: 'saya bantu' });
  const asked = { ...ref, alasan: 'minta Sari', user_id: 'u-siti' };
  const { body } = await chat.as(chat.people.rina, 'chats/request-escalate', asked);
  expect((body as { history: object[] }).history).toMatchObject([
    { event: 'request_escalate', team_to: null, user_to: 'u-siti' },
    { event: 'release', team_to: '3', user_from: 'u-tono', user_to: null },
  ]);
});
