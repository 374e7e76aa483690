import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MediaDisk } from './media.disk';
import { objectStoreContract } from './object.store.contract';

describe('files on a disk', () => {
  let folder: string;
  afterAll(() => rm(folder, { recursive: true }));
  objectStoreContract(async () => {
    folder = await mkdtemp(join(tmpdir(), 'disk-'));
    const disk = new MediaDisk(folder);
    await disk.start();
    return disk;
  });
});
