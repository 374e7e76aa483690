// A process that dispatches, on a database that its parent has migrated, until it is killed: `node -r ./tools/swc-hook.cjs dispatch.child.ts` with DATABASE_URL, RECEIVER_URL and SENDS.
import { databaseOptions, databaseSettings, openDatabase } from '@platform/data';
import { environment, loadConfig, Sends, sendsSettings, silentLogger } from '@platform/runtime';
import { openOutbox } from './outbox';
import type { Deliver } from './outbox.types';

const options = databaseOptions(loadConfig(databaseSettings(), environment));
const receiver = environment.RECEIVER_URL ?? '';

const deliver: Deliver = async ({ eventId, lane, kind, payload }, signal) => {
  const body = JSON.stringify({ eventId, lane, kind, payload });
  const answer = await fetch(receiver, { method: 'POST', body, signal });
  await answer.arrayBuffer();
  return answer.ok
    ? { verdict: 'done' }
    : { verdict: 'retry', reason: String(answer.status), spend: true, afterSeconds: 0 };
};

const main = async (): Promise<void> => {
  const database = openDatabase({ ...options, schema: 'post', logger: silentLogger, poolSize: 4 });
  await openOutbox({
    database,
    logger: silentLogger,
    name: 'child',
    deliver,
    kinds: [
      { name: 'message', effect: 'outside' },
      { name: 'note', effect: 'inside' },
    ],
    sends: new Sends(loadConfig(sendsSettings, environment).SENDS),
    lanes: 8,
    leaseSeconds: 1,
    sweepSeconds: 0.1,
  }).start?.();
};

void main();
