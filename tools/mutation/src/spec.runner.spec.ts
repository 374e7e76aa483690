import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from '@platform/runtime';

const root = join(__dirname, '../../..');
const copy = mkdtempSync(join(tmpdir(), 'mutants-'));
afterAll(() => rmSync(copy, { recursive: true }));

/** Instrumented like Stryker's output: all mutants are in the code, and the active one applies. */
const SOURCE = `
  const stryker = (globalThis as any).__stryker__;
  const mutant = (id: string) => {
    const { mutantCoverage: coverage, currentTestId: test } = stryker;
    if (coverage) {
      const hits = test === undefined ? coverage.static : (coverage.perTest[test] ??= {});
      hits[id] = (hits[id] ?? 0) + 1;
    }
    if (stryker.hitCount !== undefined && ++stryker.hitCount > stryker.hitLimit) throw new Error('hit too often');
    return stryker.activeMutant === id;
  };
  export const loaded = mutant('constant') ? 0 : 1;
  export const sum = (a: number, b: number) => (mutant('minus') ? a - b : a + b);
  let kept: number | undefined;
  export const once = () => (kept ??= mutant('kept') ? 2 : 1);
  export const started = () => (mutant('hook') ? 'no' : 'yes');
  export const unseen = (a: number) => (mutant('unseen') ? a + 1 : a);
  export const endless = () => { for (let at = 0; mutant('endless') || at < 1; at++); };
`;
const SPEC = `
  import { endless, once, started, sum, unseen } from './x';
  let state: string;
  beforeAll(() => { state = started(); });
  it('adds', () => expect(sum(1, 2)).toBe(3));
  it('keeps', () => void once());
  it('has kept', () => expect([once(), state]).toEqual([1, 'yes']));
  it('looks away', () => void unseen(1));
  it('ends', () => endless());
`;

/** Prints the verdicts of a runner; in a separate process, because this one has jest's globals. */
const PROGRAM = `
  const { SpecRunner } = require(${JSON.stringify(join(__dirname, 'spec.runner.ts'))});
  const runner = new SpecRunner({ specs: 'libs/x/src', notAsked: ['libs/x/src/slow.spec.ts'] });
  (async () => {
    const { tests, mutantCoverage } = await runner.dryRun();
    const told = { tests: tests.map(({ name, status }) => [name, status]), static: Object.keys(mutantCoverage.static) };
    for (const id of ['minus', 'kept', 'hook', 'unseen', 'endless']) {
      const testFilter = Object.keys(mutantCoverage.perTest).filter((test) => id in mutantCoverage.perTest[test]);
      const { status, killedBy } = await runner.mutantRun({ activeMutant: { id }, testFilter, hitLimit: 100 });
      told[id] = [status, ...(killedBy ?? [])];
    }
    console.log(JSON.stringify(told));
  })();
`;

it('a mutant is killed in code that a test runs, that a hook runs, and whose result a later test uses', () => {
  mkdirSync(join(copy, 'libs/x/src'), { recursive: true });
  copyFileSync(join(root, '.swcrc'), join(copy, '.swcrc'));
  writeFileSync(join(copy, 'libs/x/src/x.ts'), SOURCE);
  writeFileSync(join(copy, 'libs/x/src/x.spec.ts'), SPEC);
  writeFileSync(join(copy, 'libs/x/src/slow.spec.ts'), `it('is not asked', () => {})`);
  const { stdout, stderr } = spawnSync(process.execPath, ['-r', join(root, 'tools/swc-hook.cjs'), '-e', PROGRAM], {
    cwd: copy,
    encoding: 'utf8',
    env: { PATH: environment.PATH, FORCE_COLOR: '0' },
  });
  expect(stderr).toBe('');
  const killed = (name: string) => ['killed', `libs/x/src/x.spec.ts ${name}`];
  expect(JSON.parse(stdout)).toEqual({
    tests: ['adds', 'keeps', 'has kept', 'looks away', 'ends'].map((name) => [name, 0]),
    static: ['constant'],
    minus: killed('adds'),
    kept: killed('has kept'),
    hook: killed('has kept'),
    unseen: ['survived'],
    endless: ['timeout'],
  });
});
