import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { environment } from '@platform/runtime';
import { BUNDLED_SCRIPTS } from './bundled-scripts';
import { runProgramCommand } from './program';

const folder = mkdtempSync(join(tmpdir(), 'programs-'));
beforeAll(() => {
  writeFileSync(join(folder, 'main.cjs'), `console.log(...process.argv.slice(2), process['env'].COLOUR)`);
  writeFileSync(join(folder, 'main.ts'), 'console.log("of its source" as string);');
  environment.TEST_PROGRAMS = folder;
  environment.TEST_SCRIPTS = folder;
});
/** Of no service: what a spec starts it also depends on, and this one starts none. */
const MAIN = join('apps', 'greeter', 'src/main.ts');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (main: string) => runProgramCommand({ main, args: ['routes'], env: { COLOUR: 'red' } });

it('a service is started from the bundle of the run, with its name, arguments and settings', async () => {
  expect(await run(MAIN)).toEqual({ code: 0, output: 'greeter routes red\n' });
});

it('a script that the run has bundled is started from there, by its path', async () => {
  const [script = ''] = BUNDLED_SCRIPTS;
  const told = { code: 0, output: `${script} routes red\n` };
  expect([await run(script), await run(resolve(__dirname, '../../..', script))]).toEqual([told, told]);
});

it('a program that is no service is started from its source', async () => {
  expect(await run(join(folder, 'main.ts'))).toEqual({ code: 0, output: 'of its source\n' });
});
