import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, overTcp, scratchFolder } from './cluster';
import { identity, own } from './identity';

export interface PgBouncerOptions {
  /** The program; every distribution packages it. */
  readonly binary: string;
  /** Addresses of the roles that may come through, all of one server. */
  readonly roles: readonly string[];
  /** Sessions at the server for each role and database. */
  readonly sessions: number;
  /** For its configuration; made when missing. */
  readonly directory: string;
  readonly port: number;
}

/** From then on clients may name their statements. */
const NAMED_SINCE = { major: 1, minor: 21 };

/** Whether this PgBouncer keeps named statements (`max_prepared_statements`). Throws when the program is none. */
export const keepsNamedStatements = (binary: string): boolean => {
  const { stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  if (major === undefined) throw new Error(`PGBOUNCER=${binary} does not name a PgBouncer.`);
  return Number(major) > NAMED_SINCE.major || Number(minor) >= NAMED_SINCE.minor;
};

/** The address of the same role and database through a PgBouncer on this machine. */
export const throughPgBouncer = (direct: string, port: number): string => {
  const url = overTcp(direct);
  url.host = `127.0.0.1:${port}`;
  return url.href;
};

const quoted = (text: string): string => `"${decodeURIComponent(text).replaceAll('"', '""')}"`;

const settingsOf = ({ binary, sessions, directory, port }: PgBouncerOptions, users: string) => ({
  listen_addr: '127.0.0.1',
  listen_port: port,
  unix_socket_dir: '',
  pidfile: join(directory, 'pgbouncer.pid'),
  auth_type: 'scram-sha-256',
  auth_file: users,
  pool_mode: 'transaction',
  default_pool_size: sessions,
  max_client_conn: 1000,
  query_wait_timeout: 15,
  log_connections: 0,
  log_disconnections: 0,
  ...(keepsNamedStatements(binary) ? { max_prepared_statements: 500 } : {}),
});

/** Writes its configuration and returns what to spawn: a PgBouncer in transaction mode, which stays in the foreground. */
export const pgBouncerCommand = (options: PgBouncerOptions): [string, string[], SpawnOptions] => {
  const { binary, roles, directory } = options;
  const [file, users] = [join(directory, 'pgbouncer.ini'), join(directory, 'users.txt')];
  const urls = roles.map((role) => new URL(role));
  const settings = Object.entries(settingsOf(options, users)).map(([name, value]) => `${name} = ${value}\n`);
  const server = `* = host=${urls[0]?.hostname} port=${urls[0]?.port}\n`;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(file, `[databases]\n${server}[pgbouncer]\n${settings.join('')}`, { mode: 0o600 });
  const passwords = urls.map(({ username, password }) => `${quoted(username)} ${quoted(password)}\n`);
  writeFileSync(users, passwords.join(''), { mode: 0o600 });
  const who = identity();
  own(who, directory, file, users);
  return [...who.wrap(binary, [file]), { uid: who.uid, gid: who.gid, detached: true }];
};

const whenUp = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let log = '';
    child.once('exit', () => reject(new Error(`PgBouncer did not start:\n${log}`)));
    child.once('error', reject);
    child.stderr?.on('data', (chunk: Buffer) => {
      log = `${log}${chunk.toString()}`.slice(-4_000);
      if (log.includes('process up')) resolve();
    });
  });

/** It keeps nothing, so it is killed with its files, also when this process is. */
const endWithUs = (pid: number, directory: string): ChildProcess =>
  spawn('sh', ['-c', 'read _; kill -KILL "$0"; rm -rf "$1"', String(pid), directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });

/** A PgBouncer of one test: before the server of `role`, for this role and all its databases. */
export interface PgBouncer {
  readonly keepsNamedStatements: boolean;
  urlOf(direct: string): string;
  stop(): Promise<void>;
}

export const startPgBouncer = async (binary: string, role: string, sessions: number): Promise<PgBouncer> => {
  const directory = mkdtempSync(join(scratchFolder(), 'platform-pgbouncer-'));
  const port = await freePort();
  const [file, args, more] = pgBouncerCommand({ binary, roles: [role], sessions, directory, port });
  const child = spawn(file, args, { ...more, stdio: ['ignore', 'ignore', 'pipe'] });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await whenUp(child);
  const guard = endWithUs(child.pid as number, directory);
  return {
    keepsNamedStatements: keepsNamedStatements(binary),
    urlOf: (direct) => throughPgBouncer(direct, port),
    stop: async () => {
      guard.stdin?.end();
      await gone;
    },
  };
};
