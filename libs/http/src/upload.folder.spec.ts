import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uploadFolder } from './upload.folder';

const leftBy = async (pid: number, name = 'a'): Promise<string> => {
  const folder = join(tmpdir(), `platform-uploads-${pid}`);
  await mkdir(folder, { recursive: true });
  const file = join(folder, name);
  await writeFile(file, 'half of a file');
  return file;
};
const deadProcess = async (): Promise<number> => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid ?? NaN;
};

it('what a killed process left behind goes with the first upload of another; what a living one has stays', async () => {
  const [dead, alive] = [await leftBy(await deadProcess()), await leftBy(process.ppid, 'of-this-spec')];
  const [former, own] = [await leftBy(process.pid, 'former'), await leftBy(process.pid, 'own')];
  await utimes(former, new Date(0), new Date(0));
  const folder = await uploadFolder();
  expect([dead, alive, former, own].map((file) => existsSync(file))).toEqual([false, true, false, true]);
  expect(folder).toBe(join(tmpdir(), `platform-uploads-${process.pid}`));
  await Promise.all([rm(alive), rm(own)]);
});

it('is there again when somebody has tidied up', async () => {
  const folder = await uploadFolder();
  await rm(folder, { recursive: true });
  expect(existsSync(await uploadFolder())).toBe(true);
});
