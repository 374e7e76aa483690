import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECTS, runsOf, strykerOptions } from './mutation.config';

const root = join(__dirname, '../../..');

it('a mutation run without arguments takes all six libraries, and each of them exists', () => {
  expect(runsOf([])).toEqual(PROJECTS.map((project) => ({ project })));
  expect(PROJECTS.filter((project) => !existsSync(join(root, project, 'package.json')))).toEqual([]);
});

it('a mutation run takes libraries and single files of them, and refuses everything else', () => {
  expect(runsOf(['libs/validation/', 'libs/http/src/path.ts'])).toEqual([
    { project: 'libs/validation' },
    { project: 'libs/http', file: 'libs/http/src/path.ts' },
  ]);
  expect(() => runsOf(['apps/ads-api'])).toThrow('"apps/ads-api" is in none of libs/http, libs/auth');
});

it('a library below 85 % fails its mutation run, while a single file is only reported', () => {
  expect(strykerOptions({ project: 'libs/auth' }, 'progress').thresholds.break).toBe(85);
  const file = strykerOptions({ project: 'libs/auth', file: 'libs/auth/src/guards.ts' }, 'progress');
  expect([file.mutate, file.thresholds.break]).toEqual([['libs/auth/src/guards.ts'], null]);
});
