import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixedClock, silentLogger } from '@platform/runtime';
import { until } from '@platform/testing';
import { FileStore } from './file.store';

const DAY_MS = 86_400_000;

it('keeps a file that is needed later for as long after that day as any other', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'retention-'));
  const clock = fixedClock(new Date());
  const files = new FileStore({ directory, ttlDays: 30, clock, logger: silentLogger });
  await files.keep(Buffer.from('now'));
  const { key } = await files.keep(Buffer.from('later'));
  await files.keepFrom(key, new Date(clock.now().getTime() + 40 * DAY_MS));
  clock.advance(31 * DAY_MS);
  expect(await files.sweep()).toBe(1);
  clock.advance(38 * DAY_MS);
  expect(await files.sweep()).toBe(0);
  clock.advance(2 * DAY_MS);
  expect(await files.sweep()).toBe(1);
  rmSync(directory, { recursive: true });
});

it('keeps all files at a start by a clock that is astray', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'retention-'));
  const clock = fixedClock(new Date(Date.now() + 40 * DAY_MS));
  const isAstray = jest.fn(async () => true);
  const files = new FileStore({ directory, ttlDays: 30, clock, logger: silentLogger, isAstray });
  const { key } = await files.keep(Buffer.from('now'));
  await files.start();
  await until(async () => isAstray.mock.calls.length > 0 || !(await files.find(key)));
  expect(await files.find(key)).toBeDefined();
  await files.stop();
  rmSync(directory, { recursive: true });
});
