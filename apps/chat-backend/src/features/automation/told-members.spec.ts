import { hostileTexts, until } from '@platform/testing';
import { startChat, type Chat } from '../../chat.fixture';
import type { BotClient } from '../../clients/bot.client';
import type { CommerceEvent } from '../../clients/commerce.client';
import { takingCommerce } from '../../clients/commerce.fake';

type Told = Extract<CommerceEvent, { kind: 'members_told' }>;
const told: Told[] = [];
const refusing: BotClient = { ask: () => Promise.resolve({ kind: 'refused', reason: 'no such agent' }) };

let chat: Chat;
beforeAll(async () => {
  const tellEvent = (_store: string, event: CommerceEvent): Promise<boolean> => {
    if (event.kind === 'members_told') told.push(event);
    return Promise.resolve(true);
  };
  const environment = { COMMERCE_URL: 'http://127.0.0.1:9' };
  chat = await startChat({ commerce: { ...takingCommerce, tellEvent }, bot: refusing, environment });
  await chat.database.query(`UPDATE devices SET bot_agent_id = 'A1' WHERE instance = 'vip';
    INSERT INTO users (store_id, user_id, nama) VALUES ('S1', 'u-told-1', 'Satu'), ('S1', 'u-told-2', 'Dua'); INSERT INTO team_members (store_id, team_id, user_id)
    VALUES ('S1', '3', 'u-told-1'), ('S1', '3', 'u-told-2'), ('S1', '4', 'u-vip') ON CONFLICT DO NOTHING`);
});
afterAll(() => chat.stop());
beforeEach(() => void (told.length = 0));

const WAITING = `SELECT 1 FROM chat_backend_jobs.jobs WHERE task_identifier IN ('commerce.event', 'automation', 'bot.ask')`;
const idle = () => until(async () => (await chat.database.query(WAITING)).length === 0);
let numbers = 0;
const number = () => `62822000${String(++numbers).padStart(4, '0')}`;
const write = (nohp: string, more: Record<string, string> = {}) =>
  chat.inbound({ number: `${nohp}@s.whatsapp.net`, ...more });
it('a chat that begins is told to the members of its team, its name and text beside, and to no other team', async () => {
  const nohp = number();
  await write(nohp, { id: `t-${nohp}`, text: 'Ada ukuran 42?', name: 'Budi' });
  await until(() => told.length === 1);
  const [event] = told;
  expect(event).toMatchObject({
    ...{ id: `told:new_chat:t-${nohp}`, kind: 'members_told', nohp, instance: 'dev1', team: '3', title: 'Budi' },
    ...{ text: 'Ada ukuran 42?', chatId: expect.stringMatching(/^S1\./) as string },
  });
  expect(event?.users).toEqual(expect.arrayContaining(['u-told-1', 'u-told-2']));
  expect(event?.users).not.toContain('u-vip');
});

it('a message to a chat at work is told to whoever works on it alone', async () => {
  const nohp = number();
  await write(nohp);
  await until(() => told.length === 1);
  await chat.database.query(`UPDATE conversations SET status = 1, assignee_id = 'u-told-2' WHERE nohp = $1`, [nohp]);
  await write(nohp, { id: `w-${nohp}`, text: 'Halo?' });
  await until(() => told.length === 2);
  expect(told[1]).toMatchObject({ id: `told:message:w-${nohp}`, users: ['u-told-2'], text: 'Halo?' });
});

it('the same message again, our own hand and a group are told to nobody', async () => {
  const nohp = number();
  const message = { id: `o-${nohp}`, text: 'Halo' };
  await write(nohp, message);
  await until(() => told.length === 1);
  await write(nohp, message);
  await write(number(), { fromMe: 'true' });
  await chat.inbound({ number: '120363000000000077@g.us' });
  await idle();
  expect(told).toHaveLength(1);
});

it('a chat that a bot answers waits for nobody, until the bot does not answer', async () => {
  const nohp = number();
  await write(nohp, { instanceID: 'vip', id: `b-${nohp}`, text: 'Halo bot' });
  await until(() => told.length > 0);
  await idle();
  // Once: by the alarm of the bot that refuses, not by the message
  expect(told).toMatchObject([{ id: `told:new_chat:b-${nohp}`, text: 'Halo bot', users: ['u-vip'] }]);
});

it('whatever stands in a text or a name is told, bounded', async () => {
  for (const hostile of Object.values(hostileTexts)) {
    const nohp = number();
    const { status } = await write(nohp, { text: hostile(5_000), name: hostile(100) });
    // What is too long for a name is refused as a whole
    if (status === 422) continue;
    await until(() => told.length === 1);
    expect([told[0]?.nohp, [...(told[0]?.text ?? '')].length <= 400]).toEqual([nohp, true]);
    told.length = 0;
  }
});

describe('a chat with which a colleague does something', () => {
  beforeAll(() =>
    chat.database.query(
      `INSERT INTO users (store_id, user_id, nama) VALUES ('S1', 'u-told-1', 'Tia'), ('S1', 'u-told-2', 'Tio') ON CONFLICT DO NOTHING`,
    ),
  );
  const given = async (
    path: string,
    body: object,
    token = chat.tokens.tokenFor({ role: 'supervisor', sub: 'u-boss', teams: [] }),
  ) => {
    const nohp = number();
    await write(nohp, { id: `g-${nohp}`, text: 'Halo', name: 'Budi' });
    await idle();
    told.length = 0;
    const { status, body: answer } = await chat.post(
      `/v1/${path}`,
      { nohp, instance: 'dev1', team: '3', ...body },
      { token },
    );
    await idle();
    expect([status, answer]).toMatchObject([200, { result: true }]);
    return nohp;
  };

  it.each([
    ['handle_chat', { user_id: 'u-told-2' }],
    ['chat_move', { to_team: '4', user_id: 'u-told-2' }],
  ])('is told to them alone, by %s, once for each time', async (path, body) => {
    const nohp = await given(path, body);
    expect(told).toMatchObject([
      {
        ...{
          id: expect.stringMatching(/^told:assign:[\da-f-]{36}$/) as string,
          kind: 'members_told',
          about: 'assigned',
        },
        ...{ nohp, users: ['u-told-2'], title: 'Budi', text: 'Halo', team: path === 'chat_move' ? '4' : '3' },
      },
    ]);
  });

  it.each([
    ['chat_move', { to_team: '4' }, { about: 'moved', team: '4', asked: '4', text: 'Halo' }],
    [
      'chats/request-escalate',
      { to_team: '4', alasan: 'Minta diskon' },
      { about: 'help', team: '3', asked: '4', text: 'Minta diskon' },
    ],
  ])('is told to the members of the team that it concerns, by %s', async (path, body, event) => {
    const nohp = await given(path, body);
    expect(told).toMatchObject([{ ...event, kind: 'members_told', nohp, users: ['u-vip'], title: 'Budi' }]);
  });

  it('is told to a colleague who is asked for help by name, whatever their team, and to nobody who ends it', async () => {
    const nohp = await given('chats/request-escalate', { user_id: 'u-told-2', alasan: 'Tolong' });
    expect(told).toMatchObject([{ about: 'help', nohp, users: ['u-told-2'], text: 'Tolong' }]);
    expect(told[0]).not.toHaveProperty('asked');
  });

  it('is told to nobody who takes it themselves', async () => {
    await given(
      'handle_chat',
      { user_id: 'u-told-1' },
      chat.tokens.tokenFor({ role: 'agent', sub: 'u-told-1', teams: ['3'] }),
    );
    expect(told).toEqual([]);
  });
});
