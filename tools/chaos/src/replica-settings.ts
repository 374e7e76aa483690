import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from '@platform/postgres';
import type { provisionServices } from '@platform/stack/database';
import { localUrl, type Ports, type ServiceName } from '@platform/stack/ports';
import type { Secrets } from '@platform/stack/secrets';
import { serviceEnvironment } from '@platform/stack/services';
import { environment } from '@platform/runtime';

/** The services that run twice, in the order in which they lose a process. */
export const TWICE = ['wa-gateway', 'chat-backend', 'bot-engine', 'commerce-api'] as const;
export const ONCE = ['store-auth'] as const;
export type Twice = (typeof TWICE)[number];

/** Agents answer on a device of their own, the bot on the demo shop's. */
export const AGENTS_DEVICE = 'dev2';

/** The hosts of the ingress that the run serves. */
export const HOSTS = {
  'store-auth': 'auth.example.com',
  'chat-backend': 'chat.example.com',
  'wa-gateway': 'wa.example.com',
  'commerce-api': 'shop.example.com',
};

export interface ReplicaPorts {
  readonly port: number;
  /** For siblings and other replicas; the gateway has only one port, as in the overlay. */
  readonly internalPort?: number;
}

export interface Addresses {
  readonly replicas: Readonly<Record<Twice, readonly ReplicaPorts[]>>;
  readonly single: Readonly<Record<(typeof ONCE)[number], ReplicaPorts>>;
  /** Ports of the Kubernetes Services. */
  readonly inside: Readonly<Record<Twice, number>>;
  readonly hosts: Readonly<Record<string, number>>;
  readonly redis: number;
  readonly llm: number;
}

export const replicaPorts = async (hasInternal: boolean): Promise<ReplicaPorts> => ({
  port: await freePort(),
  ...(hasInternal ? { internalPort: await freePort() } : {}),
});

export const freeAddresses = async (): Promise<Addresses> => {
  const pair = async (hasInternal: boolean) => [await replicaPorts(hasInternal), await replicaPorts(hasInternal)];
  const hosts = Object.values(HOSTS).map(async (host): Promise<[string, number]> => [host, await freePort()]);
  return {
    replicas: {
      'wa-gateway': await pair(false),
      'chat-backend': await pair(true),
      'bot-engine': await pair(true),
      'commerce-api': await pair(true),
    },
    single: { 'store-auth': await replicaPorts(true) },
    inside: {
      'wa-gateway': await freePort(),
      'chat-backend': await freePort(),
      'bot-engine': await freePort(),
      'commerce-api': await freePort(),
    },
    hosts: Object.fromEntries(await Promise.all(hosts)),
    redis: await freePort(),
    llm: await freePort(),
  };
};

/** The address for clients outside of the cluster. */
export const publicUrl = ({ hosts }: Addresses, service: keyof typeof HOSTS): string =>
  localUrl(hosts[HOSTS[service]] ?? 0);

/** The ports that siblings use: those of the Kubernetes Services. */
export const portsOf = ({ single, inside, redis, llm }: Addresses): Ports => ({
  base: 0,
  services: {
    ...inside,
    'store-auth': single['store-auth'].internalPort ?? 0,
    'ads-api': 0,
  },
  sandboxes: { push: 0, graph: 0, llm, doku: 0, xendit: 0, duitku: 0, rajaongkir: 0, mail: 0, whatsapp: 0 },
  smtp: 0,
  postgres: 0,
  redis,
  pgbouncer: 0,
});

export interface Surroundings {
  readonly addresses: Addresses;
  readonly secrets: Secrets;
  readonly databases: Awaited<ReturnType<typeof provisionServices>>;
  readonly folder: string;
  /** By which commerce-api reaches the sandboxes of its payment providers. */
  readonly pay: Readonly<Record<string, string>>;
  /** Host of the program that hears of the shop's orders. */
  readonly merchant: string;
}

/** What the overlay sets for a single service. */
const own = ({
  addresses,
  secrets,
  folder,
  pay,
  merchant,
}: Surroundings): Readonly<Partial<Record<ServiceName, Record<string, string>>>> => ({
  'chat-backend': {
    INTERNAL_GUARD: 'token',
    INTERNAL_TOKEN: randomBytes(32).toString('base64url'),
    MEDIA_BASE_URL: publicUrl(addresses, 'chat-backend'),
    MEDIA_INTERNAL_URL: localUrl(addresses.inside['chat-backend']),
    MEDIA_DIR: join(folder, 'media'),
  },
  'bot-engine': { ALLOW_SANDBOX_LLM: 'true' },
  'commerce-api': {
    // Production takes no payments from a sandbox; everything else is as there
    APP_ENV: 'development',
    MAIL_FROM: 'Toko <no-reply@shop.example.com>',
    PUBLIC_URL: publicUrl(addresses, 'commerce-api'),
    PAY_B_CONFIRM: 'true',
    WEBHOOK_ALLOW_HOSTS: merchant,
    ...pay,
  },
  'wa-gateway': {
    // Production has no simulated phones; everything else is as there
    APP_ENV: 'development',
    GATEWAY_API_KEY: secrets['gateway api key'],
    REALTIME_TOKEN: randomBytes(32).toString('base64url'),
    REALTIME_SCOPE: 'room',
    FILES_BASE_URL: publicUrl(addresses, 'wa-gateway'),
    // Pacing protects a real account; here it would only prolong the run
    SEND_RATE: '0',
    SEND_RATE_REPLY: '0',
  },
});

/** The settings of one process as in the production overlay, with the balancer and every sibling on this machine. */
export const settingsOf = (service: ServiceName, around: Surroundings, ports: ReplicaPorts): Record<string, string> => {
  const { addresses, secrets, databases, folder } = around;
  const redisUrl = `redis://127.0.0.1:${addresses.redis}`;
  const given = { PATH: environment.PATH, SIGNED_CALLBACKS: 'true' };
  const settings = {
    ...serviceEnvironment(service, {
      ...{ ports: portsOf(addresses), secrets, databases, redisUrl, folder, environment: given },
    }),
    APP_ENV: 'production',
    TRUST_PROXY: '127.0.0.1',
    PORT: String(ports.port),
    ...(ports.internalPort === undefined ? {} : { INTERNAL_PORT: String(ports.internalPort) }),
    ...own(around)[service],
  };
  return Object.fromEntries(Object.entries(settings).filter((entry): entry is [string, string] => Boolean(entry[1])));
};
