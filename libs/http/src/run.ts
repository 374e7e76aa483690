import { once } from 'node:events';
import {
  appEnv,
  choice,
  ConfigurationError,
  createLogger,
  environment,
  httpUrl,
  loadConfig,
  optional,
  port,
  redisUrl,
  sessionsOf,
  stopAll,
  text,
  type ConfigOf,
  type Logger,
  type Settings,
} from '@platform/runtime';
import { commandLines, commandNamed, commandsOf } from './command';
import { createMetrics } from './metrics';
import { listenersOf, startService, type ListenOptions } from './server';
import type { Service } from './service';

/** Settings of every service. */
export const commonSettings = (defaultPort: number) => ({
  APP_ENV: appEnv,
  PORT: port({ fallback: defaultPort }),
  HOST: text({ fallback: '0.0.0.0' }),
  /** Second listener with all routes; internal ones, /health, /metrics and /docs are then hidden on PORT. */
  INTERNAL_PORT: optional(port()),
  METRICS_PORT: optional(port()),
  /** Where the other replicas reach this one; by default POD_IP, or else the host's name, with the port. */
  POD_ADDRESS: optional(httpUrl()),
  POD_IP: optional(text()),
  LOG_LEVEL: choice(['debug', 'info', 'warn', 'error', 'silent'], { fallback: 'info' }),
  REDIS_URL: redisUrl,
});

export type CommonSettings = ReturnType<typeof commonSettings>;

/** A service as a program: its settings, and how it is composed from them. Nothing may connect inside `create`. */
export interface Program<S extends Settings & CommonSettings> {
  readonly name: string;
  readonly settings: S;
  create(config: ConfigOf<S>, logger: Logger): Service;
}

const STOP_LIMIT_MS = 10_000;
/** A sibling that calls now and then finds out by an answer that a pod goes, not by a connection that has ended. */
const LINGER_MS = 2_000;
const STOPS = ['SIGTERM', 'SIGINT'] as const;
const HELP: ReadonlySet<string> = new Set(['help', '--help', '-h']);

const listenOptions = (config: ConfigOf<CommonSettings>, logger: Logger): ListenOptions => ({
  port: config.PORT,
  host: config.HOST,
  internalPort: config.INTERNAL_PORT,
  metricsPort: config.METRICS_PORT,
  logger,
  hsts: config.APP_ENV === 'production',
  lingerMs: config.APP_ENV === 'production' ? LINGER_MS : 0,
});

/** What the database server, and the pooler before it, must have room for. */
const sessionsText = ({ components }: Service): string => {
  const { direct, pooled } = sessionsOf(components);
  if (direct + pooled === 0) return '';
  return `, at most ${direct} connections to PostgreSQL${pooled === 0 ? '' : ` and ${pooled} to its pooler`}`;
};

/** Settings are read and every route is mounted; nothing connects and nothing listens. */
const check = async (service: Service, options: ListenOptions): Promise<void> => {
  const listeners = listenersOf(service, options, createMetrics(service.name), () => false);
  const ports = listeners.map(({ port }) => port).join(', ');
  process.stdout.write(
    `${service.name}: the settings are in order, ${service.endpoints.length} endpoints for port ${ports}${sessionsText(service)}\n`,
  );
};

/**
 * Serves until it is told to stop. That is heard from the beginning: a start may wait for minutes, and the first process of a
 * container ignores signals that it does not handle.
 */
const serve = async (service: Service, options: ListenOptions): Promise<void> => {
  const { logger } = options;
  const end = new AbortController();
  const ended = once(end.signal, 'abort');
  const stop = (signal: NodeJS.Signals): void => {
    if (end.signal.aborted) return;
    logger.info('stopping', { signal });
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    end.abort();
  };
  for (const signal of STOPS) process.on(signal, stop);
  const running = await startService(service, { ...options, signal: end.signal }).catch((cause: unknown) => {
    if (!end.signal.aborted) throw cause;
  });
  if (running) logger.info('ready', { url: running.url });
  await ended;
  const failures = (await running?.stop()) ?? [];
  for (const cause of failures) logger.error('did not stop cleanly', { cause });
  logger.info('stopped');
  process.exit(failures.length > 0 ? 1 : 0);
};

const execute = async <S extends Settings & CommonSettings>(
  program: Program<S>,
  [command = 'serve', ...args]: readonly string[],
): Promise<void> => {
  const config = loadConfig(program.settings, environment);
  const logger = createLogger({ service: program.name, level: (config as ConfigOf<CommonSettings>).LOG_LEVEL });
  const service = program.create(config, logger);
  const options = listenOptions(config as ConfigOf<CommonSettings>, logger);
  const commands = {
    serve: { summary: 'answers over HTTP until it is stopped', run: () => serve(service, options) },
    check: { summary: 'reads the settings and mounts every route, no more', run: () => check(service, options) },
    ...commandsOf(service),
  };
  if (HELP.has(command)) return void process.stdout.write(`${commandLines(commands).join('\n')}\n`);
  await commandNamed(commands, command).run(args);
  // Pools opened by a command would keep the process alive
  if (command !== 'serve') await stopAll(service.components);
};

/**
 * Runs a service's command line: `serve` (the default), `check` (settings and routes, without a connection), `migrate`, `routes`
 * and the service's own. A wrong configuration
 * lists every problem and exits 1; an unhandled error is logged and ends the process, because its state is unknown.
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
