// Replaces pgbench where it is missing: the pg driver with named prepared statements, as the services use it.
import { openDatabase } from '@platform/data';
import { silentLogger } from '@platform/runtime';
import { percentiles } from './rounds';
import { byParameter, type SqlJob, type SqlResult } from './sql-load.types';

const GRACE_MS = 10_000;
/** PostgreSQL makes five custom plans of a prepared statement before it considers a generic one. */
const WARM_UP = 6;

const execute = async ({
  url,
  schema,
  connections,
  seconds,
  statements,
  keys,
  settings = {},
}: SqlJob): Promise<SqlResult> => {
  const database = openDatabase({ url, schema, logger: silentLogger });
  const lanes = database.aside({ name: 'bench', poolSize: connections, settings });
  const texts = statements.map(byParameter);
  let times: number[] = [];
  let end = 0;
  const once = async (): Promise<void> => {
    const begun = performance.now();
    const key = Math.floor(Math.random() * keys);
    for (const [at, { text, isKeyed }] of texts.entries())
      await lanes.prepared(`bench ${at}`, text, isKeyed ? [key] : []);
    times.push(performance.now() - begun);
  };
  const lane = async (): Promise<void> => {
    while (performance.now() < end) await once();
  };
  // Connect and plan, which services did at their start
  await Promise.all(Array.from({ length: connections * WARM_UP }, once));
  times = [];
  const begun = performance.now();
  end = begun + seconds * 1000;
  await Promise.all(Array.from({ length: connections }, lane));
  const took = (performance.now() - begun) / 1000;
  const figures = percentiles(times);
  const result = { rounds: times.length, seconds: took, p50: figures['p50 ms'], p99: figures['p99 ms'] };
  await lanes.stop?.();
  return result;
};

process.once('message', (job: SqlJob) => {
  setTimeout(() => process.exit(1), job.seconds * 1000 + GRACE_MS).unref();
  void execute(job).then((result) => process.send?.(result, () => process.disconnect()));
});
process.on('disconnect', () => process.exit(0));
