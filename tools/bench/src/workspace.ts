import { createRequire } from 'node:module';
import { join } from 'node:path';

export const workspaceRoot = join(__dirname, '../../..');

/** Loads a module by its path in the workspace: a bench, or a part of an app, which cannot be imported. */
export const loadModule = <Module>(path: string): Module =>
  createRequire(__filename)(join(workspaceRoot, path)) as Module;
