import {
  appEnv,
  choice,
  ConfigurationError,
  createLogger,
  environment,
  loadConfig,
  optional,
  port,
  stopAll,
  text,
  type ConfigOf,
  type Logger,
  type Settings,
} from '@platform/runtime';
import { routeLines } from './routes';
import { startService } from './server';
import type { Service } from './service';

/** Settings that every service has. */
export const commonSettings = (defaultPort: number) => ({
  APP_ENV: appEnv,
  PORT: port({ fallback: defaultPort }),
  HOST: text({ fallback: '0.0.0.0' }),
  /** Second listener with all routes; internal ones are then hidden on PORT. */
  INTERNAL_PORT: optional(port()),
  METRICS_PORT: optional(port()),
  LOG_LEVEL: choice(['debug', 'info', 'warn', 'error', 'silent'], { fallback: 'info' }),
});

export type CommonSettings = ReturnType<typeof commonSettings>;

/** A service as a program: its settings, and how it is put together from them. Nothing may connect inside `create`. */
export interface Program<S extends Settings & CommonSettings> {
  readonly name: string;
  readonly settings: S;
  create(config: ConfigOf<S>, logger: Logger): Service;
}

const STOP_LIMIT_MS = 10_000;

const serve = async <S extends Settings & CommonSettings>(
  service: Service,
  config: ConfigOf<S>,
  logger: Logger,
): Promise<void> => {
  const { PORT, HOST, INTERNAL_PORT, METRICS_PORT } = config as ConfigOf<CommonSettings>;
  const running = await startService(service, {
    port: PORT,
    host: HOST,
    internalPort: INTERNAL_PORT,
    metricsPort: METRICS_PORT,
    logger,
  });
  logger.info('ready', { url: running.url });
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) return;
    stopping = true;
    logger.info('stopping', { signal });
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    void running.stop().then((failures) => {
      for (const cause of failures) logger.error('did not stop cleanly', { cause });
      logger.info('stopped');
      process.exit(failures.length > 0 ? 1 : 0);
    });
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
};

const execute = async <S extends Settings & CommonSettings>(
  program: Program<S>,
  [command = 'serve', ...args]: readonly string[],
): Promise<void> => {
  const config = loadConfig(program.settings, environment);
  const logger = createLogger({ service: program.name, level: (config as ConfigOf<CommonSettings>).LOG_LEVEL });
  const service = program.create(config, logger);
  const commands: Record<string, (() => Promise<void>) | undefined> = {
    serve: () => serve(service, config, logger),
    migrate: service.migrate,
    routes: async () => void process.stdout.write(`${routeLines(service).join('\n')}\n`),
    ...Object.fromEntries(Object.entries(service.commands ?? {}).map(([name, run]) => [name, () => run(args)])),
  };
  const chosen = commands[command];
  if (!chosen)
    throw new Error(
      `unknown command "${command}": use one of ${Object.keys(commands)
        .filter((name) => commands[name])
        .join(', ')}`,
    );
  await chosen();
  // Pools that a command opened would keep the process alive
  if (command !== 'serve') await stopAll(service.components);
};

/**
 * Runs a service's command line: `serve` (the default), `migrate`, `routes` and the service's own. A wrong configuration
 * lists every problem and exits 1; an error nobody handled is logged and ends the process, because its state is unknown.
 */
export const runProgram = <S extends Settings & CommonSettings>(program: Program<S>): void => {
  const fail = (cause: unknown): void => {
    if (cause instanceof ConfigurationError) process.stderr.write(`${program.name}: ${cause.message}\n`);
    else createLogger({ service: program.name }).error('failed', { cause });
    process.exitCode = 1;
    setTimeout(() => process.exit(1), 200).unref();
  };
  process.on('unhandledRejection', fail);
  execute(program, process.argv.slice(2)).catch(fail);
};
