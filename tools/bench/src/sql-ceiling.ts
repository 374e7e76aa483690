import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment } from '@platform/runtime';
import type { Figures } from './bench.types';
import { percentiles } from './rounds';
import { askChild, forkScript } from './server-process';
import type { SqlJob, SqlResult } from './sql-load.types';

/** The embedded binaries lack pgbench; it comes with PostgreSQL's own packages. */
const pgbench: string | undefined = (environment.PATH ?? '')
  .split(':')
  .map((folder) => join(folder, 'pgbench'))
  .find((file) => existsSync(file));

/** Whether statements can be replayed that need texts of their own in each round. */
export const canReplayWrites = pgbench !== undefined;

export const ceilingNote = pgbench
  ? 'SQL alone: pgbench with the statements that the service sends for one request, recorded and replayed: prepared, over TCP, as many clients as connections.'
  : 'SQL alone: no pgbench on the PATH, so the `pg` driver in a process of its own replays the statements that the service sends for one request, prepared, as many connections; it costs more CPU than pgbench does.';

/** https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNECT-OPTIONS */
export const sessionOptions = ({ schema, settings }: Pick<SqlJob, 'schema' | 'settings'>): string =>
  Object.entries({ search_path: `${schema},public`, ...settings })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

const connectionSettings = (job: SqlJob): Record<string, string> => {
  const { hostname, port, username, password, pathname } = new URL(job.url);
  return {
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: pathname.slice(1),
    PGOPTIONS: sessionOptions(job),
  };
};

const LITERAL = /'(?:[^']|'')*'/g;
const VARIABLE = /(?<!:):(?!:|key\b)(?=\w)/g;

/** Two statements more in each round, which the service does not send; UUIDs are in the order of time, as services make them. */
const ownTexts = ({ uuids, texts }: NonNullable<SqlJob['own']>): string[] => {
  const made = Array.from(
    { length: uuids },
    (_, at) =>
      `'01a3' || lpad(to_hex((:run)::int), 4, '0') || '-0000-7000-8000-' || lpad(to_hex((:serial)::bigint * ${uuids} + ${at}), 12, '0') AS u${at}`,
  );
  return [
    '\\set round :round + 1',
    '\\set serial 1000000 * :client_id + :round',
    `SELECT ${made.join(', ')} \\gset`,
    `SELECT ${texts.map((text, at) => `${onOneLine(text)} AS t${at}`).join(', ')} \\gset`,
  ];
};

/** Splits a literal at its colons; in parentheses, because a cast may follow. */
const withoutVariables = (literal: string): string => {
  const text = literal.replaceAll(VARIABLE, "' || chr(58) || '");
  return text === literal ? literal : `(${text})`;
};

/**
 * pgbench ends a statement at a semicolon and takes every `:word` for a variable, even inside literals (a time format such as
 * HH24:MI). Comments may contain both, so they are removed.
 */
const onOneLine = (statement: string): string =>
  statement.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim().replaceAll(LITERAL, withoutVariables);

const asScript = ({ statements, keys, own }: SqlJob): string => {
  const lines = statements.map((statement) => `${onOneLine(statement)};`);
  return [`\\set key random(0, ${keys - 1})`, ...(own ? ownTexts(own) : []), ...lines, ''].join('\n');
};

/** Time to connect and to plan the statements; more connections take longer on the same cores. */
const warmUpSeconds = (connections: number): number => 1 + Math.ceil(connections / 16);

/** Milliseconds of each transaction in the last `seconds`, from pgbench's log: client, number, µs, script, second, µs. */
const latenciesIn = (folder: string, seconds: number): number[] => {
  const lines = readdirSync(folder)
    .filter((file) => file.startsWith('log.'))
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').trimEnd().split('\n'))
    .map((line) => line.split(' ').map(Number));
  const ends = lines.map(([, , , , second = 0, micros = 0]) => second + micros / 1e6);
  const from = ends.reduce((last, end) => Math.max(last, end), 0) - seconds;
  return lines.flatMap(([, , micros = 0], index) => ((ends[index] ?? 0) < from ? [] : [micros / 1000]));
};

/** Connecting and planning do not count: services did both at their start. */
const runPgbench = async (program: string, job: SqlJob, parent: string): Promise<Figures> => {
  const folder = mkdtempSync(join(parent, 'pgbench-'));
  const script = join(folder, 'script.sql');
  writeFileSync(script, asScript(job));
  const [threads, seconds] = [Math.min(2, job.connections), Math.ceil(job.seconds)];
  const log = ['-l', '--log-prefix', join(folder, 'log')];
  const lasting = ['-T', seconds + warmUpSeconds(job.connections)];
  const load = ['-M', 'prepared', '-c', job.connections, '-j', threads, ...lasting];
  // Clients count their own rounds; the second keeps runs apart
  const counting = job.own ? ['-D', 'round=0', '-D', `run=${Math.floor(Date.now() / 1000) % 65_536}`] : [];
  const child = spawn(program, ['-n', ...log, ...load, ...counting, '-f', script].map(String), {
    env: { PATH: environment.PATH, ...connectionSettings(job) },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0 || /number of failed transactions: [1-9]/.test(output))
    throw new Error(`pgbench failed:\n${output.slice(-2000)}`);
  const times = latenciesIn(folder, seconds);
  rmSync(folder, { recursive: true });
  return { 'requests/s': times.length / seconds, ...percentiles(times) };
};

const runDriver = async (job: SqlJob): Promise<Figures> => {
  const result = await askChild<SqlResult>(forkScript(['tools/bench/src/sql-load.child.ts'], {}, 'inherit'), job);
  const { rounds, seconds, p50, p99 } = result;
  return { 'requests/s': rounds / seconds, 'p50 ms': p50, 'p99 ms': p99 };
};

/** Measures the statements on the database alone, without the service. */
export const sqlCeiling = (job: SqlJob, folder: string): Promise<Figures> =>
  pgbench ? runPgbench(pgbench, job, folder) : runDriver(job);
