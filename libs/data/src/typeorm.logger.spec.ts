import type { Logger } from '@platform/runtime';
import { typeOrmLogger } from './typeorm.logger';

it('what TypeORM says of migrations and schemas is logged, its warnings too, and no statement ever is', () => {
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
