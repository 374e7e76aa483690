import { until } from '@platform/testing';
import { SCHEMA, useJobs } from './jobs.fixture';

const { database, work, jobs } = useJobs({ stopSeconds: 1 });
const waiting = () => database.query(`SELECT locked_by FROM ${SCHEMA}._private_jobs`);

it('jobs begin to end while their service still answers: one that hangs is released to others, and no other begins', async () => {
  let begun = 0;
  work.slow = () => {
    begun += 1;
    return new Promise(() => undefined);
  };
  await jobs.start?.();
  await database.tx((tx) => jobs.enqueue(tx, 'slow', { text: 'hangs' }));
  await until(() => begun === 1);
  jobs.drain?.();
  await until(waiting, ([job]) => job?.locked_by === null);
  await database.tx((tx) => jobs.enqueue(tx, 'slow', { text: 'late' }));
  await jobs.stop?.();
  expect([begun, await waiting()]).toEqual([1, [{ locked_by: null }, { locked_by: null }]]);
});
