import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECTS, runsOf, strykerOptions } from './mutation.config';

const root = join(__dirname, '../../..');

it('a mutation run without arguments covers all six libraries, and each of them exists', () => {
  expect(runsOf([])).toEqual(PROJECTS.map((project) => ({ project })));
  expect(PROJECTS.filter((project) => !existsSync(join(root, project, 'package.json')))).toEqual([]);
});

it('a mutation run accepts libraries and their files, groups files by library, and refuses everything else', () => {
  const [guards, signer] = ['libs/auth/src/guards.ts', 'libs/auth/src/token-signer.ts'];
  expect(runsOf(['libs/validation/', 'libs/http/src/path.ts', guards, signer])).toEqual([
    { project: 'libs/validation' },
    { project: 'libs/http', files: ['libs/http/src/path.ts'] },
    { project: 'libs/auth', files: [guards, signer] },
  ]);
  expect(() => runsOf(['apps/ads-api'])).toThrow('"apps/ads-api" is in none of libs/http, libs/auth');
});

it('every spec that mutation runs exclude exists', () => {
  const { notAsked } = strykerOptions({ project: 'libs/outbox' }, 'progress');
  expect(notAsked.filter((spec) => !existsSync(join(root, spec)))).toEqual([]);
});

it('a mutation score below 85 % fails the run of a library but not a run of single files', () => {
  expect(strykerOptions({ project: 'libs/auth' }, 'progress').thresholds.break).toBe(85);
  const files = strykerOptions({ project: 'libs/auth', files: ['libs/auth/src/guards.ts'] }, 'progress');
  expect([files.mutate[0], files.thresholds.break]).toEqual(['libs/auth/src/guards.ts', null]);
});

it('a mutation run never mutates specs or test helpers, whatever pattern of files it is given', () => {
  const { mutate } = strykerOptions({ project: 'libs/http', files: ['libs/http/src/peer*.ts'] }, 'progress');
  expect(mutate).toEqual([
    'libs/http/src/peer*.ts',
    '!libs/http/src/**/*.spec.ts',
    '!libs/http/src/**/*.fixture.ts',
    '!libs/http/src/**/*.contract.ts',
    '!libs/http/src/**/*.child.ts',
    '!libs/http/src/index.ts',
  ]);
});
