import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { join } from 'node:path';
import type { Clock, Component, Logger } from '@platform/runtime';
import { simulatorAllowed, type Config } from './config';
import { composeCloud } from './cloud.composition';
import type { Core } from './core.composition';
import type { BaileysContext } from './engines/baileys/baileys.context';
import { BaileysEngine } from './engines/baileys/baileys.engine';
import { isInstalled } from './engines/baileys/baileys.library';
import { DeviceMedia } from './engines/baileys/device.media';
import { DeviceStores } from './engines/baileys/device.stores';
import { libraryStarter } from './engines/baileys/library.starter';
import { Turnstile } from './engines/baileys/turnstile';
import { SimulatorGroups } from './engines/simulator/simulator.groups';
import { SimulatorNetwork } from './engines/simulator/simulator.network';
import { SimulatorStore } from './engines/simulator/simulator.store';
import type { EngineFactory, LineFactoryOptions } from './features/devices/line-factory';
import { FileStore } from './features/files/file.store';

const composeSimulator = (config: Config, { database }: Core, { logger, clock }: { logger: Logger; clock: Clock }) => {
  const store = simulatorAllowed(config) ? new SimulatorStore(database) : undefined;
  // The simulated network keeps files of its own, as WhatsApp does: the gateway fetches them from there
  const networkFiles = new FileStore({ directory: join(config.FILES_DIR, 'network'), ttlDays: 1, clock, logger });
  const network =
    store && new SimulatorNetwork({ store, groups: new SimulatorGroups(database), media: networkFiles, clock, logger });
  return { store, networkFiles, network };
};

const MEGABYTE = 1024 * 1024;
const STORE_LIMIT_MS = 10_000;

interface Baileys {
  readonly createEngine: EngineFactory;
  readonly library: Component;
}

/** Nothing where the optional package is missing: `/api/new` answers 501 then. */
const composeBaileys = (config: Config, core: Core, deps: { logger: Logger; clock: Clock }): Baileys | undefined => {
  if (!isInstalled()) return undefined;
  const { WA_ROOT_KEY: rootKey, WA_SOCKET_URL: socketUrl, WA_VERSION: version, WA_MEDIA_CA: caFile } = config;
  const agent = caFile === undefined ? undefined : new Agent({ ca: readFileSync(caFile) });
  const host = { host: config.WA_MEDIA_HOST, agent, maxBytes: config.MEDIA_MAX_MB * MEGABYTE };
  const context: BaileysContext = {
    ...deps,
    stores: new DeviceStores(core.database, core.box, STORE_LIMIT_MS),
    media: new DeviceMedia(core.box, host, (key) => core.files.open(key)),
    line: { socketUrl, rootKey, version, agent },
    turnstile: new Turnstile({ places: config.CONNECT_CONCURRENCY, logger: deps.logger }),
    random: Math.random,
  };
  return {
    createEngine: (device) => new BaileysEngine(device, context),
    library: libraryStarter({ isUsed: () => core.devices.anyOn('baileys'), logger: deps.logger, rootKey }),
  };
};

/** The engines this process can run; a device names the one it is on. */
export const composeEngines = (config: Config, core: Core, deps: { logger: Logger; clock: Clock }) => {
  const { network, ...simulator } = composeSimulator(config, core, deps);
  const baileys = composeBaileys(config, core, deps);
  const cloud = composeCloud(config, core, deps);
  const engines: LineFactoryOptions['engines'] = {
    ...(network && { simulator: ({ instanceId }) => network.createEngine(instanceId) }),
    ...(baileys && { baileys: baileys.createEngine }),
    cloud: cloud.createEngine,
  };
  return { ...simulator, network, cloud, engines, libraries: baileys ? [baileys.library] : [] };
};
