import { until } from '@platform/testing';
import type { BotAnswer } from '../../clients/bot.client';
import { FakeBot } from '../../clients/bot.fake';
import type { CommerceEvent } from '../../clients/commerce.client';
import { takingCommerce } from '../../clients/commerce.fake';
import { startLifecycle, type Lifecycle } from '../lifecycle/lifecycle.fixture';

type Told = Extract<CommerceEvent, { kind: 'members_told' }>;
const told: Told[] = [];
const bot = new FakeBot();
const LEFT: BotAnswer = { kind: 'left', bubbles: [] };
const handover = (id: string): BotAnswer => ({ kind: 'left', bubbles: [{ id, text: 'kami sambungkan ya' }] });

let chat: Lifecycle;
beforeAll(async () => {
  const tellEvent = (_store: string, event: CommerceEvent): Promise<boolean> => {
    if (event.kind === 'members_told') told.push(event);
    return Promise.resolve(true);
  };
  const environment = { COMMERCE_URL: 'http://127.0.0.1:9' };
  chat = await startLifecycle({ commerce: { ...takingCommerce, tellEvent }, bot, environment });
  await chat.database.query(`UPDATE devices SET bot_agent_id = 'A1';
    INSERT INTO team_members (store_id, team_id, user_id) VALUES ('S1', '3', 'u-rina'), ('S1', '4', 'u-tono');
    UPDATE teams SET distribution = 'round_robin' WHERE store_id = 'S1' AND id = '4'`);
});
afterAll(() => chat.stop());
beforeEach(() => void (told.length = 0));

const WAITING = `SELECT 1 FROM chat_backend_jobs.jobs WHERE task_identifier IN ('commerce.event', 'automation', 'bot.ask')`;
const idle = () => until(async () => (await chat.database.query(WAITING)).length === 0);
let numbers = 0;
const number = () => `62823000${String(++numbers).padStart(4, '0')}`;
const writes = async (nohp: string, answer?: BotAnswer, instanceID = 'dev1') => {
  if (answer) bot.next.push(() => answer);
  const { body } = await chat.inbound({ number: `${nohp}@s.whatsapp.net`, instanceID, id: `${nohp}-${++numbers}` });
  expect(body).toMatchObject({ result: true });
  await idle();
  return `told:new_chat:${nohp}-${numbers}`;
};
const notices = (nohp: string) =>
  chat.database.query(
    `SELECT n.user_id, n.type, n.judul, n.count FROM notifications n JOIN conversations c ON c.store_id = n.store_id AND c.id = n.conversation_id
     WHERE c.nohp = $1 ORDER BY n.type, n.user_id`,
    [nohp],
  );
/** Sends of a number: the outbox has them after the jobs are done. */
const sent = (nohp: string) =>
  until(
    () => chat.gateway.calls.filter(({ number }) => number === nohp),
    ({ length }) => length > 0,
  );
const stands = async (nohp: string) =>
  (await chat.database.query('SELECT status, assignee_id FROM conversations WHERE nohp = $1', [nohp]))[0];

describe('a chat whose bot says nothing, because it is switched off or had too many turns', () => {
  it('is told to its team once, and again only when the bot has spoken meanwhile', async () => {
    const nohp = number();
    const first = await writes(nohp, LEFT);
    expect(told).toMatchObject([{ id: first, users: ['u-rina'] }]);
    expect(await notices(nohp)).toEqual([
      { user_id: 'u-rina', type: 'new_chat', judul: 'Bot tidak menjawab', count: 2 },
    ]);
    await writes(nohp, LEFT);
    expect(told).toHaveLength(1);
    await writes(nohp);
    expect(told).toHaveLength(1);
    const again = await writes(nohp, LEFT);
    expect(told.map(({ id }) => id)).toEqual([first, again]);
    expect(await stands(nohp)).toEqual({ status: 0, assignee_id: null });
  });

  it('is told again when the chat has come back', async () => {
    const nohp = number();
    await writes(nohp, LEFT);
    await chat.database.query('UPDATE conversations SET status = 3 WHERE nohp = $1', [nohp]);
    const back = await writes(nohp, LEFT);
    expect(told.map(({ id }) => id)).toEqual([expect.any(String), back]);
  });

  it('is handed to a member where the team hands out', async () => {
    const nohp = number();
    await writes(nohp, LEFT, 'vip');
    expect(await stands(nohp)).toEqual({ status: 1, assignee_id: 'u-tono' });
  });
});

describe('a chat whose first message was answered by the welcome text', () => {
  beforeAll(() =>
    chat.database.query(
      `INSERT INTO welcomes (store_id, enabled, text, once_per_hours) VALUES ('S1', true, 'Hai', 24)`,
    ),
  );
  afterAll(() => chat.database.query('DELETE FROM welcomes'));

  it('is told to its team once, for the bot is not asked, and not again when the bot answers the next', async () => {
    const nohp = number();
    const first = await writes(nohp);
    expect(await sent(nohp)).toMatchObject([{ text: 'Hai' }]);
    expect(told).toMatchObject([{ id: first, users: ['u-rina'] }]);
    await writes(nohp);
    expect(told).toHaveLength(1);
    expect(await stands(nohp)).toEqual({ status: 0, assignee_id: null });
  });

  it('is told again when the bot says nothing to the next', async () => {
    const nohp = number();
    const first = await writes(nohp);
    const second = await writes(nohp, LEFT);
    expect(told.map(({ id }) => id)).toEqual([first, second]);
  });
});

describe('a chat that the bot hands over', () => {
  it('has its last words, then it is told to the team, and later messages to nobody anew', async () => {
    const nohp = number();
    const first = await writes(nohp, handover('h-1'));
    expect(await sent(nohp)).toMatchObject([{ pesanId: 'h-1' }]);
    expect(told).toMatchObject([{ id: first, users: ['u-rina'] }]);
    expect(await notices(nohp)).toEqual([
      { user_id: 'u-rina', type: 'new_chat', judul: 'Bot menyerahkan chat', count: 2 },
    ]);
    await writes(nohp, LEFT);
    expect(told).toHaveLength(1);
  });

  it('is handed to a member where the team hands out, and keeps the last words', async () => {
    const nohp = number();
    await writes(nohp, handover('h-2'), 'vip');
    expect(await stands(nohp)).toEqual({ status: 1, assignee_id: 'u-tono' });
    expect(await sent(nohp)).toMatchObject([{ pesanId: 'h-2' }]);
    expect(await chat.database.query(`SELECT 1 FROM chat_histories WHERE event = 'bot_dropped'`)).toEqual([]);
  });
});

it('a chat whose bot was taken off while its turn waited is handed out as one without a bot', async () => {
  const nohp = number();
  await chat.database.query(`UPDATE devices SET bot_agent_id = NULL WHERE instance = 'vip'`);
  await writes(nohp, undefined, 'vip');
  await chat.database.query('UPDATE conversations SET status = 0, assignee_id = NULL WHERE nohp = $1', [nohp]);
  await chat.database.query(
    `SELECT chat_backend_jobs.add_job('bot.ask', json_build_object('storeId', m.store_id, 'conversationId', m.conversation_id, 'seq', m.seq))
     FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE c.nohp = $1`,
    [nohp],
  );
  await idle();
  expect(await stands(nohp)).toEqual({ status: 1, assignee_id: 'u-tono' });
});

it("the bot's call for help asks the chat's own team in a store without a supervisors' team", async () => {
  const nohp = number();
  await chat.database.query(`INSERT INTO team_members (store_id, team_id, user_id) VALUES ('S2', '3', 'u-lain')`);
  await writes(nohp, undefined, 'dev2');
  const bots = { sub: 'svc:bot-engine', role: 'bot', typ: 'service+jwt', store_id: 'S2', teams: [] } as const;
  const asked = { nohp, instance: 'dev2', team: '3', alasan: 'minta orang' };
  expect((await chat.as(chat.tokens.tokenFor(bots), 'chats/request-escalate', asked)).body).toMatchObject({
    result: true,
    data: { status: 'open', status_escalate: 'requested' },
    history: [{ event: 'request_escalate', team_to: '3', user_to: null, actor_type: 'bot' }],
  });
  expect(await notices(nohp)).toMatchObject([{ user_id: 'u-lain', type: 'escalate_request' }, { type: 'new_chat' }]);
});
