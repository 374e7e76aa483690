import { parseArgs } from 'node:util';
import { userRoles, type UserRole } from '@platform/contracts';
import { Failure } from '@platform/errors';
import type { OpsService } from './ops.service';

const HELP = `Usage: store-auth ops <command> [options]

Commands
  create-user   --email <address> --name <name> [--store <store id>] [--role <role>]
                Makes a user and prints a random password once. With --store the user
                joins that store; roles: ${userRoles.join(', ')} (owner unless given).
  confirm-email --email <address>   Confirms the address in the place of its owner, who may then log in.
  disable-user  --email <address>   Ends every login of the user and refuses new ones.
  enable-user   --email <address>   Lets a disabled user log in again.
  rotate-keys                       Publishes the next signing key. Running replicas sign with it
                                    as soon as every verifier knows it; no token is refused.
  revoke-key    --kid <key id>      Takes a signing key that others may have out of use: within ten seconds no
                                    service takes what it has signed, and another key signs. Who has a
                                    refresh token gets another token with it, everybody else logs in again.
  reseal                            Seals stored secrets with the newest key of SIGNING_KEY_SECRET; then
                                    the older keys can be taken out of it.
  unlock        --email <address> | --address <ip>
                                    Forgets failed logins, so that the account or address may try again.
  --json                            Answers with one JSON line, for scripts.
  --help                            Shows this text.

The database is the one of DATABASE_URL.
`;

/** Shown to the operator as is, without a stack trace. */
class UsageError extends Error {}

const OPTIONS = {
  email: { type: 'string' },
  name: { type: 'string' },
  store: { type: 'string' },
  role: { type: 'string', default: 'owner' },
  address: { type: 'string' },
  kid: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const optionOf = (arg: string): { readonly type: string } | undefined =>
  Object.entries(OPTIONS).find(([name]) => `--${name}` === arg.replace(/=.*/s, ''))?.[1];

/** A value that begins with a dash belongs to the option before it: one key id of 64 does. */
const joined = ([first, second, ...rest]: readonly string[]): string[] => {
  if (first === undefined) return [];
  if (second?.startsWith('-') && !first.includes('=') && optionOf(first)?.type === 'string' && !optionOf(second))
    return [`${first}=${second}`, ...joined(rest)];
  return [first, ...joined(second === undefined ? [] : [second, ...rest])];
};

const read = (args: readonly string[]) => {
  try {
    return parseArgs({ args: joined(args), options: OPTIONS, allowPositionals: true });
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
};

type Values = ReturnType<typeof read>['values'];

const given = (values: Values, option: 'email' | 'name' | 'kid'): string => {
  const value = values[option]?.trim();
  if (value) return value;
  throw new UsageError(`--${option} is missing`);
};

const emailOf = (values: Values): string => {
  const email = given(values, 'email');
  if (/^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 254) return email;
  throw new UsageError('--email must be an e-mail address');
};

const roleOf = ({ role }: Values): UserRole => {
  const known = userRoles.find((each) => each === role);
  if (known) return known;
  throw new UsageError(`--role must be one of ${userRoles.join(', ')}`);
};

/** The outcome of a command, for people and for scripts. */
interface Outcome {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const createUser = async (ops: OpsService, values: Values): Promise<Outcome> => {
  const request = { email: emailOf(values), name: given(values, 'name'), storeId: values.store, role: roleOf(values) };
  const { user, password } = await ops.createUser(request);
  const place = request.storeId === undefined ? '' : `, ${request.role} of ${request.storeId}`;
  return {
    text: `created ${user.email} (${user.id}${place})\npassword, shown this once: ${password}`,
    data: { user_id: user.id, email: user.email, store_id: request.storeId, role: request.role, password },
  };
};

const setStatus =
  (status: 'active' | 'disabled', done: string) =>
  async (ops: OpsService, values: Values): Promise<Outcome> => {
    const { email } = await ops.setStatus(emailOf(values), status);
    return { text: `${done} ${email}`, data: { email, status } };
  };

const confirmEmail = async (ops: OpsService, values: Values): Promise<Outcome> => {
  const { email } = await ops.confirmEmail(emailOf(values));
  return { text: `confirmed ${email}`, data: { email, email_verified: true } };
};

const rotateKeys = async (ops: OpsService): Promise<Outcome> => {
  const { kid, signsFrom } = await ops.rotateKeys();
  const data = { kid, signs_from: signsFrom.toISOString() };
  return { text: `the next key ${kid} is published and signs from ${data.signs_from}`, data };
};

const revokeKey = async (ops: OpsService, values: Values): Promise<Outcome> => {
  const kid = given(values, 'kid');
  const { current } = await ops.revokeKey(kid);
  return { text: `the key ${kid} is out of use, ${current} signs`, data: { revoked: kid, current } };
};

const reseal = async (ops: OpsService): Promise<Outcome> => {
  const resealed = await ops.reseal();
  return { text: `sealed ${resealed} boxes anew`, data: { resealed } };
};

const unlock = async (ops: OpsService, { email, address }: Values): Promise<Outcome> => {
  if (!email === !address) throw new UsageError('give either --email or --address');
  const forgotten = await ops.unlock(email ? { email } : { address: address ?? '' });
  const text = forgotten ? `unlocked ${email ?? address}` : `${email ?? address} had no failed logins`;
  return { text, data: { email, address, forgotten } };
};

const COMMANDS: Readonly<Record<string, (ops: OpsService, values: Values) => Promise<Outcome>>> = {
  'create-user': createUser,
  'confirm-email': confirmEmail,
  'disable-user': setStatus('disabled', 'disabled'),
  'enable-user': setStatus('active', 'enabled'),
  'rotate-keys': rotateKeys,
  'revoke-key': revokeKey,
  reseal,
  unlock,
};

const run = async (
  args: readonly string[],
  connected: (work: (ops: OpsService) => Promise<Outcome>) => Promise<Outcome>,
) => {
  const { values, positionals } = read(args);
  const [name, ...rest] = positionals;
  if (values.help || name === undefined || name === 'help') return HELP;
  const command = COMMANDS[name];
  if (!command || rest.length > 0) throw new UsageError(`unknown command "${positionals.join(' ')}"`);
  const { text, data } = await connected((ops) => command(ops, values));
  return `${values.json ? JSON.stringify(data) : text}\n`;
};

/** The `ops` command line. `connected` runs work with the database open. Exits with 2 on wrong usage, with 1 on a refusal. */
export const opsCommand =
  (connected: (work: (ops: OpsService) => Promise<Outcome>) => Promise<Outcome>) =>
  async (args: readonly string[]): Promise<void> => {
    try {
      process.stdout.write(await run(args, connected));
    } catch (failure) {
      if (!(failure instanceof UsageError) && !(failure instanceof Failure)) throw failure;
      const usage = failure instanceof UsageError;
      process.stderr.write(`${failure.message}${usage ? '\nSee: store-auth ops --help' : ''}\n`);
      process.exitCode = usage ? 2 : 1;
    }
  };
