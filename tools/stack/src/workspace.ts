import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { DEFAULT_PORT_BASE, portBase } from './ports';

export const workspaceRoot = join(__dirname, '../../..');

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a stack keeps its state: `DATA_DIR`, or a folder per `PORT_BASE`, so that two stacks never share one. */
export const dataFolder = ({ DATA_DIR, PORT_BASE }: Environment): string => {
  const base = portBase(PORT_BASE);
  return resolve(workspaceRoot, DATA_DIR || (base === DEFAULT_PORT_BASE ? '.data' : `.data-${base}`));
};

/** A path for people: relative inside the workspace. */
export const shown = (path: string): string => {
  const inside = relative(workspaceRoot, path);
  return inside.startsWith('..') ? path : inside || '.';
};

/** Writes atomically: a reader sees the old text or the new one; only the owner may read it. */
export const writePrivately = (path: string, text: string): void => {
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, text, { mode: 0o600 });
  renameSync(fresh, path);
};

/** The command's file if it is on the PATH. */
export const onPath = (command: string, { PATH = '' }: Environment): string | undefined =>
  PATH.split(':')
    .filter(Boolean)
    .map((folder) => join(folder, command))
    .find((file) => existsSync(file));
