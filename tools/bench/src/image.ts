import { join } from 'node:path';
import { freePort } from '@platform/postgres';
import { environment } from '@platform/runtime';
import { buildApp } from '@platform/stack/build';
import { heapOptions } from '@platform/stack/heap';
import type { ServiceName } from '@platform/stack/ports';
import type { Started } from './bench.types';
import { cpuMs, rssBytes, startProcess, type ColdStart } from './cold-start';
import type { CostedServer } from './load';
import { stopProcess } from './server-process';
import { workspaceRoot } from './workspace';

/** The bundle of a service, built anew. */
export const builtBundle = async (name: ServiceName): Promise<string> => {
  await buildApp(name, [], () => undefined);
  return join(workspaceRoot, 'dist/apps', name, 'main.cjs');
};

export interface ImageOptions {
  readonly settings: ColdStart['settings'];
  /** File for its output. */
  readonly log: string;
}

/** A service as its image starts it, on 127.0.0.1; what it costs is read from outside, of Linux. */
export const startImage = async (
  name: ServiceName,
  { settings, log }: ImageOptions,
): Promise<CostedServer & Started & { readonly residentBytes: () => Promise<number> }> => {
  const [main, port] = [await builtBundle(name), await freePort()];
  const own = {
    ...{ PATH: environment.PATH, NODE_ENV: 'production', NODE_OPTIONS: heapOptions(name) },
    ...{ HOST: '127.0.0.1', PORT: String(port) },
  };
  const child = await startProcess({
    ...{ args: [main], port, settings: { ...own, ...settings }, readyPath: '/ready', log },
  });
  const pid = child.pid ?? 0;
  return {
    port,
    stop: () => stopProcess(child),
    cpuMicroseconds: async () => cpuMs(pid) * 1e3,
    residentBytes: async () => rssBytes(pid),
  };
};
