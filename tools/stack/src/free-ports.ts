import { createServer } from 'node:net';
import { SANDBOXES } from './sandboxes';
import type { Ports } from './ports';

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

/** Every port that a stack opens, by the name of what listens there. */
export const listeners = (ports: Ports, withRedis: boolean, withPgBouncer = false): [string, number][] => [
  ['postgres', ports.postgres],
  ...(withRedis ? [['redis', ports.redis] satisfies [string, number]] : []),
  ...(withPgBouncer ? [['pgbouncer', ports.pgbouncer] satisfies [string, number]] : []),
  ['smtp', ports.smtp],
  ...SANDBOXES.map(({ name }): [string, number] => [name, ports.sandboxes[name]]),
  ...Object.entries(ports.services),
];

/** The ports among these that other processes hold. */
export const takenPorts = async (...of: Parameters<typeof listeners>): Promise<[string, number][]> => {
  const all = await Promise.all(
    listeners(...of).map(async (listener) => ((await isFree(listener[1])) ? [] : [listener])),
  );
  return all.flat();
};

/** Throws with what to do when a port is taken. */
export const refuseTakenPorts = async (...of: Parameters<typeof listeners>): Promise<void> => {
  const [ports] = of;
  const taken = await takenPorts(...of);
  if (taken.length === 0) return;
  const names = taken.map(([name, port]) => `${port} (${name})`).join(', ');
  throw new Error(
    `Other processes listen on ${names}. End them, or take other ports: PORT_BASE=${ports.base + 1000} npm start`,
  );
};
