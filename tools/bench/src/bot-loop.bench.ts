import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { environment } from '@platform/runtime';
import type { Bench, Figures, Report } from './bench.types';
import { benchCluster } from './database';
import { startImage } from './image';
import { httpRequest, measureServer } from './load';
import type { LoadJob } from './load.types';
import { alternate, ratioOf, warmUp } from './rounds';
import { scratchFolder } from './scratch-folder';
import { runScript, startServer, type MeasuredServer } from './server-process';
import { tokenIssuer } from './token-issuer';
import { workspaceRoot } from './workspace';

const MAIN = 'apps/bot-engine/src/main.ts';
const SCHEMA = 'bot_engine';
const FOLDER = '.data/bench/agents';
const VERSIONS = {
  ai: '6.0.326',
  '@ai-sdk/openai-compatible': '2.0.92',
  '@langchain/langgraph': '1.7.3',
  '@langchain/openai': '1.5.8',
  '@langchain/core': '1.4.0',
  zod: '4.6.7',
};
const INSTALL = `npm install --prefix ${FOLDER} ${Object.entries(VERSIONS)
  .map(([name, version]) => `${name}@${version}`)
  .join(' ')}`;

/** So many that none of them reaches its limits of turns. */
const STORES = 1_000;
const KEY_WIDTH = 4;
const CONNECTIONS = [1, 32];
const ROUNDS = 3;
const SECONDS = 4;
const CPU = 'CPU µs/request';
/** The goals of the design (section 7) for a whole turn without window, with a model that answers at once. */
const GOAL = { cpuMs: 8, p99Ms: 50 };
/** Two tools and three calls of the model. */
const QUESTION = 'stok sepatu lari hitam';
const ANSWER = 'SKU-1: stok 7';

const SLOW_MS = 3_000;
const AT_ONCE = 200;
/** An agent that waits for further messages of a burst. */
const BURST = 'BURST';
/** Conversations that wait for them at once: below the places of a process. */
const BURSTS = 240;
const BURST_SECONDS = 2;
const MERGED = 'X-Bot-Status: merged';
const MERGED_MS = 15;
const MANY_TURNS = 10_000;
const MEGABYTE = 2 ** 20;

const checkInstalled = (): void => {
  for (const [name, version] of Object.entries(VERSIONS)) {
    const file = join(workspaceRoot, FOLDER, 'node_modules', name, 'package.json');
    const found = existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
    if (found !== version) throw new Error(`The libraries of the comparison are not installed: ${INSTALL}`);
  }
};

interface Scene {
  readonly model: MeasuredServer;
  readonly ours: Awaited<ReturnType<typeof startImage>>;
  readonly others: Readonly<Record<'fetch' | 'ai' | 'LangGraph', MeasuredServer>>;
  /** A question; `more` of its body differs from the others'. */
  readonly request: (message: string, more?: Readonly<Record<string, string>>) => string;
  /** Begins a burst in a conversation of its own. */
  readonly lead: (key: string) => Promise<unknown>;
}

/** Shops with one product each, an agent, one with a slow model, and one that waits for bursts. */
const seed = async (report: Report): Promise<void> => {
  const { admin } = await benchCluster(report);
  await admin.tx(async (tx) => {
    await tx.query(`SET LOCAL search_path = ${SCHEMA}, public`);
    await tx.query(
      `INSERT INTO bot_stores (store_id, name) SELECT lpad(n::text, ${KEY_WIDTH}, '0'), 'Toko ' || n FROM generate_series(0, ${STORES - 1}) n`,
    );
    await tx.query(
      `INSERT INTO bot_agents (store_id, id, name, prompt) SELECT store_id, 'A1', 'Nusa', 'Kamu adalah Nusa, asisten toko.' FROM bot_stores`,
    );
    await tx.query(
      `INSERT INTO bot_agents (store_id, id, name, prompt, model) SELECT store_id, 'SLOW', 'Nusa', 'Kamu adalah Nusa.', 'sandbox-slow-${SLOW_MS}' FROM bot_stores`,
    );
    await tx.query(
      `INSERT INTO bot_agents (store_id, id, name, prompt, window_ms) SELECT store_id, '${BURST}', 'Nusa', 'Kamu adalah Nusa.', 5000 FROM bot_stores`,
    );
    await tx.query(
      `INSERT INTO bot_catalogue (store_id, sku, product_id, variant_id, name, category, body, updated_at)
       SELECT store_id, 'SKU-1', 'P1', 'V1', 'Sepatu Lari Nusa Hitam', 'Sepatu', '', now() FROM bot_stores`,
    );
    await tx.query(
      `INSERT INTO bot_vocab (store_id, word) SELECT store_id, word FROM bot_stores, unnest('{sepatu,lari,nusa,hitam}'::text[]) word`,
    );
  });
  await admin.query('VACUUM ANALYZE');
};

const services = async (report: Report): Promise<Record<'model' | 'goods', MeasuredServer>> => {
  const { path } = await scratchFolder(report);
  const log = (name: string) => join(path, `${name}.log`);
  return {
    model: await report.shared('model', () =>
      startServer({ script: 'tools/sandboxes/llm/src/main.ts', readyPath: '/__sandbox/requests', log: log('model') }),
    ),
    goods: await report.shared('goods', () =>
      startServer({ ...script('goods', []), readyPath: '/ready', log: log('goods') }),
    ),
  };
};

const script = (name: string, args: readonly string[]) => ({
  script: `tools/bench/src/${name}.server.ts`,
  args: ['{port}', ...args],
});

const scene = async (report: Report): Promise<Scene> => {
  const { path } = await scratchFolder(report);
  const { url: issuer, serviceToken } = await tokenIssuer(report);
  const { model, goods } = await services(report);
  const at = { LLM_BASE_URL: `http://127.0.0.1:${model.port}/v1`, COMMERCE_URL: `http://127.0.0.1:${goods.port}` };
  const cluster = await benchCluster(report);
  const settings = {
    ...{ APP_ENV: 'development', DATABASE_URL: await cluster.provision(SCHEMA), STORE_AUTH_URL: issuer },
    ...{ SERVICE_CLIENT_SECRET: 'bench', BOT_WINDOW_MS: '0', STORE_DAY_CAP_USD: '1000', ...at },
    ...(environment.REDIS_URL ? { REDIS_URL: environment.REDIS_URL } : {}),
  };
  await runScript([MAIN, 'migrate'], settings, join(path, 'bot-migrate.log'));
  await seed(report);
  const ours = await report.shared('bot-engine', () =>
    startImage('bot-engine', { settings, log: join(path, 'bot-engine.log') }),
  );
  const other = (library: string) =>
    report.shared(`loop of ${library}`, () =>
      startServer({
        ...{ ...script('foreign-loop', [library]), readyPath: '/ready', log: join(path, `${library}.log`) },
        settings: { ...at, AGENTS_DIR: FOLDER },
      }),
    );
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${serviceToken('bot-engine')}` };
  const plain = { idUser: '{id}', idAgent: 'A1', idStore: '{key}', idMessage: '{id}', instanceID: 'dev1' };
  const request: Scene['request'] = (message, more) =>
    httpRequest('/api/chatbot-api', headers, JSON.stringify({ ...plain, message, ...more }), KEY_WIDTH);
  const lead = (key: string) =>
    fetch(`http://127.0.0.1:${ours.port}/api/chatbot-api`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        ...{ ...plain, idUser: key, idAgent: BURST, idStore: key },
        // Redis may still know those of an earlier run
        ...{ idMessage: randomUUID(), message: 'halo' },
      }),
    });
  const others = { fetch: await other('fetch'), ai: await other('ai'), LangGraph: await other('langgraph') };
  return { model, ours, others, request, lead };
};

type Job = Omit<LoadJob, 'port'>;
const jobOf = (request: string, connections: number, seconds: number, expects: string): Job => ({
  ...{ request, connections, seconds, expects, status: 201, keys: STORES, keyWidth: KEY_WIDTH },
});

const sideBySide = async (report: Report, { ours, others, request }: Scene): Promise<void> => {
  report.progress('warming up');
  for (const server of [ours, ...Object.values(others)])
    await warmUp(() => measureServer(server, jobOf(request(QUESTION), Math.max(...CONNECTIONS), SECONDS, ANSWER)));
  for (const connections of CONNECTIONS) {
    report.progress(`four loops, ${connections} connections`);
    const job = jobOf(request(QUESTION), connections, SECONDS, ANSWER);
    const found: Record<'bot-engine' | 'fetch alone' | 'ai 6' | 'LangGraph', Figures> = await alternate(
      {
        'bot-engine': () => measureServer(ours, job),
        'fetch alone': () => measureServer(others.fetch, job),
        'ai 6': () => measureServer(others.ai, job),
        LangGraph: () => measureServer(others.LangGraph, job),
      },
      ROUNDS,
    );
    report.table(`A turn of two tools and three calls of the model, ${connections} connections`, found);
    const { [CPU]: cpu = NaN, 'p99 ms': p99 = NaN } = found['bot-engine'];
    report.ratio(
      `cpu.${connections}`,
      cpu / 1e3 / GOAL.cpuMs,
      `CPU of a whole turn : ${GOAL.cpuMs} ms, ${connections} connections`,
    );
    if (connections === 1) report.ratio('p99', p99 / GOAL.p99Ms, `p99 of a turn : ${GOAL.p99Ms} ms, 1 connection`);
    const of = (name: keyof typeof found) => ratioOf(found['bot-engine'], found[name], CPU);
    report.ratio(
      `ai.${connections}`,
      of('ai 6'),
      `CPU of a whole turn : of the loop of ai 6, ${connections} connections`,
    );
    report.ratio(`langgraph.${connections}`, of('LangGraph'), `the same : LangGraph, ${connections} connections`);
    report.ratio(
      `fetch.${connections}`,
      of('fetch alone'),
      `the same : a loop of fetch alone, ${connections} connections`,
    );
  }
};

const slowModel = async (report: Report, { ours, request }: Scene): Promise<void> => {
  report.progress(`${AT_ONCE} conversations with a model of ${SLOW_MS / 1000} s`);
  const slow = request('halo', { idAgent: 'SLOW' });
  const found = await measureServer(ours, jobOf(slow, AT_ONCE, SLOW_MS / 1000, '"statusCode":201'));
  report.table(`${AT_ONCE} conversations at once, one call of a model of ${SLOW_MS} ms each`, { 'bot-engine': found });
  report.ratio('slow-model', (found['p99 ms'] ?? NaN) / SLOW_MS, 'p99 of a turn : the time of its model');
};

/** What a further message of a burst waits for: `merged`, while another request leads the turn. */
const merged = async (report: Report, { ours, request, lead }: Scene): Promise<void> => {
  report.progress(`${BURSTS} bursts`);
  const leaders = Array.from({ length: BURSTS }, (_, n) => lead(String(n).padStart(KEY_WIDTH, '0')));
  await setTimeout(1_000);
  const follower = request('halo', { idAgent: BURST, idUser: '{key}' });
  const found = await measureServer(ours, { ...jobOf(follower, 1, BURST_SECONDS, MERGED), keys: BURSTS });
  report.table('A further message of a burst, 1 connection', { 'bot-engine': found });
  report.ratio('merged', (found['p99 ms'] ?? NaN) / MERGED_MS, `p99 of a merged message : ${MERGED_MS} ms`);
  await Promise.all(leaders);
};

const memory = async (report: Report, { ours, request }: Scene): Promise<void> => {
  report.progress(`${MANY_TURNS.toLocaleString('en-US')} turns for the memory`);
  let turns = 0;
  while (turns < MANY_TURNS) {
    const found = await measureServer(ours, jobOf(request(QUESTION), 8, 10, ANSWER));
    turns += (found['requests/s'] ?? 0) * 10;
  }
  const megabytes = (await ours.residentBytes()) / MEGABYTE;
  report.ratio('memory', megabytes / 250, `resident memory after ${MANY_TURNS.toLocaleString('en-US')} turns : 250 MB`);
};

/** What a turn costs beside the same loop of other libraries; theirs has no mailbox, no database, no guard and no log. */
export const bench: Bench = {
  name: 'bot-loop',
  onlyNamed: `it needs other agent libraries: ${INSTALL}`,
  run: async (report) => {
    checkInstalled();
    const made = await scene(report);
    await sideBySide(report, made);
    await merged(report, made);
    await slowModel(report, made);
    await memory(report, made);
    report.note(
      `bot-engine ${environment.REDIS_URL ? 'with' : 'without'} Redis, on PostgreSQL with every commit flushed, window 0; model, shop and load generator on the same cores.`,
    );
    report.note('bot-engine is the bundle of its image; the other loops are small servers of this bench.');
  },
};
