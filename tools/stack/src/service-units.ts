import { join } from 'node:path';
import type { LogFile } from './log-file';
import { startNode } from './node-process';
import { localUrl, type Ports, type ServiceName } from './ports';
import { sandboxUrl, type Sandbox, type SandboxSurroundings } from './sandboxes';
import { answersOk, watchProcess, type Unit } from './unit';
import type { Environment } from './workspace';

/** Services finish their requests within 8 s, but a development stack has ended after 10 s in all. */
const SERVICE_STOP_MS = 5_500;
const SANDBOX_STOP_MS = 1_000;

export const entryOf = (service: ServiceName): string => `apps/${service}/src/main.ts`;

export interface ServiceProcess {
  readonly ports: Ports;
  readonly environment: Environment;
  readonly log: LogFile;
  /** The bundle of all services, from the root of the workspace; by default the sources run. */
  readonly bundle?: string;
}

const programIn = (bundle: string | undefined, name: ServiceName) =>
  bundle === undefined ? { script: entryOf(name) } : { script: join(bundle, 'main.cjs'), args: [name] };

/** One of the six services as a unit; usable once its /ready answers 200. */
export const serviceUnit = (name: ServiceName, { ports, environment, log, bundle }: ServiceProcess): Unit => ({
  name,
  lastLines: () => log.tail(),
  start: async () =>
    watchProcess(startNode({ ...programIn(bundle, name), environment, log }), {
      isReady: () => answersOk(`${localUrl(ports.services[name])}/ready`),
      stopWithinMs: SERVICE_STOP_MS,
    }),
});

export const sandboxUnit = (sandbox: Sandbox, around: SandboxSurroundings, log: LogFile): Unit => ({
  name: sandbox.name,
  lastLines: () => log.tail(),
  start: async () =>
    watchProcess(
      startNode({
        script: sandbox.script,
        environment: {
          ...around.environment,
          APP_ENV: 'development',
          PORT: String(around.ports.sandboxes[sandbox.name]),
          ...sandbox.settings?.(around),
        },
        log,
      }),
      {
        isReady: () => answersOk(`${sandboxUrl(around.ports, sandbox.name)}${sandbox.readyPath}`),
        stopWithinMs: SANDBOX_STOP_MS,
      },
    ),
});
