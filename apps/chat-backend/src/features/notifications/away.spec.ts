import { startChat, type Chat } from '../../chat.fixture';

let chat: Chat;
beforeAll(async () => {
  chat = await startChat();
  await chat.database.query(
    `DELETE FROM users WHERE store_id = 'S1';
     INSERT INTO users (store_id, user_id, nama, role, aktif) VALUES
       ('S1', 'u-mela', 'Mela', 'owner', true), ('S1', 'u-gone', 'Gone', 'supervisor', false),
       ('S1', 'u-rina', 'Rina', 'agent', true), ('S1', 'u-siti', 'Siti', 'agent', true);
     INSERT INTO team_members (store_id, team_id, user_id) VALUES ('S1', '3', 'u-rina'), ('S1', '3', 'u-siti')`,
  );
});
afterAll(() => chat.stop());

let numbers = 0;
const number = () => `62811900${String(++numbers).padStart(4, '0')}`;
const writes = (nohp: string, instanceID = 'dev1') =>
  chat.inbound({ number: `${nohp}@s.whatsapp.net`, instanceID, id: `${nohp}-${++numbers}`, text: 'halo?' });
const work = (...users: string[]) =>
  chat.database.query(`UPDATE users SET aktif = user_id = ANY ($1) WHERE store_id = 'S1' AND role = 'agent'`, [users]);
const handles = (nohp: string, user: string) =>
  chat.database.query(`UPDATE conversations SET status = 1, assignee_id = $2 WHERE nohp = $1`, [nohp, user]);
const told = async (nohp: string, type: string) =>
  (
    await chat.database.query<{ user_id: string }>(
      `SELECT n.user_id FROM notifications n JOIN conversations c ON c.store_id = n.store_id AND c.id = n.conversation_id
       WHERE c.nohp = $1 AND n.type = $2 ORDER BY n.user_id`,
      [nohp, type],
    )
  ).map(({ user_id: user }) => user);

describe('a customer who writes to a team', () => {
  it('of which somebody is at work is told to the team alone', async () => {
    await work('u-rina');
    const nohp = number();
    await writes(nohp);
    expect(await told(nohp, 'new_chat')).toEqual(['u-rina', 'u-siti']);
  });

  it('of which nobody is at work is told to whoever answers for the store', async () => {
    await work();
    const nohp = number();
    await writes(nohp);
    expect(await told(nohp, 'new_chat')).toContain('u-mela');
    expect(await told(nohp, 'new_chat')).not.toContain('u-gone');
  });

  it('without members is told to whoever answers for the store', async () => {
    const nohp = number();
    await writes(nohp, 'vip');
    expect(await told(nohp, 'new_chat')).toEqual(['u-mela']);
  });
});

describe('a message in the chat of somebody', () => {
  it('who is at work is told to them alone', async () => {
    await work('u-rina', 'u-siti');
    const nohp = number();
    await writes(nohp);
    await handles(nohp, 'u-rina');
    await writes(nohp);
    expect(await told(nohp, 'message')).toEqual(['u-rina']);
  });

  it('who works there no more is told to their team', async () => {
    await work('u-siti');
    const nohp = number();
    await writes(nohp);
    await handles(nohp, 'u-rina');
    await writes(nohp);
    expect(await told(nohp, 'message')).toContain('u-siti');
  });

  it('who was removed, as all of their team, is told to whoever answers for the store', async () => {
    await work();
    const nohp = number();
    await writes(nohp);
    await handles(nohp, 'u-removed');
    await writes(nohp);
    expect(await told(nohp, 'message')).toContain('u-mela');
  });
});
