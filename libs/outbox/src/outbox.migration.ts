import { claimFunction, sendFunctions } from './send.sql';
import { tables } from './tables.sql';
import { writeFunctions } from './write.sql';

/**
 * Everything the outbox needs in the database, as one SQL text without parameters: a step of the service's own migration,
 * run with `search_path` on the service's schema. Needs PostgreSQL 13.
 */
export const outboxMigration = tables + writeFunctions + sendFunctions;

/** A step for services whose `outboxMigration` ran before a lane was due at the end of every hold; changes nothing elsewhere. */
export const outboxProbeMigration = claimFunction;
