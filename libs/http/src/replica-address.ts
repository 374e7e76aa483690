import { hostname } from 'node:os';
import type { ConfigOf } from '@platform/runtime';
import type { CommonSettings } from './run';

const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

type AddressSettings = Pick<ConfigOf<CommonSettings>, 'POD_ADDRESS' | 'POD_IP' | 'HOST' | 'PORT' | 'INTERNAL_PORT'>;

/** Address at which the other replicas of a service reach this one: on the internal port, if there is one. */
export const replicaAddress = ({ POD_ADDRESS, POD_IP, HOST, PORT, INTERNAL_PORT }: AddressSettings): string => {
  if (POD_ADDRESS) return POD_ADDRESS;
  const host = POD_IP ?? (WILDCARDS.has(HOST) ? hostname() : HOST);
  return `http://${host.includes(':') ? `[${host}]` : host}:${INTERNAL_PORT ?? PORT}`;
};
