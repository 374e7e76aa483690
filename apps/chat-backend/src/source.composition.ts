import { databaseOptions, openDatabase, SharedClock, type Database } from '@platform/data';
import type { Endpoint, HttpClient, Variant } from '@platform/http';
import { openJobQueue } from '@platform/jobs';
import type { Realtime } from '@platform/realtime';
import type { Component, Logger } from '@platform/runtime';
import { composeBroadcasts } from './broadcasts.composition';
import type { ChatJobs } from './chat.jobs';
import type { Config } from './config';
import { migrations, SCHEMA } from './data-source';
import { composeDelivery, type Peers } from './delivery.composition';
import { composeInbox } from './inbox.composition';
import { composeLifecycle } from './lifecycle.composition';
import { statsEndpoints } from './features/stats/stats.endpoints';
import { minuteTasks } from './features/lifecycle/minute.tasks';
import type { ChatAnnouncer } from './features/sockets/chat.announcer';
import type { ChatEvents } from './features/sockets/socket.api';
import { Searches, SEARCHES } from './searches';
import type { DeviceDirectory } from './features/tenancy/device.directory';
import { composeTickets } from './tickets.composition';

/** What one composition adds to a source. */
interface Area {
  readonly endpoints?: readonly Endpoint[];
  readonly components?: readonly Component[];
}

interface SourceParts extends Peers {
  readonly sockets: Pick<Realtime<ChatEvents>, 'emit' | 'evict' | 'recheck'>;
  readonly logger: Logger;
}

export interface Source {
  readonly sql: Database;
  /** The same, as a part of the service. */
  readonly database: Component;
  /** Compared before anything goes by it. */
  readonly clock: Component;
  readonly endpoints: readonly Endpoint[];
  readonly components: readonly Component[];
  readonly devices: DeviceDirectory;
  readonly announcer: ChatAnnouncer;
  readonly migrate: () => Promise<void>;
}

/** A data source; nothing connects yet. */
export const openSource = (config: Config, name: string, logger: Logger): Database =>
  openDatabase({ ...databaseOptions(config), schema: SCHEMA, migrations, logger, name });

/**
 * All features on one data source (design 3.9), with workers of its own: what is written there is also delivered and
 * followed up from there.
 */
export const composeSource = (config: Config, database: Database, parts: SourceParts): Source => {
  const { sockets, logger, download } = parts;
  const queue = openJobQueue<ChatJobs>(`${SCHEMA}_jobs`);
  const searching = database.aside(SEARCHES);
  const searches = new Searches(searching);
  const inbox = composeInbox(config, { database, searches, sockets, queue, logger, download });
  const clock = new SharedClock(database, logger);
  const lifecycle = composeLifecycle(config, { database, queue, inbox, clock, logger });
  const broadcasts = composeBroadcasts(config, { database, inbox, queue, logger });
  const timers = minuteTasks([lifecycle.timers, broadcasts.timer], logger);
  const delivery = composeDelivery(config, { ...parts, database, inbox, timers, clock, campaigns: broadcasts.fill });
  const areas: readonly Area[] = [
    inbox,
    lifecycle,
    broadcasts,
    composeTickets(config, { database, queue, searches, ...inbox }),
    { endpoints: statsEndpoints(database) },
    delivery,
  ];
  return {
    endpoints: areas.flatMap(({ endpoints = [] }) => endpoints),
    sql: database,
    database,
    clock,
    components: [searching, ...areas.flatMap(({ components = [] }) => components)],
    devices: inbox.devices,
    announcer: inbox.announcer,
    migrate: delivery.migrate,
  };
};

/** The parts of a second source say whose they are: /ready and /health name every component once. */
const named = (source: string, component: Component & Pick<HttpClient, 'peers'>): Component => ({
  name: `${component.name} (${source})`,
  optional: component.optional ?? false,
  start: async (starting) => component.start?.(starting),
  drain: () => component.drain?.(),
  stop: async () => component.stop?.(),
  ...(component.check ? { check: async () => component.check?.() } : {}),
  ...(component.held ? { held: async () => component.held?.() } : {}),
  ...(component.sessions ? { sessions: component.sessions } : {}),
  ...(component.measures ? { measures: component.measures } : {}),
  ...(component.peers ? { peers: component.peers } : {}),
});

/** The source of the `_crm` routes, where they have one of their own. */
export const composeCrmSource = (config: Config, name: string, parts: SourceParts): Source | undefined => {
  const { CRM_DATABASE_URL: DATABASE_URL, CRM_DATABASE_POOL_URL: DATABASE_POOL_URL } = config;
  if (DATABASE_URL === undefined) return undefined;
  const database = openSource({ ...config, DATABASE_URL, DATABASE_POOL_URL }, name, parts.logger);
  const source = composeSource(config, database, parts);
  const ofCrm = (component: Component) => named('CRM_DATABASE_URL', component);
  const { database: own, clock, components } = source;
  return { ...source, database: ofCrm(own), clock: ofCrm(clock), components: components.map(ofCrm) };
};

/** `_admin` is at home where the default routes are; `_crm` has its own source, or shares theirs. */
export const variantsOf = (crm: Source | undefined): Record<'admin' | 'crm', Variant> => ({
  admin: { suffix: '_admin', guard: 'admin' },
  crm: { suffix: '_crm', guard: 'crm', ...(crm ? { endpoints: crm.endpoints } : {}) },
});

/** A push concerns the directories of all sources. */
export const everyDirectory = (sources: readonly Source[]): Pick<DeviceDirectory, 'forget'> => ({
  forget: (storeId) => sources.forEach(({ devices }) => devices.forget(storeId)),
});

export const migrateAll = async (sources: readonly Source[]): Promise<void> => {
  for (const { migrate } of sources) await migrate();
};
