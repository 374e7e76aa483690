import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { spreadOf } from './balancer';
import { randomFrom } from './plan';
import type { ReplicaPlan } from './replica-plan';
import { AGENTS_DEVICE, TWICE, type Twice } from './replica-settings';
import type { ReplicaStack } from './replica-stack';
import { onReplicas, playTraffic, type Say } from './replica-traffic';
import type { Findings } from './verdict';
import type { Victim } from './victim';

/** How long a killed process is down, as a container is restarted at once. */
const AWAY_MS = 1_000;
/** When each service loses a process, as a fraction of the run. */
const KILL_AT: Readonly<Record<Twice, number>> = { 'wa-gateway': 0.2, 'chat-backend': 0.4, 'bot-engine': 0.6 };

/** Of the gateways, the one that serves the agents' device: the harder loss. */
const victimOf = async (stack: ReplicaStack, service: Twice, random: () => number): Promise<Victim> => {
  const replicas = stack.replicas[service];
  const lease = 'SELECT address FROM wa_gateway.lease WHERE instance_id = $1';
  const [holder] =
    service === 'wa-gateway' ? await stack.database.query<{ address: string }>(lease, [AGENTS_DEVICE]) : [];
  const victim =
    replicas.find(({ url }) => url === holder?.address) ?? replicas[Math.floor(random() * replicas.length)];
  if (!victim) throw new Error(`${service} has no process`);
  return victim;
};

const torment = async (stack: ReplicaStack, { seconds, seed }: ReplicaPlan, say: Say): Promise<Findings> => {
  const [begun, random] = [Date.now(), randomFrom(seed)];
  for (const service of TWICE) {
    const at = begun + KILL_AT[service] * seconds * 1_000;
    await pause(Math.max(0, at - Date.now()), undefined, stack);
    const victim = await victimOf(stack, service, random);
    await victim.kill();
    const killed = Date.now();
    say(`killed ${service} at ${victim.url}`);
    await pause(AWAY_MS, undefined, stack);
    await victim.start();
    say(`${service} at ${victim.url} is ready again after ${((Date.now() - killed) / 1_000).toFixed(1)} s`);
  }
  return [];
};

/** How evenly the balancer has spread requests over the processes. */
const spreadLines = ({ folder, addresses }: ReplicaStack): string[] => {
  const { byReplica, failed } = spreadOf(join(folder, 'nginx'));
  const shares = TWICE.map((service) => {
    const each = addresses.replicas[service].map(({ port, internalPort }) =>
      [port, internalPort].reduce((sum: number, one) => sum + (byReplica.get(`127.0.0.1:${one}`) ?? 0), 0),
    );
    return `${service} ${each.join(' + ')}`;
  });
  return [`requests by process: ${shares.join(', ')}; ${failed} answered 502 or 504 by the balancer`];
};

/**
 * Runs two processes each of wa-gateway, chat-backend and bot-engine behind nginx, which balances per request, as the overlay's
 * ingress may. After the demo, default clients connect, and one process of each service is killed with kill -9 while messages
 * flow in both directions. Resolves with what was lost, arrived twice or out of order.
 */
export const runReplicas = (plan: ReplicaPlan, say: Say, signal: AbortSignal): Promise<Findings> =>
  onReplicas({ signal }, say, (stack, timed) =>
    playTraffic(stack, plan, timed, {
      during: () => torment(stack, plan, timed),
      lines: () => spreadLines(stack),
    }),
  );
