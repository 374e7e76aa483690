import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownerOf, refuseSecond } from './claim';
import { commandOf, endProcess } from './process-table';
import { reset } from './reset';
import { loadSecrets } from './secrets';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stack-claim-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Another process that looks like this tool. */
const withLookalike = async (work: (pid: number) => Promise<void>): Promise<void> => {
  const child = spawn(process.execPath, [
    '-e',
    'process.stdout.write("up"); setInterval(() => 0, 1000)',
    'tools/stack/src/start.ts',
  ]);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  await work(child.pid!).finally(() => endProcess(child.pid!, 'SIGKILL', 5_000));
};

const note = (pid: number): void => writeFileSync(join(folder, 'postgres.pid'), String(pid));

describe('a claimed folder', () => {
  it('belongs to the live process that claimed it, and refuses a second one', () =>
    withLookalike(async (pid) => {
      note(pid);
      expect(ownerOf(join(folder, 'postgres'))).toBe(pid);
      expect(() => refuseSecond(join(folder, 'postgres'), 'A stack')).toThrow(
        `A stack runs already with the data in ${join(folder, 'postgres')} (process ${pid}). Stop it with Ctrl-C or kill ${pid}`,
      );
    }));

  it('is free when that process has ended, or its id now belongs to something else', async () => {
    await withLookalike(async (pid) => note(pid));
    expect(ownerOf(join(folder, 'postgres'))).toBeUndefined();
    note(process.ppid);
    expect(commandOf(process.ppid)).not.toContain('tools/stack/src/');
    expect(ownerOf(join(folder, 'postgres'))).toBeUndefined();
  });
});

describe('npm run reset', () => {
  it('deletes the folder and lists its content', async () => {
    loadSecrets(folder);
    mkdirSync(join(folder, 'logs'));
    expect(await reset({ DATA_DIR: folder })).toBe(`Deleted ${folder}: logs, generated secrets and passwords.`);
    expect(existsSync(folder)).toBe(false);
    expect(await reset({ DATA_DIR: folder })).toBe(`Nothing to delete: there is no ${folder}.`);
  });

  it('deletes nothing while a stack runs', () =>
    withLookalike(async (pid) => {
      loadSecrets(folder);
      note(pid);
      await expect(reset({ DATA_DIR: folder })).rejects.toThrow(`kill ${pid} first: nothing was deleted`);
      expect(existsSync(join(folder, 'secrets.json'))).toBe(true);
    }));

  it('deletes no folder that was not created by a stack', async () => {
    await expect(reset({ DATA_DIR: folder })).rejects.toThrow(
      `${folder} holds no data of a stack: nothing was deleted.`,
    );
  });
});
