import type { Logger } from '@platform/runtime';
import { typeOrmLogger } from './typeorm.logger';

it('TypeORM logs migrations, schemas and warnings, and never a statement', () => {
  const told: unknown[] = [];
  const at = (level: string) => (message: string, fields: unknown) => void told.push([level, message, fields]);
  const logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } as unknown as Logger;
  const { log, logMigration, logQuery, logQueryError, logQuerySlow, logSchemaBuild } = typeOrmLogger(logger);
  logSchemaBuild('creating');
  logMigration('migrated');
  log('warn', 'deprecated');
  log('info', 'hello');
  log('log', 'hello');
  logQuery('SELECT secret', ['secret']);
  logQueryError('failed', 'SELECT secret', ['secret']);
  logQuerySlow(9, 'SELECT secret', ['secret']);
  expect(told).toEqual([
    ['debug', 'schema', { detail: 'creating' }],
    ['info', 'migration', { detail: 'migrated' }],
    ['warn', 'typeorm', { detail: 'deprecated' }],
  ]);
});
