import { fixedClock, systemClock } from '@platform/runtime';
import { expectNoSeqScan, explain, until } from '@platform/testing';
import { startLifecycle, type Lifecycle } from '../lifecycle/lifecycle.fixture';
import { OldRows, OLD_EVENTS, OLD_NOTIFICATIONS } from './old-rows';

const clock = fixedClock(new Date());
let chat: Lifecycle;
beforeAll(async () => {
  chat = await startLifecycle();
});
afterAll(() => chat.stop());
beforeEach(() => chat.database.query('TRUNCATE notifications, chat_histories'));

const daysAgo = (days: number) => new Date(clock.now().getTime() - days * 86_400_000);
const notification = (judul: string, days: number) =>
  chat.database.query(
    `INSERT INTO notifications (store_id, user_id, type, judul, waktu) VALUES ('S1', 'u-rina', 'new_chat', $1, $2)`,
    [judul, daysAgo(days)],
  );
const event = (name: string, days: number, lampiran: object[] | null = null) =>
  chat.database.query(
    `INSERT INTO chat_histories (store_id, conversation_id, id, episode, event, actor_type, waktu, lampiran)
     VALUES ('S1', '00000000-0000-7000-8000-000000000001', uuidv7(), 1, $1, 'system', $2, coalesce($3::jsonb, '[]'))`,
    [name, daysAgo(days), lampiran && JSON.stringify(lampiran)],
  );
const left = async () => {
  const [notifications, events] = await Promise.all([
    chat.database.query<{ name: string }>('SELECT judul AS name FROM notifications ORDER BY waktu'),
    chat.database.query<{ name: string }>('SELECT event AS name FROM chat_histories ORDER BY waktu'),
  ]);
  return { notifications: notifications.map(({ name }) => name), events: events.map(({ name }) => name) };
};
const run = (days: { notifications: number; history?: number }, batch?: number) =>
  new OldRows(chat.database, { notificationDays: days.notifications, historyDays: days.history, clock, batch }).run();

describe('old rows', () => {
  it('go after their days, and younger ones stay', async () => {
    for (const days of [31, 30.1, 29, 0]) await notification(`n${days}`, days);
    for (const days of [401, 399, 0]) await event(`e${days}`, days);
    await run({ notifications: 30, history: 400 });
    expect(await left()).toEqual({ notifications: ['n29', 'n0'], events: ['e399', 'e0'] });
  });

  it('of the history stay for ever where no days are given', async () => {
    await event('old', 4_000);
    await run({ notifications: 30 });
    expect((await left()).events).toEqual(['old']);
  });

  it('stay where the clock of the process is 40 days ahead of the database', async () => {
    await notification('new', 0);
    jest.spyOn(systemClock, 'now').mockImplementation(() => new Date(Date.now() + 40 * 86_400_000));
    await chat.database.query(`SELECT chat_backend_jobs.add_job('timers')`);
    const jobs = () => chat.database.query('SELECT 1 FROM chat_backend_jobs.jobs');
    await until(jobs, (rows) => rows.length === 0);
    jest.restoreAllMocks();
    expect((await left()).notifications).toEqual(['new']);
  });

  it('go in portions until none is left', async () => {
    for (let n = 0; n < 7; n++) await notification(`n${n}`, 31 + n);
    await run({ notifications: 30 }, 3);
    expect((await left()).notifications).toEqual([]);
  });

  it('of the history stay while they hold a file that is still to be removed', async () => {
    await event('with file', 500, [{ url: 'media:a.png', filename: 'a.png' }]);
    await event('without', 500, [{ url: null, filename: 'a.png' }]);
    await run({ notifications: 30, history: 400 });
    expect((await left()).events).toEqual(['with file']);
  });

  it.each([
    ['notifications_age', OLD_NOTIFICATIONS],
    ['chat_histories_age', OLD_EVENTS],
  ])('are found by %s', async (index, statement) => {
    const plan = await explain(chat.database, statement, [daysAgo(1), 10]);
    expectNoSeqScan(plan, 'notifications', 'chat_histories');
    expect(JSON.stringify(plan)).toContain(`"Index Name":"${index}"`);
  });
});
