import { clientAddress, ipAllowlist } from '@platform/auth';
import { gatewayEnvelope } from '@platform/envelopes';
import type { Program, Service } from '@platform/http';
import { systemClock } from '@platform/runtime';
import { checkConfig, settings, type Config } from './config';
import { composeCore, type CoreDeps } from './core.composition';
import { composeDevices } from './devices.composition';
import { deviceEndpoints } from './features/devices/devices.endpoints';
import { fileEndpoints } from './features/files/files.endpoints';
import { messageEndpoints } from './features/messages/messages.endpoints';
import { simulatorEndpoints } from './features/simulator/simulator.endpoints';
import { SimulatorService } from './features/simulator/simulator.service';
import { createGuards } from './guards';

export type Deps = Omit<CoreDeps, 'clock'> & Partial<Pick<CoreDeps, 'clock'>>;

/** Puts the gateway together; nothing connects before its components start. */
export const createApp = (config: Config, deps: Deps) => {
  checkConfig(config);
  const production = config.APP_ENV === 'production';
  const { logger, clock = systemClock } = deps;
  const core = composeCore(config, { logger, clock });
  const lines = composeDevices(config, core, { logger, clock });
  const { network, networkFiles, fleet, devices, info, sending, mediaSending, seed } = lines;
  const { database, files, media, delivery, realtime, outbox } = core;
  const proxies = ipAllowlist(config.TRUST_PROXY, { setting: 'TRUST_PROXY', production });
  // In production the customers of a demo installation's simulator are out of reach over HTTP (design 6)
  const people =
    network && !production ? new SimulatorService(network, config.DEFAULT_COUNTRY_CODE, networkFiles) : undefined;
  const service: Service = {
    name: 'wa-gateway',
    description: 'Links WhatsApp accounts, sends messages, and takes what arrives to the chat backend',
    endpoints: [
      ...messageEndpoints(sending, mediaSending),
      ...fileEndpoints(files),
      ...deviceEndpoints(devices, info),
      ...(people ? simulatorEndpoints(people) : []),
    ],
    guards: createGuards({ apiKey: config.GATEWAY_API_KEY, allowedIps: config.GATEWAY_ALLOWED_IPS, production }),
    envelope: gatewayEnvelope({ production }),
    components: [
      database,
      files,
      delivery,
      realtime,
      outbox,
      ...(network ? [networkFiles, network] : []),
      media,
      fleet,
    ],
    clientAddress: (remoteAddress, forwardedFor) => clientAddress({ remoteAddress, forwardedFor }, proxies),
    attach: (server) => realtime.attach(server),
    migrate: () => database.migrate().finally(() => database.stop?.()),
    commands: { seed },
  };
  return { service, database, fleet, files, media };
};

export const program: Program<typeof settings> = {
  name: 'wa-gateway',
  settings,
  create: (config, logger) => createApp(config, { logger }).service,
};
