import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { environment } from '@platform/runtime';
import { portsFrom, DEFAULT_PORT_BASE, type ServiceName } from '../ports';
import { loadSecrets } from '../secrets';
import { serviceEnvironment } from '../services';
import { workspaceRoot } from '../workspace';

const runFile = promisify(execFile);

/** Nothing listens there; nothing connects either. */
const NO_DATABASE = 'postgres://nobody:nothing@127.0.0.1:1/none';
const LIMIT_MS = 60_000;

/**
 * Creates the code cache of the bundle in `directory` by running its command `check`, with settings for that purpose only.
 * Rejects with the command's output when it fails: such a bundle would not start.
 */
export const makeCodeCache = async (service: ServiceName, directory: string): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'platform-build-'));
  try {
    const [ports, secrets] = [portsFrom(DEFAULT_PORT_BASE), loadSecrets(folder)];
    const databases = { [service]: { DATABASE_URL: NO_DATABASE } };
    const given = { PATH: environment.PATH };
    const env = serviceEnvironment(service, { ports, secrets, databases, folder, environment: given });
    const script = join(__dirname, 'record.ts');
    await runFile(process.execPath, ['-r', './tools/swc-hook.cjs', script, directory, 'check'], {
      cwd: workspaceRoot,
      env,
      timeout: LIMIT_MS,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
