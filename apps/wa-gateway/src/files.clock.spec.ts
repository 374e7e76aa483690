import { mkdirSync, rmSync } from 'node:fs';
import { loadConfig, Sends, silentLogger } from '@platform/runtime';
import { until, useDatabase } from '@platform/testing';
import { settings } from './config';
import { composeCore } from './core.composition';
import { migrations, schema } from './data-source';
import { gatewayEnvironment } from './gateway.fixture';

const DAY_MS = 86_400_000;
const database = useDatabase({ schema, migrations });
afterEach(() => jest.useRealTimers());

const setClock = (now: number) =>
  jest.useFakeTimers({
    now,
    doNotFake: [
      ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
      ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
    ],
  });

it('files of a machine whose clock is behind are kept: that stamps them, and not the database', async () => {
  const config = loadConfig(settings, gatewayEnvironment(database.url, 'http://127.0.0.1:1/v1'));
  const error = jest.fn();
  const core = composeCore(config, { logger: { ...silentLogger, error }, sends: new Sends() });
  await core.database.start?.();
  await core.shared.start();
  setClock(Date.now() - 2 * config.FILE_TTL_DAYS * DAY_MS);
  mkdirSync(config.FILES_DIR);
  const { key } = await core.files.keep(Buffer.from('new'));
  await core.files.keepFrom(key, new Date());
  await core.files.start();
  await until(async () => error.mock.calls.length > 0 || !(await core.files.find(key)));
  expect(await core.files.find(key)).toMatchObject({ key });
  expect(error.mock.calls.map(([text]) => text as unknown)).toEqual([
    'the clock of this process is astray: nothing is ended by it',
  ]);
  await core.files.stop();
  await core.shared.stop();
  await core.database.stop?.();
  rmSync(config.FILES_DIR, { recursive: true });
});
