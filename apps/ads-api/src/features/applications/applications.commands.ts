import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { isUuid, systemClock, type Clock } from '@platform/runtime';
import type { ApplicationsRepository } from './applications.repository';
import { requirePublicKey } from './public-key';

type Command = (args: readonly string[]) => Promise<void>;

const USAGE = `Usage:
  applications create --name <name> --key-file <public key PEM> [--client-key <uuid>]
  applications list
  applications disable <client key>`;

const clientKeyOf = (text: string | undefined): string => {
  if (text && isUuid(text)) return text.toLowerCase();
  throw new Error(`The client key must be a UUID.\n${USAGE}`);
};

export interface CommandSurroundings {
  readonly applications: ApplicationsRepository;
  readonly clock?: Clock;
  readonly print?: (line: string) => void;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** `applications create | list | disable`: one JSON line per application on standard output. */
export const applicationsCommand = ({
  applications,
  clock = systemClock,
  print: out = print,
}: CommandSurroundings): Command => {
  const create: Command = async (args) => {
    const option = { type: 'string' } as const;
    const options = { name: option, 'key-file': option, 'client-key': option };
    const { values } = parseArgs({ args: [...args], options });
    if (!values.name || !values['key-file']) throw new Error(`create needs --name and --key-file.\n${USAGE}`);
    const key = requirePublicKey(await readFile(values['key-file'], 'utf8'));
    const id = clientKeyOf(values['client-key'] ?? randomUUID());
    await applications.register({ id, name: values.name, key }, clock.now());
    out(JSON.stringify({ client_key: id, name: values.name, fingerprint: key.fingerprint }));
  };
  const list: Command = async () => (await applications.list()).forEach((each) => out(JSON.stringify(each)));
  const disable: Command = async ([id]) => {
    const clientKey = clientKeyOf(id);
    if (!(await applications.disable(clientKey)))
      throw new Error(`No application has the client key ${clientKey}: see applications list.`);
    out(JSON.stringify({ client_key: clientKey, is_active: false }));
  };
  const commands: Record<string, Command | undefined> = { create, list, disable };
  return async ([name = '', ...args]) => {
    const command = commands[name];
    if (!command) throw new Error(USAGE);
    await command(args);
  };
};

interface DemoShop {
  readonly ads?: { readonly client_key: string; readonly name: string; readonly public_key: string };
}

/** `seed <json>`: registers the demo shop's application under its client key. Repeating it changes nothing. */
export const seedCommand =
  ({ applications, clock = systemClock }: CommandSurroundings): Command =>
  async ([json = '{}']) => {
    const { ads } = JSON.parse(json) as DemoShop;
    if (!ads) return;
    const key = requirePublicKey(ads.public_key);
    await applications.register({ id: clientKeyOf(ads.client_key), name: ads.name, key }, clock.now());
  };
