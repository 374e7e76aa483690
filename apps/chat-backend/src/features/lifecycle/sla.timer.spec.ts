import { fixedClock, silentLogger } from '@platform/runtime';
import { expectNoSeqScan, explain } from '@platform/testing';
import { minuteTasks } from './minute.tasks';
import { startLifecycle, type Lifecycle } from './lifecycle.fixture';
import { SLA } from './sla.sql';
import { SlaTimer } from './sla.timer';

let chat: Lifecycle;
const NOW = new Date('2029-06-01T12:00:00Z');
const clock = fixedClock(NOW);
const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000).toISOString();
const told: { user: string; notif: object }[] = [];
const run = () =>
  new SlaTimer(chat.database, { clock, notifications: { notified: (rows) => void told.push(...(rows ?? [])) } }).run();
const who = async (nohp: string) =>
  (
    await chat.database.query<{ user_id: string }>(
      `SELECT n.user_id FROM notifications n JOIN conversations c ON c.id = n.conversation_id WHERE n.type = 'sla' AND c.nohp = $1 ORDER BY 1`,
      [nohp],
    )
  ).map(({ user_id }) => user_id);

beforeAll(async () => {
  chat = await startLifecycle();
  await chat.database.query(`UPDATE stores SET settings = '{"sla_menit":30}' WHERE store_id = 'S1';
    INSERT INTO team_members (store_id, team_id, user_id, role) VALUES ('S1', '3', 'u-rina', 'agent'), ('S1', '3', 'u-siti', 'agent'), ('S1', '3', 'u-boss', 'supervisor'), ('S1', '4', 'u-tono', 'agent')`);
});
afterAll(() => chat.stop());

describe('a customer who waits longer than the store allows', () => {
  it('is reported to the team, or to assignee and supervisors, once per episode', async () => {
    const waits = (minutes: number, more: object = {}) => chat.newChat({ waiting_since: minutesAgo(minutes), ...more });
    const [free, taken, soon, done, calm] = [
      await waits(30),
      await waits(31, { status: 'handle', assignee_id: 'u-rina' }),
      await waits(29),
      await waits(90, { status: 'finish' }),
      await chat.newChat({ waiting_since: null }),
    ] as const;
    await run();
    await run();
    const expected = [['u-boss', 'u-rina', 'u-siti'], ['u-boss', 'u-rina'], [], [], []];
    const seen = async () => Promise.all([free, taken, soon, done, calm].map(({ nohp }) => who(nohp)));
    expect(await seen()).toEqual(expected);
    expect(told).toHaveLength(5);
    expect(told.find(({ user }) => user === 'u-siti')?.notif).toMatchObject({
      type: 'sla',
      judul: 'Pelanggan menunggu terlalu lama',
      isi: expect.stringMatching(/^Budi: pesan \d+$/),
      chatId: free.chatId,
      nohp: free.nohp,
      team: '3',
      count: 1,
    });
    clock.advance(60_000);
    await run();
    clock.advance(-60_000);
    expect(await seen()).toEqual([expected[0], expected[1], expected[0], [], []]);
  });

  it('is reported again in the next episode, and never in a store without a limit', async () => {
    const ref = await chat.newChat({ waiting_since: minutesAgo(60) });
    await run();
    await chat.database.query('UPDATE conversations SET episode = episode + 1 WHERE nohp = $1', [ref.nohp]);
    await run();
    const [row] = await chat.database.query(
      `SELECT n.count FROM notifications n JOIN conversations c ON c.id = n.conversation_id WHERE n.type = 'sla' AND n.user_id = 'u-siti' AND c.nohp = $1`,
      [ref.nohp],
    );
    expect(row).toEqual({ count: 2 });
    for (const settings of ['{}', '{"sla_menit":"soon"}', '{"sla_menit":0}']) {
      await chat.database.query(`UPDATE stores SET settings = $1 WHERE store_id = 'S1'`, [settings]);
      const other = await chat.newChat({ waiting_since: minutesAgo(600) });
      await run();
      expect(await who(other.nohp)).toEqual([]);
    }
  });

  it('is found through the index of the chat list', async () =>
    expectNoSeqScan(await explain(chat.database, SLA, [NOW, 200]), 'conversations', 'notifications'));
});

describe('the tasks of a minute', () => {
  it('all run when one fails, and the failure is reported', async () => {
    const done: string[] = [];
    const task = (name: string, fails = false) => ({
      run: async () => {
        done.push(name);
        if (fails) throw new Error('no');
      },
    });
    await expect(minuteTasks([task('a'), task('b', true), task('c')], silentLogger).run()).rejects.toThrow(
      '1 of 3 timers failed',
    );
    expect(done).toEqual(['a', 'b', 'c']);
  });
});
