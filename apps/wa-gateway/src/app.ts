import { aloneWithoutRedis } from '@platform/data';
import { seeding, type Program, type RecordedAnswers, type Service } from '@platform/http';
import { asyncapi } from '@platform/realtime';
import { Sends } from '@platform/runtime';
import { composeBroadcasts } from './campaigns.composition';
import { checkConfig, settings, type Config } from './config';
import { composeConversation } from './conversation.composition';
import { composeCore, type CoreDeps } from './core.composition';
import { composeDevices } from './devices.composition';
import { servedElsewhere, tellsItIsAlive } from './elsewhere';
import { deadCallbackEndpoints } from './features/dead-callbacks/dead-callbacks.endpoints';
import { DeadCallbacks } from './features/dead-callbacks/dead-callbacks.service';
import { cloudWebhookEndpoints } from './features/cloud-webhook/cloud-webhook.endpoints';
import { CloudWebhookService } from './features/cloud-webhook/cloud-webhook.service';
import { deviceGauges } from './features/devices/device.gauges';
import { deviceEndpoints } from './features/devices/devices.endpoints';
import { fileEndpoints } from './features/files/files.endpoints';
import { messageEndpoints } from './features/outbound/messages.endpoints';
import { realtimeEndpoints } from './features/realtime/realtime.endpoints';
import { gatewaySocketApi } from './features/realtime/socket.api';
import { composeRetention } from './retention.composition';
import { composePerimeter } from './perimeter.composition';
import { composeSimulator } from './simulator.composition';

export type Deps = Pick<CoreDeps, 'logger'> & Partial<CoreDeps>;

/** Puts the gateway together; nothing connects before its components start. */
export const createApp = (config: Config, deps: Deps) => {
  checkConfig(config);
  const { logger, sends = new Sends(config.SENDS) } = deps;
  const core = composeCore(config, { ...deps, sends });
  const { clock, shared } = core;
  const lines = composeDevices(config, core, { logger, clock });
  const { network, cloud, networkFiles, libraries, fleet, calls, sinkOf, devices, info, sending, mediaSending, seed } =
    lines;
  const { database, heartbeats, cache, files, media, lateFiles, delivery, realtime, outbox } = core;
  const jobs = composeRetention(database, { logger, clock, sends });
  const migrate = () => database.migrate().then(() => jobs.migrate());
  const service: Service = {
    name: 'wa-gateway',
    description: 'Links WhatsApp accounts, sends messages, and takes what arrives to the chat backend',
    endpoints: [
      ...messageEndpoints(sending, mediaSending),
      ...fileEndpoints(files, lateFiles),
      ...deviceEndpoints(devices, info),
      ...realtimeEndpoints(core.announcer),
      ...deadCallbackEndpoints(new DeadCallbacks(outbox, devices)),
      ...composeConversation(config, core, lines),
      ...composeBroadcasts(config, core, lines, clock),
      ...cloudWebhookEndpoints(new CloudWebhookService({ devices: core.devices, fleet, logger, ...cloud })),
      ...composeSimulator(config, lines),
    ],
    ...composePerimeter(config, cache),
    components: [
      [database, heartbeats, cache, files, realtime],
      [shared, delivery],
      [outbox, ...(network ? [networkFiles, network] : []), ...libraries, cloud.graph, media, lateFiles],
      [fleet, calls, jobs, ...aloneWithoutRedis({ config, database, name: 'wa-gateway', logger })],
    ],
    gauges: deviceGauges({ ...core, places: lines.places }),
    intercept: servedElsewhere(config.FORWARD_TIMEOUT * 1_000),
    sockets: () => asyncapi(gatewaySocketApi),
    answers: () => require('./examples.answers.json') as RecordedAnswers,
    attach: (server) => realtime.attach(tellsItIsAlive(server)),
    migrate: () => migrate().finally(() => database.stop?.()),
    commands: { seed: seeding(seed) },
  };
  return { service, database, jobs, fleet, sinkOf, files, media, lateFiles, sending };
};

export const program: Program<typeof settings> = {
  name: 'wa-gateway',
  settings,
  create: (config, logger) => createApp(config, { logger }).service,
};
