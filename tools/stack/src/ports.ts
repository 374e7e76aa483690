/** The services, in the order of their ports and of their starts. */
export const SERVICES = ['store-auth', 'chat-backend', 'bot-engine', 'wa-gateway', 'commerce-api', 'ads-api'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** The service of that name. Throws with the known names. */
export const serviceNamed = (name: string): ServiceName => {
  const service = SERVICES.find((each) => each === name);
  if (!service) throw new Error(`unknown app "${name}": use one of ${SERVICES.join(', ')}`);
  return service;
};

/** Stand-ins for third parties. The ports of all are fixed (architecture section 7), even of those that do not exist yet. */
const SANDBOX_OFFSETS = {
  push: 100,
  graph: 101,
  llm: 102,
  doku: 103,
  xendit: 104,
  duitku: 105,
  rajaongkir: 106,
  mail: 107,
  whatsapp: 108,
} as const;
export type SandboxName = keyof typeof SANDBOX_OFFSETS;

/** Derived from the usual ports 5432, 6379 and 6432. */
const POSTGRES_OFFSET = 54;
const REDIS_OFFSET = 63;
const PGBOUNCER_OFFSET = 64;
/** Of the mail sandbox, from the usual port 25. */
const SMTP_OFFSET = 25;

export interface Ports {
  readonly base: number;
  readonly services: Readonly<Record<ServiceName, number>>;
  readonly sandboxes: Readonly<Record<SandboxName, number>>;
  readonly postgres: number;
  readonly redis: number;
  readonly pgbouncer: number;
  readonly smtp: number;
}

export const DEFAULT_PORT_BASE = 3000;
const LOWEST = 1024;
const HIGHEST = 65_000;

/** `PORT_BASE`, 3000 by default. Throws when it leaves no room for the ports above it. */
export const portBase = (text: string | undefined): number => {
  const base = text ? Number(text) : DEFAULT_PORT_BASE;
  if (!Number.isInteger(base) || base < LOWEST || base > HIGHEST)
    throw new Error(`PORT_BASE must be a whole number from ${LOWEST} to ${HIGHEST}: all ports are counted from it.`);
  return base;
};

const shifted = <Name extends string>(base: number, offsets: Readonly<Record<Name, number>>): Record<Name, number> =>
  Object.fromEntries(Object.entries<number>(offsets).map(([name, offset]) => [name, base + offset])) as Record<
    Name,
    number
  >;

/** Every port of one stack; two stacks whose bases are 200 apart share none. */
export const portsFrom = (base: number): Ports => ({
  base,
  services: Object.fromEntries(SERVICES.map((name, index) => [name, base + 1 + index])) as Record<ServiceName, number>,
  sandboxes: shifted(base, SANDBOX_OFFSETS),
  postgres: base + POSTGRES_OFFSET,
  redis: base + REDIS_OFFSET,
  pgbouncer: base + PGBOUNCER_OFFSET,
  smtp: base + SMTP_OFFSET,
});

export const localUrl = (port: number): string => `http://127.0.0.1:${port}`;
