import type { Clock, Logger } from '@platform/runtime';
import { simulatorAllowed, type Config } from './config';
import type { Core } from './core.composition';
import { SimulatorNetwork } from './engines/simulator/simulator.network';
import { SimulatorStore } from './engines/simulator/simulator.store';
import { DeviceInfoService } from './features/devices/device-info.service';
import { DevicesService } from './features/devices/devices.service';
import { Fleet } from './features/devices/fleet';
import { webhookAddresses } from './features/devices/webhook-address';
import { MessagesService } from './features/messages/messages.service';
import { seedDevice } from './features/simulator/seed';

/** The engines this process may run, the devices on them, and what is asked of devices. */
export const composeDevices = (config: Config, core: Core, { logger, clock }: { logger: Logger; clock: Clock }) => {
  const { database, announcer, messages, reports, box } = core;
  const { WEBHOOK_URL: webhookUrl, DEFAULT_COUNTRY_CODE: countryCode, WEBHOOK_ALLOW_HOSTS: hosts } = config;
  const store = simulatorAllowed(config) ? new SimulatorStore(database) : undefined;
  const network = store && new SimulatorNetwork({ store, clock, logger });
  const fleet = new Fleet({
    engines: network ? { simulator: (instanceId) => network.createEngine(instanceId) } : {},
    devices: core.devices,
    messages,
    reports,
    announcer,
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
  const reportsPending = config.WEBHOOK_SEND_PENDING;
  return {
    network,
    fleet,
    devices,
    info: new DeviceInfoService(fleet, core.outbox),
    sending: new MessagesService({ devices, fleet, messages, announcer, clock, countryCode, reportsPending }),
    seed: seedDevice({ database, devices: core.devices, store, webhookUrl, countryCode }),
  };
};
