import 'reflect-metadata';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { routeLines, type CommonSettings, type Program, type Service } from '@platform/http';
import { loadConfig, silentLogger, type Settings } from '@platform/runtime';

const load = createRequire(__filename);
const APPS = join(__dirname, '../../../apps');
/** Every setting accepts one of these: listing routes needs values, not servers, because nothing connects. */
const SAMPLES = [
  'postgres://user:password@127.0.0.1:1/sample',
  'http://127.0.0.1:1',
  '1',
  'true',
  Buffer.alloc(32).toString('base64'),
  '[]',
  '{}',
];

/** Values for the settings that have no default. */
export const sampleEnvironment = (settings: Settings): Record<string, string> =>
  Object.fromEntries(
    Object.entries(settings)
      .filter(([, setting]) => !('fallback' in setting))
      .map(([name, { read, expects }]) => {
        const sample = SAMPLES.find((value) => read(value) !== undefined);
        if (sample === undefined) throw new Error(`no sample value is ${expects} (${name}): add one to SAMPLES`);
        return [name, sample];
      }),
  );

/** The service of every app, from its composition root; no server is started and nothing connects. */
export const allServices = (): Service[] =>
  readdirSync(APPS).map((app) => {
    const { program } = load(join(APPS, app, 'src/app')) as { program: Program<Settings & CommonSettings> };
    return program.create(loadConfig(program.settings, sampleEnvironment(program.settings)), silentLogger);
  });

/** Every mounted registration of every app as `service,METHOD,/path/{param},guard`. */
export const allRoutes = (): string[] => allServices().flatMap(routeLines);

if (require.main === module) process.stdout.write(`service,method,path,guard\n${allRoutes().join('\n')}\n`);
