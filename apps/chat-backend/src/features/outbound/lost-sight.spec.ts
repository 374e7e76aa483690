// Whose chat it is when somebody's sight of it ends while their message is on its way.
import { startLifecycle, type Lifecycle, type Ref } from '../lifecycle/lifecycle.fixture';

let chat: Lifecycle;
beforeAll(async () => {
  chat = await startLifecycle();
});
afterAll(() => chat.stop());

const { rina, tono, boss, siti } = {
  rina: () => chat.people.rina,
  tono: () => chat.people.tono,
  boss: () => chat.people.boss,
  siti: () => chat.people.siti,
};
const ask = (ref: Ref, to_team = '4') =>
  chat.as(rina(), 'chats/request-escalate', { ...ref, alasan: 'minta bantuan', to_team });
const end = (ref: Ref, more: object = {}) => chat.as(rina(), 'chats/finish-escalate', { ...ref, ...more });
const helper = (ref: Ref, path: string) => {
  const file = `data:application/pdf;base64,${Buffer.from('%PDF-1.4 a').toString('base64')}`;
  const content = path === 'send_message' ? { pesan: 'saya bantu' } : { file, filename: 'a.pdf' };
  return chat.as(tono(), path, { ...ref, ...content });
};
const sent = async ({ nohp }: Ref) =>
  (
    await chat.database.query(
      `SELECT 1 FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE c.nohp = $1 AND m.from_me`,
      [nohp],
    )
  ).length;

it.each<[path: string, what: string, ends: (ref: Ref) => ReturnType<typeof end>]>([
  ['send_message', 'help ends', (ref) => end(ref)],
  ['send_document', 'help ends', (ref) => end(ref)],
  ['send_message', 'the chat ends with its help', (ref) => end(ref, { finish_chat: true })],
  ['send_message', 'others are asked instead', (ref) => ask(ref, '9')],
])('%s of a helper that waits while %s goes nowhere and takes no chat', async (path, _, ends) => {
  const ref = await chat.newChat();
  await ask(ref);
  const [ended, late] = await chat.inTurn(
    ref,
    () => ends(ref),
    () => helper(ref, path),
  );
  expect(ended?.body).toMatchObject({ result: true });
  expect(late?.body).toMatchObject({ result: false, code: 'forbidden_team' });
  expect(await chat.row(ref)).toMatchObject({ assignee_id: null });
  expect(await sent(ref)).toBe(0);
});

it('a message to a chat that moves to another team meanwhile goes nowhere, one of a supervisor does', async () => {
  const ref = await chat.newChat();
  const [, late, over] = await chat.inTurn(
    ref,
    () => chat.as(boss(), 'chat_move', { ...ref, to_team: '4' }),
    () => chat.as(siti(), 'send_message', { ...ref, pesan: 'halo' }),
    () => chat.as(boss(), 'send_message', { ...ref, pesan: 'halo' }),
  );
  expect(late?.body).toMatchObject({ result: false, code: 'chat_not_found' });
  expect(over?.body).toMatchObject({ result: true });
  expect(await chat.row(ref)).toMatchObject({ team_id: '4', assignee_id: 'u-boss' });
  expect(await sent(ref)).toBe(1);
});

it('a helper answers while help is asked, whatever else happens to the chat', async () => {
  const ref = await chat.newChat();
  await ask(ref);
  const [, late] = await chat.inTurn(
    ref,
    () => chat.inbound({ number: `${ref.nohp}@s.whatsapp.net` }),
    () => helper(ref, 'send_message'),
  );
  expect(late?.body).toMatchObject({ result: true });
  expect(await chat.row(ref)).toMatchObject({ assignee_id: 'u-tono', status: 1 });
});
