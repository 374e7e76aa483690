import { claimFunction, releaseFunction, sendFunctions } from './send.sql';
import { tables } from './tables.sql';
import { writeFunctions } from './write.sql';

/**
 * Everything the outbox needs in the database, as one SQL text without parameters: a step of the service's own migration,
 * run with `search_path` on the service's schema. Needs PostgreSQL 13.
 */
export const outboxMigration = tables + writeFunctions + sendFunctions;

/** A step for services whose `outboxMigration` ran before the claim had its present form; changes nothing elsewhere. */
export const outboxProbeMigration = claimFunction;

/** The same for services whose claims and releases could read all lanes for each one that they took, where they were believed to be none. */
export const outboxKeyedMigration = claimFunction + releaseFunction;

/**
 * Steps for services whose `outboxMigration` ran before targets had shares; they change nothing elsewhere. Only due lanes
 * are indexed, few enough to do it while writers wait.
 */
export const outboxShareMigration: readonly string[] = [
  'DROP FUNCTION IF EXISTS outbox_claim(integer, text, double precision)',
  claimFunction,
  releaseFunction,
  'DROP INDEX outbox_lane_due',
  `CREATE INDEX outbox_lane_due ON outbox_lane (target, next_at) WHERE next_at < 'infinity'`,
  `CREATE INDEX IF NOT EXISTS outbox_row_dead_lane ON outbox_row (lane, id) WHERE state = 'dead'`,
];
