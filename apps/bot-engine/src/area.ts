import type { Endpoint, GaugeSource, Service } from '@platform/http';
import type { RunnerOptions, Tasks } from '@platform/jobs';
import type { Component } from '@platform/runtime';
import type { BotJobs } from './jobs';

/** What one room of the bot adds to the service; its `<room>.composition.ts` makes it. */
export interface Area {
  readonly endpoints?: readonly Endpoint[];
  /** Started and stopped with the service, in this order. */
  readonly components?: readonly Component[];
  /** The jobs that it does. */
  readonly jobs?: Partial<Tasks<BotJobs>>;
  /** Places of their own for jobs that may take long, with a share for each store. */
  readonly runners?: readonly RunnerOptions<BotJobs>[];
  /** Numbers that it adds to the metrics. */
  readonly gauges?: readonly GaugeSource[];
  /** Its own commands of `main`. */
  readonly commands?: Service['commands'];
}

/** Joins the rooms. Throws with the name of a job that two of them claim. */
export const joined = (areas: readonly Area[]): Required<Area> => {
  const jobs = areas.flatMap((area) => Object.entries(area.jobs ?? {}));
  const names = jobs.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${twice} belongs to two rooms: one of them must give it up.`);
  return {
    endpoints: areas.flatMap(({ endpoints = [] }) => endpoints),
    components: areas.flatMap(({ components = [] }) => components),
    jobs: Object.fromEntries(jobs),
    runners: areas.flatMap(({ runners = [] }) => runners),
    gauges: areas.flatMap(({ gauges = [] }) => gauges),
    commands: Object.assign({}, ...areas.map(({ commands }) => commands)) as Required<Area>['commands'],
  };
};
