import { join } from 'node:path';
import type { Clock, Logger } from '@platform/runtime';
import { simulatorAllowed, type Config } from './config';
import type { Core } from './core.composition';
import { SimulatorNetwork } from './engines/simulator/simulator.network';
import { SimulatorStore } from './engines/simulator/simulator.store';
import { DeviceInfoService } from './features/devices/device-info.service';
import { DevicesService } from './features/devices/devices.service';
import { Fleet } from './features/devices/fleet';
import { webhookAddresses } from './features/devices/webhook-address';
import { FileStore } from './features/files/file.store';
import { AcceptanceService } from './features/messages/acceptance.service';
import { MediaService } from './features/messages/media.service';
import { MessagesService } from './features/messages/messages.service';
import { seedDevice } from './features/simulator/seed';

/** What sends: texts and places, and files. */
const composeSending = (config: Config, core: Core, parts: { devices: DevicesService; fleet: Fleet; clock: Clock }) => {
  const { files, messages, announcer } = core;
  const allowed = config.MEDIA_URL_ALLOW;
  const acceptance = new AcceptanceService({
    ...parts,
    messages,
    announcer,
    countryCode: config.DEFAULT_COUNTRY_CODE,
    reportsPending: config.WEBHOOK_SEND_PENDING,
    filesBaseUrl: config.FILES_BASE_URL ?? '',
  });
  const allowedHosts = allowed.length > 0 ? allowed : [new URL(config.WEBHOOK_URL).hostname];
  return {
    sending: new MessagesService(acceptance, announcer),
    mediaSending: new MediaService({ files, acceptance, allowedHosts, maxMegabytes: config.MEDIA_MAX_MB }),
  };
};

/** The engines this process may run, the devices on them, and what is asked of devices. */
export const composeDevices = (config: Config, core: Core, { logger, clock }: { logger: Logger; clock: Clock }) => {
  const { database, announcer, messages, reports, box } = core;
  const { WEBHOOK_URL: webhookUrl, DEFAULT_COUNTRY_CODE: countryCode, WEBHOOK_ALLOW_HOSTS: hosts } = config;
  const store = simulatorAllowed(config) ? new SimulatorStore(database) : undefined;
  // The simulated network keeps files of its own, as WhatsApp does: the gateway fetches them from there
  const networkFiles = new FileStore({ directory: join(config.FILES_DIR, 'network'), ttlDays: 1, clock, logger });
  const network = store && new SimulatorNetwork({ store, media: networkFiles, clock, logger });
  const fleet = new Fleet({
    engines: network ? { simulator: (instanceId) => network.createEngine(instanceId) } : {},
    devices: core.devices,
    messages,
    reports,
    announcer,
    media: core.media,
    rates: { reply: config.SEND_RATE_REPLY, other: config.SEND_RATE },
    clock,
    logger,
  });
  const devices = new DevicesService({
    devices: core.devices,
    fleet,
    box,
    webhooks: webhookAddresses(hosts.length > 0 ? hosts : [new URL(webhookUrl).hostname]),
    defaults: { engine: config.WA_ENGINE, webhookUrl, countryCode },
    clock,
  });
  return {
    network,
    fleet,
    devices,
    info: new DeviceInfoService(fleet, core.outbox),
    networkFiles,
    ...composeSending(config, core, { devices, fleet, clock }),
    seed: seedDevice({ database, devices: core.devices, store, webhookUrl, countryCode }),
  };
};
