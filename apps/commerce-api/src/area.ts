import type { Database, PageCursor } from '@platform/data';
import type { Endpoint, GaugeSource, GuardMap, Service } from '@platform/http';
import type { Clock, Component, Logger } from '@platform/runtime';
import type { Tasks } from '@platform/jobs';
import type { Ability } from './abilities';
import type { Callers } from './endpoint';
import type { CommerceJobs, Queue } from './jobs';

/** What every area is built on. */
export interface AreaParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Of lists that are read by position. */
  readonly cursors: PageCursor;
  /** Enqueues in the caller's transaction. */
  readonly queue: Queue;
}

/** What one area of the shop adds to the service; its `<area>.composition.ts` makes it. */
export interface Area {
  readonly endpoints: readonly Endpoint[];
  /** Started and stopped with the service, in this order. */
  readonly components: readonly Component[];
  /** The abilities that guard its routes. */
  readonly abilities: readonly Ability[];
  /** Guards of its own, of links that open single things. */
  readonly guards?: Partial<GuardMap<Callers>>;
  /** The jobs that it does. */
  readonly jobs?: Partial<Tasks<CommerceJobs>>;
  /** Numbers that it adds to the metrics. */
  readonly gauges?: readonly GaugeSource[];
  /** Its own commands of `main`; the database is open when they run. */
  readonly commands?: Service['commands'];
}

/** Joins the areas. Throws with the name of a command, a job or an ability that two of them claim. */
export const joined = (areas: readonly Area[]): Required<Area> => {
  const abilities = areas.flatMap((area) => area.abilities);
  const commands = areas.flatMap((area) => Object.entries(area.commands ?? {}));
  const jobs = areas.flatMap((area) => Object.entries(area.jobs ?? {}));
  for (const names of [abilities, [...commands, ...jobs].map(([name]) => name)]) {
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new Error(`${twice} belongs to two areas: one of them must give it up.`);
  }
  return {
    endpoints: areas.flatMap(({ endpoints }) => endpoints),
    components: areas.flatMap(({ components }) => components),
    abilities,
    guards: Object.assign({}, ...areas.map(({ guards }) => guards)) as Required<Area>['guards'],
    jobs: Object.fromEntries(jobs),
    gauges: areas.flatMap(({ gauges = [] }) => gauges),
    commands: Object.fromEntries(commands),
  };
};

/** Commands that find the database open. */
export const onDatabase = (database: Database, commands: Required<Area>['commands']): Service['commands'] =>
  Object.fromEntries(
    Object.entries(commands ?? {}).map(([name, command]) => {
      const run = async (args: readonly string[]): Promise<void> => {
        await database.start?.();
        await command.run(args);
      };
      return [name, { ...command, run }];
    }),
  );
