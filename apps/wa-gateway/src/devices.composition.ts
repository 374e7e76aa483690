import type { Sql } from '@platform/data';
import { replicaAddress } from '@platform/http';
import type { Clock, Logger } from '@platform/runtime';
import { composeLanes } from './campaigns.composition';
import type { Config } from './config';
import type { Core } from './core.composition';
import { composeEngines } from './engines.composition';
import { DeviceInfoService } from './features/devices/device-info.service';
import { DevicesService } from './features/devices/devices.service';
import { Fleet, type FleetOptions } from './features/devices/fleet';
import { ProfilePictures } from './features/devices/profile-pictures';
import { webhookAddresses } from './features/devices/webhook-address';
import { LeaseKeeper } from './features/leases/lease-keeper';
import { LeasesRepository } from './features/leases/leases.repository';
import { AcceptanceService } from './features/outbound/acceptance.service';
import { MediaService } from './features/outbound/media.service';
import { MessagesService } from './features/outbound/messages.service';
import { seedDevice } from './features/simulator/seed';

type Lanes = ReturnType<typeof composeLanes>;
type Sending = { devices: DevicesService; fleet: Fleet; clock: Clock };

/** What sends: texts and places, and files. */
const composeSending = (config: Config, core: Core, parts: Sending, { known, drafts, bulk }: Lanes) => {
  const { files, messages, announcer } = core;
  const allowed = config.MEDIA_URL_ALLOW;
  const acceptance = new AcceptanceService({
    ...parts,
    messages,
    announcer,
    known,
    drafts,
    bulk,
    countryCode: config.DEFAULT_COUNTRY_CODE,
  });
  const allowedHosts = allowed.length > 0 ? allowed : [new URL(config.WEBHOOK_URL).hostname];
  return {
    acceptance,
    sending: new MessagesService(acceptance, announcer),
    mediaSending: new MediaService({ files, acceptance, allowedHosts, maxMegabytes: config.MEDIA_MAX_MB }),
  };
};

const composeLeases = (config: Config, sql: Sql, logger: Logger): LeaseKeeper =>
  new LeaseKeeper({
    leases: new LeasesRepository(sql),
    address: replicaAddress(config),
    ttlSeconds: config.LEASE_TTL,
    heartbeatSeconds: config.LEASE_HEARTBEAT,
    logger,
  });

type FleetParts = Pick<FleetOptions, 'engines' | 'laneOf' | 'pictures' | 'clock' | 'logger'>;

/** The devices that run in this process. */
const composeFleet = (config: Config, core: Core, parts: FleetParts): Fleet => {
  const { database, devices, messages, reports, announcer, media, sends } = core;
  return new Fleet({
    ...parts,
    devices,
    messages,
    reports,
    announcer,
    media,
    sendsReactions: config.WEBHOOK_SEND_REACTIONS,
    leases: composeLeases(config, database, parts.logger),
    boot: { concurrency: config.CONNECT_CONCURRENCY, jitterSeconds: config.CONNECT_JITTER },
    sending: {
      rates: { reply: config.SEND_RATE_REPLY, other: config.SEND_RATE },
      ackSeconds: config.ACK_TIMEOUT,
      sends,
    },
  });
};

/** The engines this process may run, the devices on them, and what is asked of devices. */
export const composeDevices = (config: Config, core: Core, { logger, clock }: { logger: Logger; clock: Clock }) => {
  const { database, messages, box } = core;
  const { WEBHOOK_URL: webhookUrl, DEFAULT_COUNTRY_CODE: countryCode, WEBHOOK_ALLOW_HOSTS: hosts } = config;
  const { engines, network, networkFiles, store, cloud } = composeEngines(config, core, { logger, clock });
  const lanes = composeLanes(config, core, { logger, clock });
  const pictures = new ProfilePictures(clock, logger);
  const fleet = composeFleet(config, core, { engines, laneOf: lanes.laneOf, pictures, clock, logger });
  const devices = new DevicesService({
    devices: core.devices,
    fleet,
    box,
    cloud: cloud.accounts,
    webhooks: webhookAddresses(hosts.length > 0 ? hosts : [new URL(webhookUrl).hostname]),
    defaults: { engine: config.WA_ENGINE, webhookUrl, countryCode },
    clock,
  });
  return {
    lanes,
    network,
    cloud,
    fleet,
    devices,
    info: new DeviceInfoService(fleet, core.outbox, messages, pictures),
    networkFiles,
    ...composeSending(config, core, { devices, fleet, clock }, lanes),
    seed: seedDevice({ database, devices: core.devices, store, webhookUrl, countryCode }),
  };
};
