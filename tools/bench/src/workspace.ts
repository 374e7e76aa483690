import { createRequire } from 'node:module';
import { join } from 'node:path';

export const workspaceRoot = join(__dirname, '../../..');

/** A module that is named at run time: a bench by its file, a statement of a service by its place in the workspace. */
export const loadModule = <Module>(path: string): Module =>
  createRequire(__filename)(join(workspaceRoot, path)) as Module;
