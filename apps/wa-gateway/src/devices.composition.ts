import { replicaAddress } from '@platform/http';
import type { Clock, Logger } from '@platform/runtime';
import { composeLanes } from './campaigns.composition';
import { privateMedia, type Config } from './config';
import type { Core } from './core.composition';
import { composeEngines } from './engines.composition';
import { DeviceInfoService } from './features/devices/device-info.service';
import { DevicesService } from './features/devices/devices.service';
import type { DeviceLine } from './features/devices/device-line';
import { DevicePlaces } from './features/devices/device-places';
import { DeviceSink, type SinkContext } from './features/devices/device.sink';
import { Fleet } from './features/devices/fleet';
import { LineFactory, type LineFactoryOptions } from './features/devices/line-factory';
import { LineOpener } from './features/devices/line-opener';
import { LineRounds } from './features/devices/line-rounds';
import { SendCalls } from './features/devices/send-calls';
import { ReadyDevices } from './features/devices/ready-devices';
import { ProfilePictures } from './features/devices/profile-pictures';
import { webhookAddresses } from './features/devices/webhook-address';
import { LeaseKeeper } from './features/leases/lease-keeper';
import { FREED, LeasesRepository } from './features/leases/leases.repository';
import { AcceptanceService } from './features/outbound/acceptance.service';
import { MediaService } from './features/outbound/media.service';
import { MessagesService } from './features/outbound/messages.service';
import { Recipients } from './features/outbound/recipients';
import { SendLedger } from './features/outbound/send.ledger';
import { seedDevice } from './features/simulator/seed';

type Lanes = ReturnType<typeof composeLanes>;
type Sending = { ready: ReadyDevices; clock: Clock };

/** What sends: texts and places, and files. */
const composeSending = (config: Config, core: Core, parts: Sending, { known, drafts, bulk }: Lanes) => {
  const { files, messages, announcer } = core;
  const recipients = new Recipients(messages, known, config.DEFAULT_COUNTRY_CODE);
  const ledger = new SendLedger(messages, bulk, drafts);
  const acceptance = new AcceptanceService({ ...parts, recipients, ledger, announcer });
  return {
    sending: new MessagesService(acceptance, announcer),
    mediaSending: new MediaService({
      files,
      acceptance,
      allowed: privateMedia(config),
      maxMegabytes: config.MEDIA_MAX_MB,
    }),
  };
};

const composeLeases = (config: Config, { database, heartbeats }: Core, logger: Logger): LeaseKeeper =>
  new LeaseKeeper({
    leases: new LeasesRepository(database, heartbeats),
    whenFreed: (called) => database.listen(FREED, called),
    address: replicaAddress(config),
    ttlSeconds: config.LEASE_TTL,
    heartbeatSeconds: config.LEASE_HEARTBEAT,
    logger,
  });

type FleetParts = Pick<LineFactoryOptions, 'engines' | 'clock' | 'logger'> &
  Pick<SinkContext, 'pictures'> & { lanes: Lanes };

/** The devices that run in this process. */
const composeFleet = (config: Config, core: Core, { engines, lanes, pictures, clock, logger }: FleetParts) => {
  const { devices, messages, reports, announcer, media, lateFiles, sends } = core;
  const rates = { reply: config.SEND_RATE_REPLY, other: config.SEND_RATE };
  const leases = composeLeases(config, core, logger);
  const sending = { rates, sends, leases };
  const { laneOf, campaigns } = lanes;
  const factory = new LineFactory({ engines, messages, reports, laneOf, sending, clock, logger });
  const sendsReactions = config.WEBHOOK_SEND_REACTIONS;
  const told = { devices, reports, announcer, media, pictures, sendsReactions, clock };
  const sinkOf = (line: DeviceLine) => new DeviceSink(line, told);
  const opener = new LineOpener({ factory, sinkOf, devices, media });
  const places = new DevicePlaces(config.MAX_DEVICES, logger);
  const fleet = new Fleet({
    opener,
    devices,
    rounds: new LineRounds({ messages, campaigns, media, lateFiles, ackSeconds: config.ACK_TIMEOUT, logger }),
    leases,
    limits: { jitterSeconds: config.CONNECT_JITTER, concurrency: config.CONNECT_CONCURRENCY, places },
    sending: { sends, keptBack: () => messages.keptBack() },
    logger,
  });
  return { fleet, places, sinkOf };
};

/** The engines this process may run, the devices on them, and what is asked of devices. */
export const composeDevices = (config: Config, core: Core, { logger, clock }: { logger: Logger; clock: Clock }) => {
  const { database, messages, box } = core;
  const { WEBHOOK_URL: webhookUrl, DEFAULT_COUNTRY_CODE: countryCode, WEBHOOK_ALLOW_HOSTS: hosts } = config;
  const { engines, libraries, network, networkFiles, store, cloud } = composeEngines(config, core, { logger, clock });
  const lanes = composeLanes(config, core, { logger, clock });
  const pictures = new ProfilePictures(clock, logger);
  const { fleet, places, sinkOf } = composeFleet(config, core, { engines, lanes, pictures, clock, logger });
  const devices = new DevicesService({
    devices: core.devices,
    fleet,
    box,
    cloud: cloud.accounts,
    webhooks: webhookAddresses(hosts.length > 0 ? hosts : [new URL(webhookUrl).hostname]),
    defaults: { engine: config.WA_ENGINE, webhookUrl, countryCode },
    clock,
  });
  const calls = new SendCalls(database, messages, fleet, logger);
  const ready = new ReadyDevices({ devices, fleet, messages, calls });
  return {
    lanes,
    ready,
    calls,
    network,
    cloud,
    libraries,
    fleet,
    places,
    sinkOf,
    devices,
    serve: async (instanceId: string) => fleet.line(await devices.resolve(instanceId)),
    info: new DeviceInfoService(fleet, core.outbox, messages, pictures),
    networkFiles,
    ...composeSending(config, core, { ready, clock }, lanes),
    seed: seedDevice({ database, devices: core.devices, store, webhookUrl, countryCode }),
  };
};
