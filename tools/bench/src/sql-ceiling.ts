import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment } from '@platform/runtime';
import type { Figures } from './bench.types';
import { askChild, forkScript } from './server-process';
import type { SqlJob, SqlResult } from './sql-load.types';

/** pgbench is no part of the embedded binaries; a machine with PostgreSQL's own packages has it. */
const pgbench: string | undefined = (environment.PATH ?? '')
  .split(':')
  .map((folder) => join(folder, 'pgbench'))
  .find((file) => existsSync(file));

export const ceilingNote = pgbench
  ? 'SQL alone: pgbench with the statements that the service sends for one request, recorded and replayed: prepared, over TCP, as many clients as connections.'
  : 'SQL alone: no pgbench on the PATH, so the `pg` driver in a process of its own replays the statements that the service sends for one request, prepared, as many connections; it costs more CPU than pgbench does.';

const connectionSettings = (job: SqlJob): Record<string, string> => {
  const { hostname, port, username, password, pathname } = new URL(job.url);
  return {
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: pathname.slice(1),
    PGOPTIONS: `-c search_path=${job.schema},public`,
  };
};

/**
 * pgbench ends a statement at a semicolon and takes every `:word` for a variable, inside quoted text too (a time format such
 * as HH24:MI); comments could hold either.
 */
const asScript = ({ statements, keys }: SqlJob): string => {
  const lines = statements.map((statement) => {
    const bare = statement.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim();
    return `${bare.replaceAll(/(?<!:):(?!:|key\b)(?=\w)/g, "' || chr(58) || '")};`;
  });
  return [`\\set key random(0, ${keys - 1})`, ...lines, ''].join('\n');
};

/**
 * Connects and plans for a second first, which services did when they started: only the seconds after it count (pgbench's
 * progress lines, one per second).
 */
const runPgbench = async (program: string, job: SqlJob, folder: string): Promise<Figures> => {
  const script = join(folder, 'pgbench.sql');
  writeFileSync(script, asScript(job));
  const threads = Math.min(2, job.connections);
  const duration = Math.ceil(job.seconds) + 1;
  const options = ['-n', '-P', 1, '-M', 'prepared', '-c', job.connections, '-j', threads, '-T', duration, '-f', script];
  const child = spawn(program, options.map(String), { env: { PATH: environment.PATH, ...connectionSettings(job) } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const [code] = (await once(child, 'exit')) as [number | null];
  const rates = [...output.matchAll(/^progress: [\d.]+ s, ([\d.]+) tps/gm)].map(([, rate]) => Number(rate)).slice(1);
  if (code !== 0 || rates.length === 0 || /number of failed transactions: [1-9]/.test(output))
    throw new Error(`pgbench failed:\n${output.slice(-2000)}`);
  return { 'requests/s': rates.reduce((sum, rate) => sum + rate, 0) / rates.length };
};

const runDriver = async (job: SqlJob): Promise<Figures> => {
  const result = await askChild<SqlResult>(forkScript(['tools/bench/src/sql-load.child.ts'], {}, 'inherit'), job);
  return { 'requests/s': result.rounds / result.seconds };
};

/** What the database does with the statements alone, without anything of ours before it. */
export const sqlCeiling = (job: SqlJob, folder: string): Promise<Figures> =>
  pgbench ? runPgbench(pgbench, job, folder) : runDriver(job);
