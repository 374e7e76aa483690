import { openDatabase } from '@platform/data';
import { silentLogger, type Logger } from '@platform/runtime';
import { until } from '@platform/testing';
import { SCHEMA, useJobs } from './jobs.fixture';

const heartbeat = { everySeconds: 0.1, silentSeconds: 1 };
const { database, work, jobs, reopen } = useJobs();

describe('a job that is locked by a living worker', () => {
  it('is done when the worker never had it, and the log says so', async () => {
    const told: unknown[] = [];
    const warn = (...line: unknown[]) => void told.push(line);
    const logger: Logger = { ...silentLogger, warn, child: () => logger };
    reopen({ heartbeat, logger });
    await jobs.start?.();
    // As a taking whose answer was lost leaves it
    await database.tx(async (tx) => {
      await jobs.enqueue(tx, 'note', { text: 'lost' });
      await tx.query(`UPDATE ${SCHEMA}._private_jobs SET attempts = 1, locked_at = now() - interval '121 seconds',
        locked_by = (SELECT max(worker) FROM ${SCHEMA}.worker_heartbeat)`);
    });
    await until(() => work.notes.length === 1);
    await jobs.stop?.();
    expect([work.notes, work.attempts]).toEqual([['lost'], [1]]);
    const line = { runner: 'main', jobs: [expect.any(String)] };
    expect(told).toEqual([['jobs whose taking was never answered were released', line]]);
  });

  it('is gone when it was overtaken meanwhile: the newer one does what it was to do', async () => {
    reopen({ heartbeat });
    await jobs.start?.();
    await database.tx(async (tx) => {
      await jobs.enqueue(tx, 'note', { text: 'lost' }, { key: 'k' });
      await tx.query(`UPDATE ${SCHEMA}._private_jobs SET attempts = 1, locked_at = now() - interval '121 seconds',
        locked_by = (SELECT max(worker) FROM ${SCHEMA}.worker_heartbeat)`);
      await jobs.enqueue(tx, 'note', { text: 'newer' }, { key: 'k' });
    });
    await until(async () => (await database.query(`SELECT 1 FROM ${SCHEMA}._private_jobs`)).length === 0);
    await jobs.stop?.();
    expect(work.notes).toEqual(['newer']);
  });

  it('is left alone while its taking may still be answered', async () => {
    reopen({ heartbeat });
    await jobs.start?.();
    await database.tx(async (tx) => {
      await jobs.enqueue(tx, 'note', { text: 'under way' });
      await tx.query(`UPDATE ${SCHEMA}._private_jobs SET attempts = 1, locked_at = now() - interval '60 seconds',
        locked_by = (SELECT max(worker) FROM ${SCHEMA}.worker_heartbeat)`);
      await jobs.enqueue(tx, 'note', { text: 'another' });
    });
    await until(() => work.notes.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await jobs.stop?.();
    expect(work.notes).toEqual(['another']);
  });

  it('runs once, however long it takes', async () => {
    const hurried = openDatabase({ url: database.url, schema: 'shop', logger: silentLogger, silenceMs: 1_000 });
    // Longer than the answer to its taking could be on its way
    const old = `SELECT 1 FROM ${SCHEMA}._private_jobs WHERE locked_at < now() - interval '3 seconds'`;
    let begun = 0;
    work.slow = async () => {
      begun += 1;
      await until(async () => (await database.query(old)).length > 0);
    };
    reopen({ database: hurried, heartbeat });
    await jobs.start?.();
    await database.tx((tx) => jobs.enqueue(tx, 'slow', { text: 'long' }));
    await until(async () => (await database.query(`SELECT 1 FROM ${SCHEMA}._private_jobs`)).length === 0);
    await jobs.stop?.();
    await hurried.stop?.();
    expect(begun).toBe(1);
  });
});
