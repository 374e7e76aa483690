// `npm run reset`: back to a fresh clone's state; the next `npm start` makes new data and new secrets.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { environment } from '@platform/runtime';
import { refuseSecond } from './claim';
import { endLeftoverServer } from './database';
import { SERVICES } from './ports';
import { endLeftoverPgBouncer, endLeftoverRedis } from './leftover';
import { dataFolder, shown, type Environment } from './workspace';

const PARTS: Readonly<Record<string, string>> = {
  postgres: 'the database',
  redis: "Redis' working folder",
  serve: 'databases of `nx serve`',
  logs: 'logs',
  media: 'media files',
  files: 'files of the gateway',
  ads: "the demo client's key pair",
  'secrets.json': 'generated secrets and passwords',
};

/** Only a folder created by a stack is deleted, whatever DATA_DIR says. */
const isOurs = (folder: string): boolean => existsSync(join(folder, 'secrets.json'));

const served = (folder: string) => SERVICES.filter((service) => existsSync(join(folder, 'serve', service)));

/** Deletes the data folder and lists its content; throws while a stack uses it. */
export const reset = async (settings: Environment): Promise<string> => {
  const folder = dataFolder(settings);
  if (!existsSync(folder)) return `Nothing to delete: there is no ${shown(folder)}.`;
  refuseSecond(join(folder, 'postgres'), 'A stack', ' first: nothing was deleted');
  for (const service of served(folder))
    refuseSecond(join(folder, 'serve', service), `nx serve ${service}`, ' first: nothing was deleted');
  if (!isOurs(folder)) throw new Error(`${shown(folder)} holds no data of a stack: nothing was deleted.`);
  await endLeftoverServer(join(folder, 'postgres'));
  for (const service of served(folder)) await endLeftoverServer(join(folder, 'serve', service));
  await endLeftoverRedis(join(folder, 'redis'));
  await endLeftoverPgBouncer(join(folder, 'pgbouncer'));
  const parts = readdirSync(folder).flatMap((name) => PARTS[name] ?? []);
  rmSync(folder, { recursive: true, force: true });
  return `Deleted ${shown(folder)}: ${parts.join(', ')}.`;
};

if (require.main === module)
  reset(environment).then(console.log, (error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
