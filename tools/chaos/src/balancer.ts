import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { logFile } from '@platform/stack/log-file';
import { watchProcess, type Running } from '@platform/stack/unit';
import type { Ingress } from './ingress';

/** Replicas of each service, as `host:port`. */
export type Upstreams = Readonly<Record<string, readonly string[]>>;

export interface BalancerOptions {
  readonly folder: string;
  /** What is reachable from outside. */
  readonly ingress: Ingress;
  /** The port on which each host of the ingress is served: ports, because the host names do not resolve. */
  readonly hosts: Readonly<Record<string, number>>;
  /** Replicas by service, as the ingress names them. */
  readonly public: Upstreams;
  /** Kubernetes Services: the port at which siblings reach a service, and its replicas there. */
  readonly inside: Readonly<Record<string, { readonly port: number; readonly replicas: readonly string[] }>>;
  /** The replicas change at run time: connections close after each answer, because a reload would close them at any moment. */
  readonly reloads?: boolean;
}

/** A replica that refused a connection is skipped for as long as Kubernetes may take to notice that it is gone. */
const upstream = (name: string, replicas: readonly string[]): string =>
  [
    `  upstream ${name} {`,
    ...replicas.map((address) => `    server ${address} max_fails=1 fail_timeout=1s;`),
    '    keepalive 64;',
    '  }',
  ].join('\n');

/** ingress-nginx matches a prefix by whole path elements: /v1 does not match /v10. */
const matches = (path: string, exact: boolean): string[] =>
  exact ? [`= ${path}`] : path === '/' ? ['/'] : [`= ${path}`, `${path}/`];

const publicServer = ({ host, paths }: Ingress['rules'][number], { hosts, public: replicas }: BalancerOptions) => {
  const port = hosts[host];
  if (port === undefined) return [];
  const locations = paths.flatMap(({ path, exact, service }) =>
    matches(path, exact).map((match) =>
      replicas[service]
        ? `    location ${match} { proxy_pass http://public-${service}; }`
        : `    location ${match} { return 503; }`,
    ),
  );
  const isRoot = locations.some((line) => line.includes('location / '));
  return [
    '  server {',
    `    listen 127.0.0.1:${port}; # ${host}`,
    '    proxy_next_upstream error timeout; # never a POST that was sent: it may have had an effect',
    '    proxy_next_upstream_tries 3;',
    ...locations,
    ...(isRoot ? [] : ['    location / { return 404; }']),
    '  }',
  ];
};

/** Inside a cluster, nothing retries a request on behalf of its caller. */
const insideServer = (name: string, port: number): string[] => [
  '  server {',
  `    listen 127.0.0.1:${port}; # Service ${name}`,
  '    proxy_next_upstream off;',
  `    location / { proxy_pass http://inside-${name}; }`,
  '  }',
];

/** Round robin per request, without affinity; the timeout and the size limit are those of the ingress. */
export const nginxConfig = (options: BalancerOptions): string => {
  const { folder, ingress, public: replicas, inside } = options;
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  // Started as root, nginx would run its worker as `nobody`, who may not read the folder of this run
  const user = userInfo().uid === 0 ? [`user ${userInfo().username};`] : [];
  return [
    ...user,
    ...['daemon off;', 'worker_processes 1;', `pid ${folder}/nginx.pid;`, `error_log ${folder}/error.log warn;`],
    'events { worker_connections 4096; }',
    'http {',
    ...temporary.map((name) => `  ${name}_temp_path ${folder}/${name};`),
    "  log_format spread '$server_port $upstream_addr $status $request_method $uri';",
    `  access_log ${folder}/access.log spread;`,
    "  map $http_upgrade $connection_upgrade { default upgrade; '' ''; }",
    `  client_max_body_size ${ingress.bodySize};`,
    ...(options.reloads ? ['  keepalive_timeout 0;'] : []),
    '  proxy_http_version 1.1;',
    '  proxy_connect_timeout 5s;',
    `  proxy_read_timeout ${ingress.readTimeout}s;`,
    '  proxy_set_header Host $http_host;',
    '  proxy_set_header X-Forwarded-For $remote_addr;',
    '  proxy_set_header X-Forwarded-Proto $scheme;',
    '  proxy_set_header Upgrade $http_upgrade;',
    '  proxy_set_header Connection $connection_upgrade;',
    ...Object.entries(replicas).map(([name, addresses]) => upstream(`public-${name}`, addresses)),
    ...Object.entries(inside).map(([name, service]) => upstream(`inside-${name}`, service.replicas)),
    ...ingress.rules.flatMap((rule) => publicServer(rule, options)),
    ...Object.entries(inside).flatMap(([name, { port }]) => insideServer(name, port)),
    '}\n',
  ].join('\n');
};

const STOP_LIMIT_MS = 2_000;

export interface Balancer extends Running {
  /** Routes to other replicas from now on; requests in flight end where they are. */
  route(replicas: Pick<BalancerOptions, 'public' | 'inside'>): void;
}

/** Starts nginx; resolves when it answers. Rejects with its output. */
export const startBalancer = async (binary: string, options: BalancerOptions): Promise<Balancer> => {
  const { folder, hosts } = options;
  mkdirSync(folder, { recursive: true });
  const write = (now: BalancerOptions): void => writeFileSync(join(folder, 'nginx.conf'), nginxConfig(now));
  write(options);
  const log = logFile(join(folder, 'nginx.log'));
  const args = ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')];
  const child = log.use((output) => spawn(binary, args, { detached: true, stdio: ['ignore', output, output] }));
  const [port] = Object.values(hosts);
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  const running = watchProcess(child, { isReady, stopWithinMs: STOP_LIMIT_MS });
  await running.ready.catch((cause: unknown) => {
    throw new Error(`nginx ${(cause as Error).message}:\n${log.tail()}`, { cause });
  });
  const route: Balancer['route'] = (replicas) => {
    write({ ...options, ...replicas });
    child.kill('SIGHUP');
  };
  return { ...running, route };
};

/** Number of requests by replica, and how many the balancer could not pass on. */
export const spreadOf = (
  folder: string,
): { readonly byReplica: ReadonlyMap<string, number>; readonly failed: number } => {
  const byReplica = new Map<string, number>();
  let failed = 0;
  for (const line of readFileSync(join(folder, 'access.log'), 'utf8').split('\n')) {
    // The line of a request that was tried on two replicas names both: `a, b`
    const [, addresses = '', status] = /^\d+ (.+?) (\d{3}) /.exec(line) ?? [];
    for (const address of addresses.split(', ').filter((each) => each.includes(':')))
      byReplica.set(address, (byReplica.get(address) ?? 0) + 1);
    if (status === '502' || status === '504') failed += 1;
  }
  return { byReplica, failed };
};

/** Number of answers by status, without sockets: clients begin a new session when theirs ends with its replica. */
export const answersOf = (folder: string): ReadonlyMap<string, number> => {
  const answers = new Map<string, number>();
  for (const line of readFileSync(join(folder, 'access.log'), 'utf8').split('\n')) {
    const [, status, uri = ''] = /^\d+ .+? (\d{3}) \w+ (\S+)$/.exec(line) ?? [];
    if (status !== undefined && !uri.startsWith('/socket.io')) answers.set(status, (answers.get(status) ?? 0) + 1);
  }
  return answers;
};
