import { expectNoSeqScan, explain, type Plan } from '@platform/testing';
import { SERVICE } from '../../chat.fixture';
import { startLifecycle, type Lifecycle } from '../lifecycle/lifecycle.fixture';
import { STATS } from './stats.sql';

let chat: Lifecycle;
let token: string;
beforeAll(async () => {
  chat = await startLifecycle();
  token = chat.tokens.tokenFor(SERVICE);
  await chat.database.query(`DELETE FROM users WHERE user_id LIKE 'agent-%'`);
});
afterAll(() => chat.stop());

const stats = async (query: string, as = token) =>
  (await chat.call(`/internal/stats?store_id=S1&${query}`, { token: as })).body;

/** Everything there is happened at this time, one second of the store's 5 November before midnight and later. */
const at = async (ref: { nohp: string }, begun: string, answered: string) => {
  await chat.database.query(
    `UPDATE chat_histories h SET waktu = $2 FROM conversations c WHERE c.nohp = $1 AND h.conversation_id = c.id`,
    [ref.nohp, begun],
  );
  await chat.database.query(
    `UPDATE messages m SET waktu = CASE WHEN m.from_me THEN $3 ELSE $2 END::timestamptz FROM conversations c WHERE c.nohp = $1 AND m.conversation_id = c.id`,
    [ref.nohp, begun, answered],
  );
};

describe('the figures of a store', () => {
  it('count what happened on the days by the clock of the store, per agent too', async () => {
    const [first, second, later, idle] = [
      await chat.newChat(),
      await chat.newChat(),
      await chat.newChat(),
      await chat.newChat(),
    ];
    for (const ref of [first, second, later]) await chat.as(chat.people.rina, 'send_message', { ...ref, pesan: 'hai' });
    await chat.as(chat.people.rina, 'chat_finish', second);
    await at(first, '2026-11-05T16:58:00Z', '2026-11-05T16:58:30Z');
    await at(second, '2026-11-05T16:59:00Z', '2026-11-05T16:59:10Z');
    await at(later, '2026-11-05T17:00:00Z', '2026-11-05T17:01:00Z');
    await at(idle, '2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z');
    const agent = (user_id: string, user_nama: string, more: object = {}) => ({
      user_id,
      user_nama,
      load: 0,
      handled: 0,
      finished: 0,
      median_first_response: null,
      ...more,
    });
    const others = [agent('u-siti', 'Siti'), agent('u-tono', 'Tono')];
    expect(await stats('from=2026-11-05&to=2026-11-05')).toEqual({
      result: true,
      message: 'success',
      data: {
        chats_opened: 2,
        messages_in: 2,
        messages_out: 2,
        waiting: 1,
        agents: [
          agent('u-boss', 'Boss'),
          agent('u-rina', 'Rina', { load: 2, handled: 2, finished: 1, median_first_response: 20 }),
          ...others,
        ],
      },
    });
    expect(await stats('from=2026-11-01&to=2026-11-06')).toMatchObject({
      data: { chats_opened: 4, messages_in: 4, messages_out: 3, agents: [{}, { handled: 3 }, {}, {}] },
    });
    expect(await stats('from=2026-11-07&to=2026-11-08')).toMatchObject({
      data: { chats_opened: 0, messages_in: 0, waiting: 1, agents: [{}, { load: 2, handled: 0 }, {}, {}] },
    });
  });

  it.each([
    ['from=2026-11-05&to=2026-11-04', { field: 'to', tag: 'gtefield' }],
    ['from=2025-11-01&to=2026-11-04', { field: 'to', tag: 'max' }],
    ['from=05-11-2026&to=2026-11-04', { field: 'from', tag: 'datetime' }],
    ['to=2026-11-04', { field: 'from', tag: 'required' }],
  ])('are refused for %s', async (query, violation) =>
    expect(await stats(query)).toMatchObject({ errors: [violation] }),
  );

  it("are those of the token's store alone, and refused to people", async () => {
    const span = 'from=2026-11-05&to=2026-11-05';
    expect(await stats(span, chat.tokens.tokenFor({ ...SERVICE, store_id: 'S2' }))).toMatchObject({
      code: 'forbidden',
    });
    expect(await stats(span, chat.people.boss)).toEqual({ status: 'error', message: 'Unauthenticated' });
    const other = await chat.call(`/internal/stats?store_id=S2&${span}`, { token });
    expect(other.body).toMatchObject({ data: { chats_opened: 0, messages_in: 0, waiting: 0 } });
  });

  it('read the events once for all agents, not once for each', async () => {
    const plan = await explain(chat.database, STATS, ['S1', '2026-11-05', '2026-11-05']);
    const within = (node: Plan): Plan[] => [node, ...(node.Plans ?? []).flatMap(within)];
    const perRow = within(plan).filter(
      (node) => 'Parent Relationship' in node && node['Parent Relationship'] === 'SubPlan',
    );
    expect(perRow.flatMap(within).filter((node) => node['Node Type'] === 'CTE Scan')).toEqual([]);
  });

  it('scan neither messages nor conversations from end to end', async () =>
    expectNoSeqScan(
      await explain(chat.database, STATS, ['S1', '2026-11-05', '2026-11-05']),
      'messages',
      'conversations',
      'chat_histories',
    ));
});
