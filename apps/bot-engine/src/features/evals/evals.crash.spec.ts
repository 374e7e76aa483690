import { uuidv7 } from '@platform/runtime';
import { startLlmSandbox, startProgram, until, useDatabase, useRunning } from '@platform/testing';
import { internalCalls, seed, TABLES } from '../../app.fixture';
import { startStoreAuth } from '../../clients/store-auth.fixture';
import type { EvalRunView } from './eval.dto';

const database = useDatabase(TABLES);
const llm = useRunning(() => startLlmSandbox({ port: 0 }));
const storeAuth = useRunning(startStoreAuth);
beforeAll(() => seed(database.url));

const start = () =>
  startProgram({
    main: 'apps/bot-engine/src/main.ts',
    env: {
      ...{ APP_ENV: 'test', PORT: '0', HOST: '127.0.0.1', DATABASE_URL: database.url },
      ...{ STORE_AUTH_URL: storeAuth.url, SERVICE_CLIENT_SECRET: 'test', LLM_BASE_URL: `${llm.url}/v1` },
    },
  });
const dataOf = <T>({ body }: { body: unknown }): T => (body as { data: T }).data;

it('an evaluation whose process is killed goes on in the next one, ends, and has every case and its cost once', async () => {
  const first = await start();
  const before = internalCalls(first);
  const agent = uuidv7();
  await before('POST', '/agents', { id: agent, name: 'E', prompt: 'p', model: 'sandbox-slow-300' });
  const cases = Array.from({ length: 6 }, (_, n) => ({ id: uuidv7(), name: `case ${n}`, lines: ['halo'], expect: {} }));
  for (const one of cases) await before('POST', '/evals', { ...one, agent_id: agent });
  const { id } = dataOf<EvalRunView>(await before('POST', '/evals/run', { agent_id: agent }));
  const playedBy = async (ask: typeof before) => dataOf<EvalRunView>(await ask('GET', `/evals/runs/${id}`));
  await until(
    () => playedBy(before),
    (run) => run.cases.length >= 2,
  );
  expect(await first.stop('SIGKILL')).toBeNull();
  const second = await start();
  const run = await until(
    () => playedBy(internalCalls(second)),
    ({ status }) => status === 'done' || status === 'failed',
  );
  await second.stop();
  expect(run).toMatchObject({ status: 'done', passed: 6, total: 6 });
  expect(run.cases.map((one) => one.id)).toEqual(cases.map((one) => one.id));
  const logged = await database.query('SELECT 1 FROM llm_requests WHERE run_id = $1', [id]);
  expect(logged).toHaveLength(6);
});
