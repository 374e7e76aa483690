import { Housekeeping } from '@platform/data';
import { silentLogger, systemClock, uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain, fill, until, vacuumed } from '@platform/testing';
import { internalCalls, useBot } from '../../app.fixture';
import { seedRun } from '../runs/runs.fixture';
import { expiries } from './retention';
import { RunTexts } from './run.texts';

const { database, bot } = useBot();

const DAY_MS = 86_400_000;
const KEPT = { KEEP_MESSAGES_DAYS: 180, KEEP_STEPS_DAYS: 30, KEEP_REQUESTS_DAYS: 396, KEEP_TESTS_DAYS: 90 };
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
const options = { clock: systemClock, logger: silentLogger };
const sweep = async () => {
  await new Housekeeping(bot.database, { ...options, expired: expiries(KEPT) }).sweep();
  await new RunTexts(bot.database, { ...options, inputDays: 30, answerDays: 180 }).sweep();
};

/** Of each age, how many rows are left of what one turn leaves, and what they say. */
const leftOf = async (store: string) => {
  const [left] = await database.query<Record<string, unknown>>(
    `SELECT (SELECT count(*)::int FROM bot_messages WHERE store_id = $1) AS messages,
       (SELECT count(*)::int FROM bot_run_steps WHERE store_id = $1) AS steps,
       (SELECT count(*)::int FROM llm_requests WHERE store_id = $1) AS requests,
       (SELECT count(*)::int FROM bot_runs WHERE store_id = $1) AS runs,
       (SELECT count(*)::int FROM bot_runs WHERE store_id = $1 AND input IS NOT NULL) AS inputs,
       (SELECT string_agg(reply ->> 'answer', '') FROM bot_runs WHERE store_id = $1) AS answers`,
    [store],
  );
  return left;
};

it('of a turn its input and steps go after 30 days, its texts after 180, its numbers after 13 months', async () => {
  const ages = [29, 31, 179, 181, 395, 397];
  for (const days of ages) await seedRun(database, { store: `R${days}`, at: daysAgo(days), answer: ['Satu.', 'Dua.'] });
  await sweep();
  await sweep();
  const all = { messages: 2, steps: 1, requests: 1, runs: 1, inputs: 1, answers: '["Satu.", "Dua."]' };
  const noInput = { ...all, steps: 0, inputs: 0 };
  const noText = { ...noInput, messages: 0, answers: '["", ""]' };
  const nothing = { ...noText, requests: 0, runs: 0, answers: null };
  expect(await Promise.all(ages.map((days) => leftOf(`R${days}`)))).toEqual([
    ...[all, noInput, noInput],
    ...[noText, noText, nothing],
  ]);
});

it('a turn whose texts are gone still counts as a reply, and its run says so many bubbles of nothing', async () => {
  await database.query(`INSERT INTO bot_stores (store_id, name) VALUES ('R', 'R')`);
  const id = await seedRun(database, { store: 'R', at: daysAgo(200), answer: ['Satu.'] });
  await sweep();
  const [from, to] = [daysAgo(201).slice(0, 10), daysAgo(199).slice(0, 10)];
  const { body } = await internalCalls(bot, 'R')('GET', `/usage?from=${from}&to=${to}`);
  expect(body).toMatchObject({ data: { replies: 1, cost_micros: 100 } });
  expect((await internalCalls(bot, 'R')('GET', `/runs/${id}`)).body).toMatchObject({
    data: { lines: [], steps: [], answer: [''], images: [] },
  });
});

it('test sessions and evaluations go after 90 days, cases stay', async () => {
  const session = `INSERT INTO bot_test_sessions (store_id, id, agent_id, title, prompt, updated_at) VALUES ('R0', $1, 'A', 't', 'p', $2)`;
  const run = `INSERT INTO bot_eval_runs (store_id, id, agent_id, version, model, status, wish, created_at)
    VALUES ('R0', $1, 'A', 1, 'm', 'done', '{}', $2)`;
  for (const days of [89, 91])
    for (const insert of [session, run]) await database.query(insert, [uuidv7(), daysAgo(days)]);
  await database.query(
    `INSERT INTO bot_eval_cases (store_id, id, agent_id, name, lines, expect, created_from, created_at)
     VALUES ('R0', $1, 'A', 'n', '[]', '{}', 'x', $2)`,
    [uuidv7(), daysAgo(1_000)],
  );
  await sweep();
  const tables = ['bot_test_sessions', 'bot_eval_runs', 'bot_eval_cases'];
  const counts = tables.map(async (table) => {
    const rows = await database.query(`SELECT 1 FROM ${table} WHERE store_id = 'R0'`);
    return rows.length;
  });
  expect(await Promise.all(counts)).toEqual([1, 1, 1]);
});

it.each(expiries(KEPT).map(({ table, column }) => [table, column]))(
  'what is old in %s is found by an index',
  async (table, column) => {
    expectNoSeqScan(await explain(bot.database, `SELECT ctid FROM ${table} WHERE ${column} < now() LIMIT 10`), table);
  },
);

it('texts of old runs are looked for where some are left, not among all old runs', async () => {
  const [run] = await database.query<{ id: string }>('SELECT id FROM bot_runs WHERE id = $1', [
    await seedRun(database, {}),
  ]);
  await fill(
    database,
    [
      `INSERT INTO bot_runs (store_id, id, conv_id, status, reply, tokens_in, tokens_out, cost_micros, ms_queue, ms_model, ms_total, agent_version, created_at, input)
     SELECT store_id, uuidv7(), conv_id, status, reply, 0, 0, 0, 0, 0, 0, 1, now() - n * interval '5 minutes', CASE WHEN n < 8000 THEN '{}'::jsonb END
     FROM bot_runs CROSS JOIN generate_series(1, 40000) n WHERE id = $1 ORDER BY n * 7919::bigint % 40000`,
    ],
    [run?.id],
  );
  await vacuumed(database, 'bot_runs');
  const query = jest.spyOn(bot.database, 'query');
  await new RunTexts(bot.database, { ...options, inputDays: 30, answerDays: 10_000 }).sweep();
  const [[text, values] = ['']] = query.mock.calls;
  query.mockRestore();
  expect(JSON.stringify(await bot.database.query(`EXPLAIN ${text}`, values))).toContain('bot_runs_inputs');
});

it('texts of runs stay by a clock that is a year ahead of the database', async () => {
  const id = await seedRun(database);
  const error = jest.fn();
  const clock = { now: () => new Date(Date.now() + 365 * DAY_MS) };
  const texts = { clock, logger: { ...silentLogger, error }, inputDays: 30, answerDays: 180 };
  jest.useFakeTimers({ doNotFake: ['Date', 'setTimeout', 'setImmediate', 'nextTick', 'queueMicrotask'] });
  const kept = new RunTexts(bot.database, texts);
  await kept.start();
  jest.advanceTimersByTime(10 * 60_000);
  await kept.stop();
  jest.useRealTimers();
  const left = () => database.query('SELECT 1 FROM bot_runs WHERE id = $1 AND input IS NOT NULL', [id]);
  await until(async () => error.mock.calls.length > 0 || (await left()).length === 0);
  expect(await left()).toHaveLength(1);
});
