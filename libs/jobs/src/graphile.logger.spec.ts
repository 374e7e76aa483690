import { silentLogger, type Logger } from '@platform/runtime';
import { graphileLogger, PutBack } from './graphile.logger';

it("graphile-worker's messages are logged at their level, with their scope and without its fields", () => {
  const told: unknown[] = [];
  const at = (level: string) => (message: string, fields: unknown) => void told.push([level, message, fields]);
  const logger: Logger = {
    ...silentLogger,
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  };
  const scoped = graphileLogger(logger).scope({ workerId: 'w1' });
  scoped.error('failed', { error: new Error('no'), job: { payload: 'secret' } });
  scoped.error('failed', { error: new PutBack('sends are held') });
  scoped.error('failed');
  scoped.warn('odd');
  scoped.info('job done');
  scoped.debug('looking');
  const said = (level: string, text: string) => [level, 'graphile-worker', { said: text, workerId: 'w1' }];
  expect(told).toEqual([
    said('error', 'failed'),
    said('debug', 'failed'),
    said('error', 'failed'),
    said('warn', 'odd'),
    said('debug', 'job done'),
    said('debug', 'looking'),
  ]);
  scoped.warn('few connections', { max: 10, concurrency: 200 });
  expect(told.splice(6)).toEqual([said('debug', 'few connections')]);
  expect(new PutBack('sends are held').message).toBe('sends are held: the job went back to where it waited');
});
