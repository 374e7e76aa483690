/** Calls for one job, of which many may be added and taken at the same moment under one key. */
const TRIES = 8;

/**
 * graphile-worker's `add_job`, which adds nothing when a worker is just taking the job with this key; the next call sees it running, or a
 * later one does. A function, so that a job is added as surely within a statement of somebody else.
 */
export const surelyAdded = (schema: string): string => `
  CREATE OR REPLACE FUNCTION ${schema}.surely_add(task text, payload json, run_at timestamptz, max_attempts integer, job_key text, job_key_mode text)
  RETURNS ${schema}._private_jobs LANGUAGE plpgsql AS $$ DECLARE
    added ${schema}._private_jobs;
  BEGIN
    FOR tries IN 1..${TRIES} LOOP
      added := ${schema}.add_job(task, payload => payload, run_at => run_at, max_attempts => max_attempts, job_key => job_key, job_key_mode => job_key_mode);
      IF added.id IS NOT NULL THEN
        RETURN added;
      END IF;
    END LOOP;
    RAISE EXCEPTION 'The job % was not added: the job with the key % is being taken at this very moment.', task, job_key;
  END $$`;
