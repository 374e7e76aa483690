// `npm run -s token -- <e-mail>`: a bearer token, alone on standard output, for trying routes by hand.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { environment } from '@platform/runtime';
import { signIn } from './demo-calls';
import { demoShop } from './demo-shop';
import { localUrl, portBase, portsFrom } from './ports';
import { loadAdsKeys, loadSecrets } from './secrets';
import { readStackFile, requireStackFile } from './stack-file';
import { answersOk } from './unit';
import { dataFolder } from './workspace';

interface Person {
  readonly email: string;
  readonly password: string;
}

interface SignInPlace {
  readonly storeAuth: string;
  readonly people: readonly Person[];
}

/** The store-auth that `nx serve` starts beside a service has the same users as a stack. */
const served = async (folder: string): Promise<SignInPlace | undefined> => {
  const storeAuth = localUrl(portsFrom(portBase(environment.PORT_BASE)).services['store-auth']);
  if (!existsSync(join(folder, 'secrets.json')) || !(await answersOk(`${storeAuth}/ready`))) return undefined;
  const { owner, agents } = demoShop(loadSecrets(folder), loadAdsKeys(folder));
  return { storeAuth, people: [owner, ...agents] };
};

const placeOf = async (folder: string): Promise<SignInPlace> => {
  const serving = readStackFile(folder) ? undefined : await served(folder);
  if (serving) return serving;
  const { services, demo } = requireStackFile(folder);
  return { storeAuth: services['store-auth'] ?? '', people: [demo.owner, ...demo.agents] };
};

const usage = (people: readonly Person[]): string =>
  [
    'usage: npm run -s token -- <e-mail> [--password <password>]',
    'The password is needed for people who are not of the demo shop. Of the demo shop are:',
    ...people.map(({ email }) => `  ${email}`),
  ].join('\n');

const main = async (): Promise<void> => {
  const options = { password: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const { storeAuth, people } = await placeOf(dataFolder(environment));
  const [email] = positionals;
  if (values.help) return console.log(usage(people));
  if (email === undefined || positionals.length > 1) throw new Error(usage(people));
  const password = values.password ?? people.find((person) => person.email === email.toLowerCase())?.password;
  if (password === undefined) throw new Error(`No password is known for ${email}.\n${usage(people)}`);
  console.log(await signIn(storeAuth, { email, password }));
};

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
