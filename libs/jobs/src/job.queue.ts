import { traced } from '@platform/runtime';
import type { JobExpressions, JobQueue } from './jobs.types';

const DEFAULT_ATTEMPTS = 10;

/** The name, safe to put into SQL text. */
export const checkedSchema = (schema: string): string => {
  if (/^[a-z_][a-z0-9_]*$/.test(schema)) return schema;
  throw new Error(`The jobs schema "${schema}" is not a plain lower case name: letters, digits and underscores only.`);
};

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const addJob = (
  schema: string,
  task: string,
  { payload, key, runAt, maxAttempts = DEFAULT_ATTEMPTS, mode = 'replace' }: JobExpressions,
): string =>
  `${schema}.surely_add(${task}, payload => (${payload})::json, run_at => ${runAt ?? 'NULL'}, max_attempts => ${maxAttempts}, ` +
  `job_key => ${key ?? 'NULL'}, job_key_mode => ${literal(mode)})`;

/** Adds jobs to the schema of an `openJobs`; for services that are created before their tasks, and for processes without workers. */
export const openJobQueue = <Payloads>(schemaName: string): JobQueue<Payloads> => {
  const schema = checkedSchema(schemaName);
  const statement = `SELECT id FROM ${schema}.surely_add($1, payload => $2::json, run_at => coalesce($3::timestamptz, now() + $7::float8 * interval '1 second'), max_attempts => $4, job_key => $5, job_key_mode => $6)`;
  const burial = `SELECT dead.id FROM ${schema}.add_job($1, payload => $2::json, max_attempts => ${DEFAULT_ATTEMPTS}) added
    CROSS JOIN LATERAL ${schema}.permanently_fail_jobs(ARRAY[added.id], $3) dead`;
  return {
    enqueue: async (tx, task, payload, options = {}) => {
      const { key, mode = 'replace', runAt, afterSeconds, maxAttempts = DEFAULT_ATTEMPTS } = options;
      const text = JSON.stringify(traced(payload));
      const values = [task, text, runAt ?? null, maxAttempts, key ?? null, mode, afterSeconds ?? null];
      await tx.later(`${schema} add`, statement, values);
    },
    bury: async (tx, task, payload, reason) => {
      const values = [task, JSON.stringify(traced(payload)), reason];
      const [{ id }] = (await tx.prepared(`${schema} bury`, burial, values)) as [{ id: string }];
      return id;
    },
    expression: (task, expressions) => addJob(schema, literal(task), expressions),
  };
};
