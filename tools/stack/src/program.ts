import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Service } from '@platform/http';
import type { Logger, Settings } from '@platform/runtime';
import type { ServiceName } from './ports';
import { workspaceRoot } from './workspace';

/** A service as a program, whichever it is. */
export interface AnyProgram {
  readonly settings: Settings;
  create(config: Record<string, unknown>, logger: Logger): Service;
}

const load = createRequire(__filename);

/** Loads an app's composition root. Nothing connects. */
export const programOf = (name: ServiceName): AnyProgram =>
  (load(join(workspaceRoot, 'apps', name, 'src/app.ts')) as { program: AnyProgram }).program;
