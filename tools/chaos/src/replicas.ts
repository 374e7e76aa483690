import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { environment } from '@platform/runtime';
import { spreadOf } from './balancer';
import { randomFrom } from './plan';
import type { TroublePlan } from './replica-plan';
import { saleBeside } from './replica-sale.verdict';
import { AGENTS_DEVICE, TWICE, type Twice } from './replica-settings';
import type { ReplicaStack } from './replica-stack';
import { onReplicas, playTraffic, type Say } from './replica-traffic';
import type { Findings } from './verdict';
import type { Victim } from './victim';

/** How long a killed process is down, as a container is restarted at once. */
const AWAY_MS = 1_000;
const REDIS_AWAY_MS = 2_000;
/** When each service loses a process, as a fraction of the run, or of its part of the run. */
const KILL_AT: Readonly<Record<Twice, number>> = {
  'wa-gateway': 0.15,
  'chat-backend': 0.35,
  'bot-engine': 0.55,
  'commerce-api': 0.7,
};

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

const killed = async (stack: ReplicaStack, victim: Victim): Promise<void> => {
  await victim.kill();
  await pause(AWAY_MS, undefined, stack);
  await victim.start();
};

const torment = async (stack: ReplicaStack, plan: TroublePlan, say: Say): Promise<void> => {
  const { seconds, seed, kills, hang } = plan;
  const [begun, random] = [Date.now(), randomFrom(seed)];
  const all = Array.from({ length: kills }, (_, round) => TWICE.map((service) => ({ service, round }))).flat();
  for (const { service, round } of all) {
    const at = begun + ((round + KILL_AT[service]) / kills) * seconds * 1_000;
    await pause(Math.max(0, at - Date.now()), undefined, stack);
    const victim = await victimOf(stack, service, random);
    const since = Date.now();
    say(`${hang ? 'stopped' : 'killed'} ${service} at ${victim.url}`);
    await (hang ? victim.hang(hang * 1_000, stack.signal) : killed(stack, victim));
    say(`${service} at ${victim.url} is ready again after ${((Date.now() - since) / 1_000).toFixed(1)} s`);
  }
};

/** Kills Redis so often, evenly over the time; or it hangs, as the others do. */
const tormentRedis = async (stack: ReplicaStack, { seconds, redis, hang }: TroublePlan, say: Say): Promise<void> => {
  const begun = Date.now();
  for (let kill = 0; kill < redis; kill++) {
    const at = begun + ((kill + 0.5) / redis) * seconds * 1_000;
    await pause(Math.max(0, at - Date.now()), undefined, stack);
    await (hang ? stack.redis.hang(hang * 1_000) : stack.redis.restart(REDIS_AWAY_MS));
    say(`Redis was ${hang ? 'stopped' : 'killed'}, and is back`);
  }
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

const pgbouncerOf = ({ pooled }: TroublePlan): string | undefined => {
  if (pooled && !environment.PGBOUNCER)
    throw new Error('--pooled=1 needs a PgBouncer: PGBOUNCER=/usr/sbin/pgbouncer (apt-get install pgbouncer)');
  return pooled ? environment.PGBOUNCER : undefined;
};

/**
 * Runs two processes each of wa-gateway, chat-backend, bot-engine and commerce-api behind nginx, which balances per request, as the
 * overlay's ingress may. After the demo, default clients connect, and one process of each service is killed with kill -9, or hangs and
 * comes back, while messages flow in both directions and buyers order and pay. Resolves with what was lost, happened twice or out of order.
 */
export const runReplicas = (plan: TroublePlan, say: Say, signal: AbortSignal): Promise<Findings> =>
  onReplicas({ signal, pgbouncer: pgbouncerOf(plan) }, say, (stack, timed) =>
    playTraffic(stack, plan, timed, {
      during: async () => {
        await Promise.all([torment(stack, plan, timed), tormentRedis(stack, plan, timed)]);
        return [];
      },
      lines: () => spreadLines(stack),
      beside: saleBeside(stack, plan),
    }),
  );
