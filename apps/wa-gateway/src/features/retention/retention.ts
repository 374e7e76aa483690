import { isAstray, type Sql } from '@platform/data';
import type { JobContext } from '@platform/jobs';
import type { Clock } from '@platform/runtime';

/** `$1`: what is older goes; `$2`: rows at most. Each answers how many went. */
export const SWEEPS = {
  // What has not been settled stays: nobody was told of its end. A pesan_id is known for as long as its row (design 3.3)
  messages: `
WITH old AS (
  SELECT instance_id, chat, participant, from_me, id FROM message
  WHERE created_at < $1 AND (send_state IS NULL OR send_state IN ('acked', 'failed')) ORDER BY created_at LIMIT $2
), gone AS (
  DELETE FROM message m USING old WHERE (m.instance_id, m.chat, m.participant, m.from_me, m.id)
    = (old.instance_id, old.chat, old.participant, old.from_me, old.id) RETURNING m.instance_id, m.id
), singles AS (
  DELETE FROM campaign_item i USING gone WHERE i.instance_id = gone.instance_id AND i.message_id = gone.id AND i.broadcast_id IS NULL
)
SELECT count(*)::integer AS gone FROM gone`,
  statuses: `
WITH old AS (SELECT instance_id, id, participant FROM status WHERE at < $1 ORDER BY at LIMIT $2), gone AS (
  DELETE FROM status s USING old WHERE (s.instance_id, s.id, s.participant) = (old.instance_id, old.id, old.participant) RETURNING 1
)
SELECT count(*)::integer AS gone FROM gone`,
  recipients: `
WITH old AS (
  SELECT i.instance_id, i.message_id FROM broadcast b JOIN campaign_item i USING (broadcast_id) WHERE b.ended_at < $1 LIMIT $2
), gone AS (
  DELETE FROM campaign_item i USING old WHERE i.instance_id = old.instance_id AND i.message_id = old.message_id RETURNING 1
)
SELECT count(*)::integer AS gone FROM gone`,
  broadcasts: `
WITH old AS (SELECT broadcast_id FROM broadcast WHERE ended_at < $1 ORDER BY ended_at LIMIT $2), gone AS (
  DELETE FROM broadcast b USING old WHERE b.broadcast_id = old.broadcast_id RETURNING 1
)
SELECT count(*)::integer AS gone FROM gone`,
  // These three of devices that nobody serves any more
  lateFiles: `
WITH old AS (SELECT name FROM late_file WHERE created_at < $1 ORDER BY created_at LIMIT $2), gone AS (
  DELETE FROM late_file f USING old WHERE f.name = old.name RETURNING 1
)
SELECT count(*)::integer AS gone FROM gone`,
  stubs: `
WITH old AS (SELECT instance_id, id FROM held_stub WHERE due_at < $1 ORDER BY due_at LIMIT $2), gone AS (
  DELETE FROM held_stub s USING old WHERE (s.instance_id, s.id) = (old.instance_id, old.id) RETURNING 1
)
SELECT count(*)::integer AS gone FROM gone`,
  farewells: `
WITH old AS (SELECT instance_id, account FROM farewell WHERE created_at < $1 ORDER BY created_at LIMIT $2), gone AS (
  DELETE FROM farewell f USING old WHERE (f.instance_id, f.account) = (old.instance_id, old.account) RETURNING 1
)
SELECT count(*)::integer AS gone FROM gone`,
} as const;

const DAYS = 30;
const DAY_MS = 86_400_000;

export interface RetentionOptions {
  readonly sql: Sql;
  readonly clock: Clock;
  /** Rows of one statement, few enough that nobody waits for it for long. */
  readonly batch?: number;
}

/** Deletes messages, statuses and ended broadcasts that are older than 30 days (design 4), a bounded number at a time. */
export const retention =
  ({ sql, clock, batch = 1_000 }: RetentionOptions) =>
  async (_: unknown, { signal, logger }: Pick<JobContext, 'signal' | 'logger'>): Promise<void> => {
    const before = new Date(clock.now().getTime() - DAYS * DAY_MS);
    for (const [what, text] of Object.entries(SWEEPS)) {
      let total = 0;
      for (let gone = batch; gone === batch && !signal.aborted; total += gone)
        gone = (await sql.query<{ gone: number }>(text, [before, batch]))[0]?.gone ?? 0;
      if (total > 0) logger.info('old rows deleted', { what, total });
    }
  };

/** The same, unless it would be by a clock that is wrong: what is deleted does not come back. */
export const timelyRetention =
  (options: RetentionOptions) =>
  async (payload: unknown, job: Pick<JobContext, 'signal' | 'logger'>): Promise<void> => {
    if (!(await isAstray(options.sql, { clock: options.clock, logger: job.logger })))
      await retention(options)(payload, job);
  };
