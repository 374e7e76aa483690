// Outbox rows and jobs declare whether their effect is outside (ADR 34): each line that ends in `// mistake` must not compile,
// and no other line may fail (planted-types.spec.ts).
import type { Database } from '@platform/data';
import { openJobs, type JobDefinition, type JobsOptions } from '@platform/jobs';
import { enqueueRows, openOutbox, type OutboxKind, type OutboxOptions } from '@platform/outbox';
import { Sends, silentLogger as logger } from '@platform/runtime';

declare const database: Database;
const sends = new Sends();
const common = { database, logger, name: 'planted', schema: 'planted_jobs' };
const row = { lane: 'a', target: 't', payload: {} };
const deliver = async () => ({ verdict: 'done' }) as const;
const run = async (): Promise<void> => undefined;
const cron = [{ pattern: '0 9 * * *' }];

type Job = JobDefinition<object>;
type Jobs = JobsOptions<{ remind: object }>;

export const kind: OutboxKind = { name: 'mail', effect: 'outside' };
export const noEffect: OutboxKind = { name: 'mail' }; // mistake
export const neither: OutboxKind = { name: 'mail', effect: 'sideways' }; // mistake

export const outbox = openOutbox({ ...common, deliver, kinds: [kind], sends });
export const noKinds: OutboxOptions = { ...common, deliver, sends }; // mistake
export const rowsOfNobody: OutboxOptions = { ...common, deliver, kinds: [kind] }; // mistake

export const written = [outbox.enqueue(database, [{ ...row, kind }]), enqueueRows(database, [{ ...row, kind }])];
export const undeclared = outbox.enqueue(database, [{ ...row, kind: 'mail' }]); // mistake
export const aside = enqueueRows(database, [{ ...row, kind: 'mail' }]); // mistake
export const half = enqueueRows(database, [{ ...row, kind: { name: 'mail' } }]); // mistake

export const remind: Job = { effect: 'outside', run, cron };
export const bare: Job = run; // mistake
export const jobWithout: Job = { run }; // mistake
export const cronWithout: Job = { run, cron }; // mistake

export const jobs = openJobs<{ remind: object }>({ ...common, sends, tasks: { remind } });
export const cronAside: Jobs = { ...common, sends, tasks: { remind }, cron }; // mistake
export const jobsOfNobody: Jobs = { ...common, tasks: { remind } }; // mistake
