// `npm run -s roles -- <admin address> <folder>`: role, settings, schema and extensions of every service on a server that is
// not ours, such as a managed one. The folder holds the services' `<service>.env` files (docker/secrets.mjs); what DATABASE_URL
// says in them is made so. Safe to repeat.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { provision } from '@platform/data';
import { schemaOf } from './database';
import { SERVICES, type ServiceName } from './ports';

const USAGE =
  'usage: npm run -s roles -- postgres://admin:password@host:5432/platform <folder with <service>.env files>';

/** The role as the service's own file names it; nothing when the folder has none for it. */
const roleIn = (folder: string, service: ServiceName) => {
  const file = join(folder, `${service}.env`);
  if (!existsSync(file)) return undefined;
  const [, address = ''] = /^DATABASE_URL=(.*)$/m.exec(readFileSync(file, 'utf8')) ?? [];
  if (!URL.canParse(address))
    throw new Error(`${file} has no DATABASE_URL like postgres://role:password@host:5432/database`);
  const { username, password } = new URL(address);
  return { role: decodeURIComponent(username), password: decodeURIComponent(password), schema: schemaOf(service) };
};

/** One after the other: they share the lock of provisioning. Prints a line for each; passwords are not printed. */
export const provisionRoles = async (
  adminUrl: string,
  folder: string,
  print: (line: string) => void,
): Promise<void> => {
  const found = SERVICES.flatMap((service) => roleIn(folder, service) ?? []);
  if (found.length === 0) throw new Error(`${folder} holds no <service>.env file of ${SERVICES.join(', ')}`);
  for (const wanted of found) {
    await provision(adminUrl, wanted);
    print(`role ${wanted.role} with the schema ${wanted.schema}`);
  }
};

if (require.main === module) {
  const [adminUrl = '', folder = ''] = process.argv.slice(2);
  const run =
    URL.canParse(adminUrl) && folder ? provisionRoles(adminUrl, folder, console.log) : Promise.reject(new Error(USAGE));
  run.catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
}
