// A separate process, so that its CPU time is not counted as the server's.
import { placedAndPaid, placedAndTold } from './order-calls';
import type { OrderJob, OrderResult } from './order-load.types';
import { percentiles } from './rounds';
import { placedAtVendure } from './vendure-calls';

const GRACE_MS = 10_000;

const placing = ({ at }: OrderJob, settled: number[]): ((job: OrderJob, key: number) => Promise<unknown>) => {
  if (at === 'vendure') return placedAtVendure;
  if (at !== 'gateway') return placedAndPaid;
  return async (job, key) => void settled.push((await placedAndTold(job, key)).settled);
};

const offer = async (job: OrderJob): Promise<OrderResult> => {
  const times: number[] = [];
  const settled: number[] = [];
  const place = placing(job, settled);
  const end = performance.now() + job.seconds * 1000;
  const lane = async (): Promise<void> => {
    while (performance.now() < end) {
      const begun = performance.now();
      await place(job, Math.floor(Math.random() * job.keys));
      times.push(performance.now() - begun);
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: job.connections }, lane));
  const seconds = (performance.now() - begun) / 1000;
  const figures = percentiles(times);
  const settling = percentiles(settled);
  return {
    ...{ orders: times.length, seconds, p50: figures['p50 ms'], p99: figures['p99 ms'] },
    settle: { p50: settling['p50 ms'], p99: settling['p99 ms'] },
  };
};

process.once('message', (job: OrderJob) => {
  setTimeout(() => process.exit(1), job.seconds * 1000 + GRACE_MS).unref();
  void offer(job).then((result) => process.send?.(result, () => process.disconnect()));
});
process.on('disconnect', () => process.exit(0));
