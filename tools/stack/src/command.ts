// `npm run -s command -- <app> <command> ...`: a service's own command against the running stack, with the settings that
// `npm start` gives the service. Standard output belongs to the command; what the service logs goes to standard error.
import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { commandLines, commandNamed, commandsOf, type Service } from '@platform/http';
import { createLogger, environment, loadConfig, stopAll, type LogLevel } from '@platform/runtime';
import { knownAddressesOf } from './database';
import { demoShop } from './demo-shop';
import { portBase, portsFrom, serviceNamed, SERVICES, type ServiceName } from './ports';
import { programOf } from './program';
import { loadAdsKeys, loadSecrets, passingSecrets, type Secrets } from './secrets';
import { serviceEnvironment } from './services';
import { readStackFile, requireStackFile } from './stack-file';
import { dataFolder, type Environment } from './workspace';

const USAGE = `usage: npm run -s command -- <app> <command> ...
       npm run -s command -- <app>          lists the commands of an app

apps: ${SERVICES.join(', ')}

The stack must run (npm start), with the same PORT_BASE and DATA_DIR. Files are looked for where you are.`;

const HELP: ReadonlySet<string> = new Set(['help', '--help', '-h']);

/** Wrong usage, not a command that failed. */
class UsageError extends Error {}

const misuse = <T>(look: () => T): T => {
  try {
    return look();
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause });
  }
};

/** The settings that `npm start` would give the service; without a stack samples, which are enough to list commands. */
const settingsFor = (app: ServiceName, folder: string): Environment => {
  const ports = portsFrom(portBase(environment.PORT_BASE));
  const stack = readStackFile(folder);
  const secrets: Secrets = stack ? loadSecrets(folder) : passingSecrets();
  return serviceEnvironment(app, {
    ports,
    secrets,
    databases: { [app]: knownAddressesOf(app, ports.postgres, secrets) },
    redisUrl: stack?.pids.redis ? `redis://127.0.0.1:${ports.redis}` : environment.REDIS_URL,
    folder,
    environment,
  });
};

const create = (app: ServiceName, settings: Environment): Service => {
  const program = programOf(app);
  const level = (environment.LOG_LEVEL || 'warn') as LogLevel;
  const write = (line: string): void => void process.stderr.write(`${line}\n`);
  return program.create(loadConfig(program.settings, settings), createLogger({ service: app, level, write }));
};

const list = (app: ServiceName, service: Service): string =>
  [
    `usage: npm run -s command -- ${app} <command> ...\n`,
    ...commandLines(commandsOf(service)),
    ...(service.commands?.seed ? ['\nseed without a shop takes the demo shop.'] : []),
  ].join('\n');

/** Paths of files are relative to where the command was typed, not to where npm went. */
const returnToCaller = (): void => {
  if (environment.INIT_CWD && existsSync(environment.INIT_CWD)) process.chdir(environment.INIT_CWD);
};

const argumentsOf = (name: string, given: readonly string[], folder: string): readonly string[] =>
  name === 'seed' && given.length === 0 ? [JSON.stringify(demoShop(loadSecrets(folder), loadAdsKeys(folder)))] : given;

type Print = Pick<Console, 'log' | 'error'>;

const main = async ([appName, name, ...given]: readonly string[], { log }: Print): Promise<void> => {
  if (appName === undefined) throw new UsageError(USAGE);
  if (HELP.has(appName)) return log(USAGE);
  const app = misuse(() => serviceNamed(appName));
  const folder = dataFolder(environment);
  const service = create(app, settingsFor(app, folder));
  if (name === undefined || HELP.has(name)) return log(list(app, service));
  const command = misuse(() => commandNamed(commandsOf(service), name));
  requireStackFile(folder);
  returnToCaller();
  try {
    await command.run(argumentsOf(name, given, folder));
  } finally {
    await stopAll(service.components);
  }
};

/** Resolves to the exit code of a failure, after it was printed. */
export const runCommand = async (args: readonly string[], print: Print = console): Promise<number | undefined> => {
  try {
    return void (await main(args, print));
  } catch (error) {
    print.error(error instanceof Error ? error.message : String(error));
    return error instanceof UsageError ? 2 : 1;
  }
};

// Ends it, whatever a command has left open
if (require.main === module) void runCommand(process.argv.slice(2)).then((code) => process.exit(code));
