import type { Logger as TypeOrmLogger } from 'typeorm';
import type { Logger } from '@platform/runtime';

/** TypeORM would print to the console. Statements are never logged: their parameters are customers' data. */
export const typeOrmLogger = (logger: Logger): TypeOrmLogger => ({
  logQuery: () => undefined,
  logQueryError: () => undefined,
  logQuerySlow: () => undefined,
  logSchemaBuild: (message) => logger.debug('schema', { detail: message }),
  logMigration: (message) => logger.info('migration', { detail: message }),
  log: (level, message) => (level === 'warn' ? logger.warn('typeorm', { detail: String(message) }) : undefined),
});
