import { environment } from '@platform/runtime';
import { behindPgBouncer } from '@platform/testing';

/** Specs that inspect sessions of the server itself, or need no database. */
const except = [
  ...['postgres.pool', 'role.settings', 'migrations', 'provision'],
  ...['bigint.column', 'cache', 'memory.backend', 'redis.backend', 'micro-batch'],
  ...['postgres.errors', 'prepared.statements', 'typeorm.logger'],
];

behindPgBouncer({ binary: environment.PGBOUNCER, folder: __dirname, except });
