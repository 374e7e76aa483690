import { Reply, type Endpoint } from '@platform/http';
import type { Cache } from '@platform/data';
import { endpoint } from '../../endpoint';
import { HealthReply, TestReply } from './health.dto';
import { testExamples } from './health.examples';

const LIMIT_MS = 500;

/** Milliseconds of one round trip to the cache; undefined when it fails or takes too long. */
const latencyOf = async (cache: Pick<Cache, 'check'>): Promise<number | undefined> => {
  const begun = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), LIMIT_MS);
  });
  const answered = Promise.resolve(cache.check?.()).then(
    () => Math.round(performance.now() - begun),
    () => undefined,
  );
  return Promise.race([answered, late]).finally(() => clearTimeout(timer));
};

/** Contract: the health of the cache store, and of nothing else. */
export const healthEndpoints = (cache: Pick<Cache, 'check'>, driver: 'redis' | 'memory'): Endpoint[] => [
  endpoint({
    get: '/health',
    summary: 'Health of the cache store',
    tag: 'operations',
    guard: 'public',
    reply: HealthReply,
    refuses: [],
    handle: async () => {
      const latency = await latencyOf(cache);
      return latency === undefined
        ? new Reply<HealthReply>({ status: 'error', cache: { status: 'down', driver } }, { status: 503 })
        : new Reply<HealthReply>({ status: 'ok', cache: { status: 'up', driver, latency_ms: latency } });
    },
  }),
  endpoint({
    get: '/api/test',
    summary: 'Tells a caller that its token is good',
    tag: 'operations',
    guard: 'jwt',
    reply: TestReply,
    refuses: [],
    examples: testExamples,
    handle: () => ({ message: 'berhasil' }),
  }),
];
