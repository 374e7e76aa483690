import type { Database } from '@platform/data';
import { openJobs } from '@platform/jobs';
import { openOutbox } from '@platform/outbox';
import type { Component, Logger } from '@platform/runtime';
import type { ServiceTokens } from '@platform/auth';
import { httpClient } from '@platform/http';
import { httpBotClient, type BotClient } from './clients/bot.client';
import { httpGatewayClient, type GatewayClient } from './clients/gateway.client';
import type { Config } from './config';
import { SCHEMA } from './data-source';
import { automationJob, type AutomationDependencies } from './features/automation/automation.job';
import { AutomationRepository } from './features/automation/automation.repository';
import { deliverToGateway, type OutboundPayload } from './features/outbound/delivery';
import type { ChatJobs, Inbox } from './inbox.composition';

interface DeliveryParts {
  readonly database: Database;
  readonly inbox: Inbox;
  readonly tokens: ServiceTokens;
  readonly logger: Logger;
  /** Instead of the services that the configuration names. */
  readonly gateway?: GatewayClient;
  readonly bot?: BotClient;
}

/** A bot turn takes up to 75 s, so many run at a time, in a runner of their own. */
const BOT_TURNS = 50;
const GATEWAY_LANES = 32;

/** Without BOT_URL nobody answers for the agents. */
const noBot: BotClient = { ask: async () => ({ kind: 'answered', bubbles: [] }) };

/** The other services, over HTTP. */
const composePeers = ({ WA_GATEWAY_URL, BOT_URL }: Config, { tokens, gateway, bot }: DeliveryParts) => {
  const gatewayHttp = httpClient('wa-gateway', WA_GATEWAY_URL);
  const botHttp = BOT_URL ? httpClient('bot-engine', BOT_URL, { connections: BOT_TURNS }) : undefined;
  return {
    gateway: gateway ?? httpGatewayClient(gatewayHttp),
    bot: bot ?? (botHttp ? httpBotClient(botHttp, tokens) : noBot),
    components: [gatewayHttp, ...(botHttp ? [botHttp] : [])],
  };
};

/** What works in the background: the outbox towards the gateway, and the jobs. */
export const composeDelivery = (
  config: Config,
  parts: DeliveryParts,
): { components: Component[]; migrate: () => Promise<void> } => {
  const { database, inbox, logger } = parts;
  const { gateway, bot, components } = composePeers(config, parts);
  const maxAgeSeconds = config.OUTBOX_MAX_AGE_H * 3600;
  const outbox = openOutbox<OutboundPayload>({
    database,
    logger,
    name: 'chat-backend',
    lanes: GATEWAY_LANES,
    deliver: deliverToGateway({ gateway, repository: inbox.sends, maxAgeSeconds }),
  });
  const again: AutomationDependencies['again'] = async (payload, afterSeconds) => {
    const { storeId, conversationId, seq, attempt } = payload;
    const runAt = new Date(Date.now() + afterSeconds * 1000);
    await jobs.enqueue(database, 'automation', payload, {
      key: `${storeId}.${conversationId}.${seq}.${attempt}`,
      runAt,
    });
  };
  const repository = new AutomationRepository(database);
  const jobs = openJobs<ChatJobs>({
    database,
    logger,
    schema: `${SCHEMA}_jobs`,
    tasks: { automation: automationJob({ repository, outbound: inbox.outbound, bot, again, logger }) },
    runners: [{ name: 'bot turns', tasks: ['automation'], concurrency: BOT_TURNS }],
  });
  const migrate = async (): Promise<void> => {
    await database.migrate();
    await jobs.migrate();
  };
  return { components: [...components, outbox, jobs], migrate };
};
