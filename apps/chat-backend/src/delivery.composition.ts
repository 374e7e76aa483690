import type { Database } from '@platform/data';
import { openJobs, type Jobs } from '@platform/jobs';
import { openOutbox } from '@platform/outbox';
import type { Component, Logger } from '@platform/runtime';
import type { ServiceTokens } from '@platform/auth';
import { httpClient, type Endpoint } from '@platform/http';
import { httpBotClient, type BotClient } from './clients/bot.client';
import { httpCommerceClient, type CommerceClient } from './clients/commerce.client';
import { httpGatewayClient, type GatewayClient } from './clients/gateway.client';
import type { ChatJobs } from './chat.jobs';
import type { Config } from './config';
import { SCHEMA } from './data-source';
import { automationJob, type AutomationDependencies } from './features/automation/automation.job';
import { AutomationRepository } from './features/automation/automation.repository';
import { contactJob } from './features/automation/contact.job';
import { Distribution } from './features/automation/distribution';
import { DevicePoll } from './features/devices/device.poll';
import { remoteFileJob } from './features/media/remote-file.job';
import { deadSendEndpoints } from './features/outbound/dead-sends.endpoints';
import { DeadSendsRepository } from './features/outbound/dead-sends.repository';
import { deliverToGateway, type OutboundPayload } from './features/outbound/delivery';
import type { ChatTimers } from './features/lifecycle/chat.timers';
import type { Inbox } from './inbox.composition';
import { mediaHosts } from './outbound.composition';

interface DeliveryParts {
  readonly database: Database;
  readonly inbox: Inbox;
  readonly timers: ChatTimers;
  readonly tokens: ServiceTokens;
  readonly logger: Logger;
  /** Instead of the services that the configuration names. */
  readonly gateway?: GatewayClient;
  readonly bot?: BotClient;
  readonly commerce?: CommerceClient;
}

/** A bot turn takes up to 75 s, so many run at a time, in a runner of their own. */
const BOT_TURNS = 50;
const GATEWAY_LANES = 32;

/** Without BOT_URL nobody answers for the agents. */
const noBot: BotClient = { ask: async () => ({ kind: 'answered', bubbles: [] }) };

/** The other services, over HTTP. */
const composePeers = (
  { WA_GATEWAY_URL, BOT_URL, COMMERCE_URL }: Config,
  { tokens, gateway, bot, commerce }: DeliveryParts,
) => {
  const gatewayHttp = httpClient('wa-gateway', WA_GATEWAY_URL);
  const botHttp = BOT_URL ? httpClient('bot-engine', BOT_URL, { connections: BOT_TURNS }) : undefined;
  const commerceHttp = COMMERCE_URL ? httpClient('commerce-api', COMMERCE_URL) : undefined;
  return {
    gateway: gateway ?? httpGatewayClient(gatewayHttp),
    bot: bot ?? (botHttp ? httpBotClient(botHttp, tokens) : noBot),
    commerce: commerce ?? (commerceHttp && httpCommerceClient(commerceHttp, tokens)),
    components: [gatewayHttp, ...(botHttp ? [botHttp] : []), ...(commerceHttp ? [commerceHttp] : [])],
  };
};

/** Where files of the gateway are fetched from. */
const gatewayFiles = (config: Config) => ({ gatewayUrl: config.WA_GATEWAY_URL, allowedHosts: mediaHosts(config) });

type Peers = ReturnType<typeof composePeers>;

/** Takes what is sent to the gateway, in order per chat. */
const composeOutbox = (config: Config, { database, inbox, logger }: DeliveryParts, gateway: GatewayClient) =>
  openOutbox<OutboundPayload>({
    database,
    logger,
    name: 'chat-backend',
    lanes: GATEWAY_LANES,
    deliver: deliverToGateway({
      gateway,
      repository: inbox.sends,
      linkOf: (name) => inbox.media.link(name, config.MEDIA_INTERNAL_URL),
      maxAgeSeconds: config.OUTBOX_MAX_AGE_H * 3600,
    }),
  });

const composeJobs = (config: Config, parts: DeliveryParts, { bot, commerce }: Peers): Jobs<ChatJobs> => {
  const { database, inbox, timers, logger } = parts;
  const again: AutomationDependencies['again'] = async (payload, afterSeconds) => {
    const { storeId, conversationId, seq, attempt } = payload;
    const runAt = new Date(Date.now() + afterSeconds * 1000);
    await jobs.enqueue(database, 'automation', payload, {
      key: `${storeId}.${conversationId}.${seq}.${attempt}`,
      runAt,
    });
  };
  const distribution = new Distribution(database, inbox);
  const distribute: AutomationDependencies['distribute'] = (chat, team) => distribution.distribute(chat, team);
  const repository = new AutomationRepository(database);
  const files = { store: inbox.files, links: inbox.media, announcer: inbox.announcer, ...gatewayFiles(config) };
  const jobs = openJobs<ChatJobs>({
    database,
    logger,
    schema: `${SCHEMA}_jobs`,
    tasks: {
      automation: automationJob({ repository, outbound: inbox.outbound, bot, distribute, again, logger }),
      remoteFile: remoteFileJob({ sql: database, ...files, logger }),
      contact: contactJob({ sql: database, commerce, logger }),
      timers: () => timers.run(),
    },
    cron: [{ task: 'timers', pattern: '* * * * *' }],
    runners: [{ name: 'bot turns', tasks: ['automation'], concurrency: BOT_TURNS }],
  });
  return jobs;
};

/** What works in the background: the outbox towards the gateway, the jobs, and looking after devices. */
export const composeDelivery = (
  config: Config,
  parts: DeliveryParts,
): { endpoints: Endpoint[]; components: Component[]; migrate: () => Promise<void> } => {
  const { database, inbox, logger } = parts;
  const peers = composePeers(config, parts);
  const { gateway } = peers;
  const jobs = composeJobs(config, parts, peers);
  const everySeconds = config.DEVICE_POLL_S;
  const poll = new DevicePoll({ sql: database, gateway, announcer: inbox.announcer, everySeconds, logger });
  const migrate = async (): Promise<void> => {
    await database.migrate();
    await jobs.migrate();
  };
  return {
    endpoints: deadSendEndpoints(new DeadSendsRepository(database)),
    components: [...peers.components, composeOutbox(config, parts, gateway), jobs, poll],
    migrate,
  };
};
