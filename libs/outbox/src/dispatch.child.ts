// A process that dispatches, on a database that its parent has migrated, until it is killed: `node -r ./tools/swc-hook.cjs dispatch.child.ts` with DATABASE_URL and RECEIVER_URL.
import { openDatabase } from '@platform/data';
import { environment, silentLogger } from '@platform/runtime';
import { openOutbox } from './outbox';
import type { Deliver } from './outbox.types';

const url = environment.DATABASE_URL ?? '';
const receiver = environment.RECEIVER_URL ?? '';

const deliver: Deliver = async ({ eventId, lane, payload }, signal) => {
  const answer = await fetch(receiver, { method: 'POST', body: JSON.stringify({ eventId, lane, payload }), signal });
  await answer.arrayBuffer();
  return answer.ok
    ? { verdict: 'done' }
    : { verdict: 'retry', reason: String(answer.status), spend: true, afterSeconds: 0 };
};

const main = async (): Promise<void> => {
  const database = openDatabase({ url, schema: 'post', logger: silentLogger, poolSize: 4 });
  await openOutbox({
    database,
    logger: silentLogger,
    name: 'child',
    deliver,
    lanes: 8,
    leaseSeconds: 1,
    sweepSeconds: 0.1,
  }).start?.();
};

void main();
