import type { Bench, Figures, Report } from './bench.types';
import { countStatements } from './database';
import { runPipeline, type PipelineRun } from './gateway-pipeline';
import { faults, type Fault } from './gateway-receiver';
import { rules, type Rule } from './gateway-rules.types';
import { emptied, gatewayDatabase, SCHEMA, startGateway } from './gateway.surroundings';
import { httpRequest, measureServer, offerLoad } from './load';
import type { LoadJob } from './load.types';

const EVENTS = 10_000;
/** Fewer events in paced runs, because there are many of those. */
const PACED_EVENTS = 2_000;
const CHATS = 200;
const PACE = 250;
const KEY_WIDTH = 7;
const PHONES = 2_000;
const GOAL = 1_000;

const named = (rule: Rule): string => (rule === 'ours' ? 'ours' : `${rule} (re-implemented)`);

/** One rule against one fault on an empty database. */
const measured = async (report: Report, run: Omit<PipelineRun, 'chats' | 'database'>): Promise<Figures> => {
  const database = await gatewayDatabase(report);
  await emptied(database);
  report.progress(`${run.fault}: ${run.rule}`);
  return runPipeline({ chats: CHATS, database: database.url, ...run });
};

const tableOf = async (report: Report, fault: Fault): Promise<Figures> => {
  const events = PACED_EVENTS;
  const rows: Record<string, Figures> = {};
  for (const rule of rules) rows[named(rule)] = await measured(report, { rule, fault, events, pace: PACE });
  report.table(`Fault: ${fault}; ${events.toLocaleString('en-US')} events over ${CHATS} chats, ${PACE} a second`, rows);
  return rows.ours ?? {};
};

const pipeline = async (report: Report): Promise<void> => {
  const flood = await measured(report, { rule: 'ours', fault: 'none', events: EVENTS });
  report.table(`Ours, ${EVENTS.toLocaleString('en-US')} events over ${CHATS} chats as fast as they are taken`, {
    ours: flood,
  });
  report.ratio('rate', (flood['events/s'] ?? 0) / GOAL, `events per second, stored and delivered : ${GOAL}`);
  const ours = [flood];
  for (const fault of faults) ours.push(await tableOf(report, fault));
  const sum = (figure: string) => ours.reduce((total, figures) => total + (figures[figure] ?? 0), 0);
  report.ratio('lost', sum('lost'), 'events lost by ours, all runs together');
  report.ratio('reordered', sum('out of order'), 'events out of order by ours, all runs together');
  report.note(
    'Times of the rules and of the faults are a twentieth of the real ones: 60 s are 3 s, 2 s are 0.1 s, 5 s are 0.25 s.',
  );
  report.note(
    'Ours is the gateway’s own statement, outbox and delivery in a process of its own, PostgreSQL with fsync on. The other three keep events in memory: fire and forget; 10 tries, 5 s doubling; 10 parallel with 3 retries. They are re-implemented from what such projects publish, and labelled so; no product was measured.',
  );
  report.note(
    'The source hands an event over again after a crash unless it was taken, as WhatsApp does: ours takes it with the commit, the others at once.',
  );
  report.note(
    'Lost and out of order exclude the chat that always fails; ours keeps its events and would deliver them.',
  );
};

const jobOf = (connections: number, seconds: number): Omit<LoadJob, 'port'> => {
  const data = { instanceID: 'bench', number: '62812{key}', text: 'Halo kak, pesanannya sudah dikirim ya' };
  const body = JSON.stringify({ pesan_id: '{id}', role: 'agent', data });
  const request = httpRequest('/api/send-message', { 'Content-Type': 'application/json' }, body, KEY_WIDTH);
  return { connections, seconds, request, keys: PHONES, keyWidth: KEY_WIDTH, expects: '"delivery":"engine"' };
};

const sends = async (report: Report): Promise<void> => {
  const server = await startGateway(report, PHONES, KEY_WIDTH);
  const { cluster } = await gatewayDatabase(report);
  report.progress('send-message');
  await offerLoad({ ...jobOf(8, 1), port: server.port });
  const figures = await measureServer(server, jobOf(50, 4));
  report.table('POST /api/send-message on the simulator, 50 connections', { 'wa-gateway': figures });
  report.ratio('sends', (figures['requests/s'] ?? 0) / GOAL, `accepted sends per second : ${GOAL}`);
  report.ratio('sends-p99', (figures['p99 ms'] ?? 0) / 100, 'p99 of an accepted send : 100 ms');
  let requests = 0;
  const statements = await countStatements(cluster.admin, SCHEMA, async () => {
    requests = (await offerLoad({ ...jobOf(1, 0.5), port: server.port })).requests;
  });
  report.note(
    `An accepted send is stored with its callback, which is delivered meanwhile; the device sends at the pace of its settings. ${(statements / requests).toFixed(1)} statements per send at one connection, all of that included.`,
  );
};

/** What becomes of callbacks under faults, and what an accepted send costs: wa-gateway design 7, A and C. */
export const bench: Bench = {
  name: 'gateway',
  run: async (report) => {
    await pipeline(report);
    await sends(report);
  },
};
