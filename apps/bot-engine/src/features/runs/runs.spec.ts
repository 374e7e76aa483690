import { uuidv7 } from '@platform/runtime';
import { explain } from '@platform/testing';
import { internalCalls, useBot } from '../../app.fixture';
import { runListing } from './run.repository';
import { seedRun, STEP_CALL, STEP_RESULT } from './runs.fixture';

const { database, bot } = useBot();
const s1 = () => internalCalls(bot);

const AT = '2026-03-01T03:00:00.000Z';
const NOT_FOUND = { status: 404, body: { status: 'error', message: 'run not found', code: 'not_found' } };

it('a run is told step by step, with what its models cost', async () => {
  const id = await seedRun(database, { chat: 'S1.c1', at: AT, costs: [100, null] });
  const attempt = { provider: 'openai', model: 'm', status: 'ok', tokens_in: 10, tokens_cached: 0, tokens_out: 5 };
  const { tool, args } = STEP_CALL;
  const { result, ms } = STEP_RESULT;
  const answer = await s1()('GET', `/runs/${id}`);
  const { attempts, ...run } = (answer.body as { data: { attempts: object[] } }).data;
  expect([answer.status, run]).toEqual([
    200,
    {
      ...{ id, agent_id: 'A1', chat_id: 'S1.c1', status: 'done', cost_micros: 100, ms: 100, agent_version: 3 },
      ...{ created_at: AT, lines: ['stok A ada?'], steps: [{ tool, args, result, ms }], sources: ['doc-1#2'] },
      ...{ answer: ['Ada kak.'], images: [] },
    },
  ]);
  const bought = { ...attempt, ms: 7, http_status: 200 };
  expect(attempts).toHaveLength(2);
  expect(attempts).toEqual(
    expect.arrayContaining([
      { ...bought, cost_micros: 100 },
      { ...bought, cost_micros: null },
    ]),
  );
});

it('a run whose input is no longer kept tells the lines of its conversation, and cannot be replayed', async () => {
  const id = await seedRun(database, { input: null });
  expect((await s1()('GET', `/runs/${id}`)).body).toMatchObject({ data: { lines: ['stok A ada?'] } });
  expect(await s1()('POST', `/runs/${id}/replay`, {})).toEqual({
    status: 410,
    body: { status: 'error', message: 'what this run was given is no longer kept', code: 'record_over' },
  });
});

it('runs are listed newest first, in pages, by agent, chat and status', async () => {
  const ids: string[] = [];
  for (let n = 1; n <= 5; n += 1)
    ids.unshift(
      await seedRun(database, {
        ...{ store: 'S5', agent: n % 2 ? 'odd' : 'even', chat: `S5.${n}`, at: `2026-03-0${n}T00:00:00Z` },
        status: n === 5 ? 'fallback' : 'done',
      }),
    );
  const list = async (query: string) => {
    const { data, meta } = (await internalCalls(bot, 'S5')('GET', `/runs${query}`)).body as {
      data: { id: string }[];
      meta: { next_cursor: string | null };
    };
    return { ids: data.map(({ id }) => id), next: meta.next_cursor };
  };
  const first = await list('?limit=2');
  const second = await list(`?limit=2&cursor=${first.next}`);
  const third = await list(`?limit=2&cursor=${second.next}`);
  expect([first.ids, second.ids, third]).toEqual([ids.slice(0, 2), ids.slice(2, 4), { ids: ids.slice(4), next: null }]);
  expect((await list('?agent_id=even')).ids).toEqual([ids[1], ids[3]]);
  expect((await list('?chat_id=S5.3')).ids).toEqual([ids[2]]);
  expect((await list('?status=fallback')).ids).toEqual([ids[0]]);
});

it('runs are not found by an agent or a chat that only another store has, under the same id of a conversation', async () => {
  await seedRun(database, { store: 'S6', agent: 'own', chat: 'S6.own' });
  await database.query(
    `INSERT INTO bot_conversations (store_id, id, agent_id, id_user, conv_key, chat_id)
     SELECT 'S7', id, 'theirs', id_user, conv_key, 'S7.theirs' FROM bot_conversations WHERE store_id = 'S6'`,
  );
  const found = async (query: string) =>
    ((await internalCalls(bot, 'S6')('GET', `/runs?${query}`)).body as { data: object[] }).data.length;
  const asked = ['agent_id=own', 'chat_id=S6.own', 'agent_id=theirs', 'chat_id=S7.theirs'];
  expect(await Promise.all(asked.map(found))).toEqual([1, 1, 0, 0]);
});

it('runs of a status that few have are sought by it, and who asks for an agent or a chat has a plan for these', async () => {
  const { rows, count } = runListing.statements('S1', { status: 'fallback' });
  expect(JSON.stringify(await explain(database, rows.text, rows.values))).toContain('bot_runs_unusual');
  const named = [{ agent_id: 'A1' }, { chat_id: 'S1.c1' }].flatMap((query) => {
    const asked = runListing.statements('S1', query);
    return [asked.rows.name, asked.count.name];
  });
  expect([rows.name, count.name, ...named].filter((name) => name !== undefined)).toEqual([]);
});

it("another store's run, an unknown one and no id at all are the same 404", async () => {
  const id = await seedRun(database, { store: 'S2' });
  for (const asked of [id, uuidv7(), 'x'])
    expect([await s1()('GET', `/runs/${asked}`), await s1()('POST', `/runs/${asked}/replay`, {})]).toEqual([
      NOT_FOUND,
      NOT_FOUND,
    ]);
});
