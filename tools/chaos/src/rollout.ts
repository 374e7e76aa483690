import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { developmentBundle } from '@platform/stack/bundle';
import { answersOf } from './balancer';
import { numbersFrom } from './plan';
import { PLANTED, PLANTING } from './planted';
import type { ReplicaPlan } from './replica-plan';
import { TWICE, type Twice } from './replica-settings';
import type { ReplicaStack } from './replica-stack';
import { onReplicas, playTraffic, type Say } from './replica-traffic';
import type { Findings } from './verdict';
import type { Victim } from './victim';

/** The plan of a roll-out: people write for longer than the roll-out and the way back take. */
export const rolloutPlanFrom = (args: readonly string[]): ReplicaPlan =>
  numbersFrom({ messages: 1_000, clients: 50, seconds: 100, seed: 1, patienceSeconds: 120 }, args);

/** preStop of the deployment, during which the endpoints are removed. */
const PRE_STOP_MS = 5_000;
const BEGIN_AT = 0.05;
const LOOK_MS = 100;

interface Release {
  readonly name: string;
  /** Undefined: the bundle that the stack started with. */
  readonly bundle: string | undefined;
}

class RollOut {
  private readonly findings: string[] = [];

  constructor(
    private readonly stack: ReplicaStack,
    private readonly plan: ReplicaPlan,
    private readonly say: Say,
  ) {}

  /** Rolls out to the next release and back, while people write. */
  async thereAndBack(next: Release, former: Release): Promise<Findings> {
    await pause(BEGIN_AT * this.plan.seconds * 1_000, undefined, this.stack);
    const surge = await this.applied(next);
    await this.roll(next, surge);
    await this.refuseToMigrate(former);
    await this.roll(former);
    return this.findings;
  }

  /** `kubectl apply`: starts one new process of each service and the migration Job at once; the processes wait for the Job. */
  private async applied({ bundle, name }: Release): Promise<Partial<Record<Twice, Victim>>> {
    const surge: Partial<Record<Twice, Victim>> = {};
    for (const service of TWICE) (surge[service] = await this.stack.another(service, bundle)).begin();
    for (const service of TWICE) await this.expectToWait(service, surge[service]);
    const begun = Date.now();
    await Promise.all(TWICE.map((service) => surge[service]?.command('migrate')));
    this.say(`migrated to ${name} in ${Date.now() - begun} ms`);
    await Promise.all(TWICE.map((service) => surge[service]?.untilReady()));
    this.say(`the waiting processes are ready, ${Date.now() - begun} ms after the migration began`);
    return surge;
  }

  private async expectToWait(service: Twice, victim: Victim | undefined): Promise<void> {
    const [first] = PLANTED[service] ?? [];
    if (!first || !victim) return;
    let reason: string | undefined;
    for (let tries = 0; tries < 200 && reason === undefined; tries++) {
      reason = await victim.reason();
      await pause(LOOK_MS);
    }
    if (reason?.includes(first.name)) return this.say(`${service} waits: ${reason}`);
    this.findings.push(`${service} of the next release did not wait on /ready for ${first.name}: ${reason}`);
  }

  /** Like a Deployment, all services at once: starts a process, and stops an old one when it is ready. */
  private async roll(to: Release, surge: Partial<Record<Twice, Victim>> = {}): Promise<void> {
    const begun = Date.now();
    await Promise.all(
      TWICE.map(async (service) => {
        let ready = surge[service];
        for (const old of [...this.stack.replicas[service]]) {
          await this.replace(service, old, ready ?? (await this.started(service, to)));
          ready = undefined;
        }
      }),
    );
    this.say(`${to.name} has rolled out in ${((Date.now() - begun) / 1_000).toFixed(1)} s`);
  }

  private async started(service: Twice, { bundle }: Release): Promise<Victim> {
    const victim = await this.stack.another(service, bundle);
    await victim.start();
    return victim;
  }

  private async replace(service: Twice, old: Victim, fresh: Victim): Promise<void> {
    const replicas = this.stack.replicas[service];
    replicas.splice(replicas.indexOf(old), 1, fresh);
    this.stack.route();
    await pause(PRE_STOP_MS, undefined, this.stack);
    const code = await old.stop();
    if (code !== 0) this.findings.push(`${service} at ${old.url} ended with ${code} when it was told to stop`);
  }

  /** The migration Job of an older image fails with the reason and changes nothing. */
  private async refuseToMigrate({ bundle, name }: Release): Promise<void> {
    const victim = await this.stack.another('chat-backend', bundle);
    await victim.command('migrate', undefined, 1);
    if (!victim.printed.includes('is newer than this build'))
      this.findings.push(`migrate of ${name} does not say that the schema is newer`);
    else this.say(`migrate of ${name} refuses: the schema is newer than this build`);
  }
}

const isFailure = (status: string): boolean => status === 'broken' || (/^[45]/.test(status) && status !== '503');

const countsOf = (outcomes: ReadonlyMap<string, number>): string =>
  [...outcomes]
    .sort()
    .map(([status, count]) => `${status} ${count}`)
    .join(', ');

/**
 * Rolls out a second build behind the balancer and back again while messages flow in both directions; it differs only by an
 * expand migration in two services (`planted.ts`). Resolves with what was lost, arrived twice or out of order, with requests
 * that failed other than by a retried 503, and with processes that did not behave as the manifests expect.
 */
export const runRollout = async (plan: ReplicaPlan, say: Say, signal: AbortSignal): Promise<Findings> => {
  const { directory, isNew } = await developmentBundle(PLANTING);
  say(isNew ? 'next release bundled' : 'next release was already bundled');
  return onReplicas({ signal, changes: true }, say, async (stack, timed) => {
    const outcomes = new Map<string, number>();
    const told = (outcome: string): void => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    const rollOut = new RollOut(stack, plan, timed);
    const findings = await playTraffic({ ...stack, told }, plan, timed, {
      during: () =>
        rollOut.thereAndBack(
          { name: 'the next release', bundle: directory },
          { name: 'the former release', bundle: undefined },
        ),
      lines: () => [
        `calls of customers and agents by answer: ${countsOf(outcomes)}`,
        `all requests at the balancer by answer: ${countsOf(answersOf(join(stack.folder, 'nginx')))}`,
      ],
    });
    const failed = [...outcomes].filter(([status]) => isFailure(status));
    return [...findings, ...failed.map(([status, count]) => `${count} calls of customers or agents failed: ${status}`)];
  });
};
