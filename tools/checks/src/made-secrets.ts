import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workspaceRoot } from './source-files';

/** The variables of an env file. */
export const readEnvironment = (file: string): Record<string, string> =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

/** The secrets that docker/secrets.mjs makes for a service, new at every call. */
export const madeSecrets = (service: string): Record<string, string> => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  try {
    execFileSync(process.execPath, [join(workspaceRoot, 'docker/secrets.mjs'), 'postgres', folder]);
    return readEnvironment(join(folder, `${service}.env`));
  } finally {
    rmSync(folder, { recursive: true });
  }
};
