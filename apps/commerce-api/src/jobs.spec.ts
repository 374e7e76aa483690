import { loadConfig, silentLogger } from '@platform/runtime';
import { createApp } from './app';
import { settings } from './config';
import { JOB_SESSIONS, JOBS_AT_ONCE, runners, SHARE_OF_A_STORE } from './jobs';

it('no store has all places of the jobs that are long', () => {
  const special = new Map([
    ['mail', undefined],
    ['hooks', { by: 'storeId', most: 2 }],
    ['pushes', { by: 'storeId', most: 2 }],
  ]);
  const ofAStore = { by: 'storeId', most: 1 };
  const shares = runners.map(({ name, share }) => [name, share]);
  expect(Object.fromEntries(shares)).toEqual(
    Object.fromEntries(runners.map(({ name }) => [name, special.has(name) ? special.get(name) : ofAStore])),
  );
  expect(SHARE_OF_A_STORE.most).toBeLessThan(JOBS_AT_ONCE);
});

it.each([{}, { DATABASE_POOL_URL: 'postgres://u:p@127.0.0.1:2/x' }])(
  'the job runners have sessions of their own at the server, and none of those for requests (%j)',
  (pooler) => {
    const { database } = createApp(
      loadConfig(settings, {
        DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x',
        STORE_AUTH_URL: 'http://127.0.0.1:1',
        SERVICE_CLIENT_SECRET: 's',
        ...pooler,
      }),
      { logger: silentLogger },
    );
    expect(database.direct).not.toBe(database.pool);
    expect(database.direct.options.max).toBe(JOB_SESSIONS);
  },
);
