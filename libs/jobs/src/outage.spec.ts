import { openDatabase } from '@platform/data';
import { silentLogger } from '@platform/runtime';
import { startGate, until, type Gate } from '@platform/testing';
import { useJobs } from './jobs.fixture';

const heartbeat = { everySeconds: 0.2, silentSeconds: 1 };
const { database, work, jobs, reopen } = useJobs();

const runners = [
  { name: 'many', tasks: ['slow' as const], concurrency: 20, share: { by: 'storeId' as const, most: 5 } },
];
const JOBS = Array.from({ length: 60 }, (_, n) => `store ${n % 3}`);
const waiting = () => database.query('SELECT id, attempts, locked_by, last_error FROM shop_jobs._private_jobs');

it.each<[string, (gate: Gate) => Promise<void> | void, (gate: Gate) => Promise<void> | void]>([
  ['was away', (gate) => gate.close(), (gate) => gate.open()],
  ['said nothing', (gate) => gate.hang(true), (gate) => gate.hang(false)],
])('every job is done when the database is back that %s while some ran', async (_, goes, comes) => {
  const gate = await startGate(database.url);
  const through = openDatabase({ url: gate.url, schema: 'shop', logger: silentLogger, silenceMs: 1_000 });
  let letGo: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => (letGo = resolve));
  let begun = 0;
  work.slow = async () => {
    begun += 1;
    await gone;
  };
  reopen({ database: through, heartbeat, runners });
  await jobs.start?.();
  await database.tx(async (tx) => {
    for (const text of JOBS) await jobs.enqueue(tx, 'slow', { text, storeId: text });
  });
  await until(() => begun >= 5);
  await goes(gate);
  letGo();
  const isIll = () =>
    jobs.check?.().then(
      () => false,
      () => true,
    );
  await until(isIll);
  await comes(gate);
  await until(waiting, ({ length }) => length === 0);
  expect([begun >= JOBS.length, await until(isIll, (ill) => !ill)]).toEqual([true, false]);
  await jobs.stop?.();
  await through.stop?.();
  await gate.close();
});
