// A process that brings the tables of services up to date and fills them with the demo shop. It loads the services' own
// composition roots, all in one process, because loading them one by one is what a start would wait for. What it needs comes
// through standard input, not as arguments: those are for everybody on the machine to read.
import { text } from 'node:stream/consumers';
import type { Service } from '@platform/http';
import { createLogger, loadConfig, stopAll } from '@platform/runtime';
import { eachBounded } from './node-process';
import type { ServiceName } from './ports';
import { programOf, type AnyProgram } from './program';
import type { Environment } from './workspace';

export interface Preparation {
  readonly services: readonly { readonly name: ServiceName; readonly environment: Environment }[];
  /** The demo shop as JSON text. */
  readonly shop: string;
}

type Programs = (name: ServiceName) => AnyProgram;

const AT_ONCE = 3;

/** As the service's own command line runs a command: a service of its own each time, stopped at the end. */
const runCommand = async (
  program: AnyProgram,
  { name, environment }: Preparation['services'][number],
  command: (service: Service) => Promise<void> | undefined,
): Promise<void> => {
  const service = program.create(loadConfig(program.settings, environment), createLogger({ service: name }));
  try {
    await command(service);
  } finally {
    await stopAll(service.components);
  }
};

const prepare = async ({ services, shop }: Preparation, programs: Programs): Promise<void> => {
  const loaded = services.map((service) => ({ service, program: programs(service.name) }));
  await eachBounded(loaded, AT_ONCE, async ({ service, program }) => {
    await runCommand(program, service, (running) => running.migrate?.());
    await runCommand(program, service, (running) => running.commands?.seed?.run([shop]));
    process.send?.(service.name);
  });
};

/** Reads a `Preparation` from standard input, does it and ends the process. */
export const prepareFromInput = (programs: Programs): void =>
  void text(process.stdin)
    .then((input) => prepare(JSON.parse(input) as Preparation, programs))
    .then(
      () => process.exit(0),
      (cause: unknown) => {
        createLogger({ service: 'prepare' }).error('failed', { cause });
        process.exit(1);
      },
    );

if (require.main === module) prepareFromInput(programOf);
