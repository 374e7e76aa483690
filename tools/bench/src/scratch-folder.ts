import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report, Started } from './bench.types';

export interface ScratchFolder extends Started {
  readonly path: string;
}

/** A temporary folder for this run's files, deleted at its end. */
export const scratchFolder = (report: Report): Promise<ScratchFolder> =>
  report.shared('scratch folder', async () => {
    const path = mkdtempSync(join(tmpdir(), 'platform-bench-'));
    return { path, stop: async () => rmSync(path, { recursive: true, force: true }) };
  });
