import type { Database } from '@platform/data';
import { openJobQueue, openJobs, type JobQueue, type Jobs, type RunnerOptions } from '@platform/jobs';
import { openOutbox, type Deliver, type OutgoingRow } from '@platform/outbox';
import type { Clock, Component, Logger, Sends } from '@platform/runtime';
import type { ServiceTokens } from '@platform/auth';
import { httpClient, type Endpoint } from '@platform/http';
import { httpBotClient, type BotClient } from './clients/bot.client';
import { httpCommerceClient, type CommerceClient } from './clients/commerce.client';
import {
  httpGatewayClient,
  LONGEST_SEND_SECONDS,
  type GatewayClient,
  type ReadReceipt,
} from './clients/gateway.client';
import type { ChatJobs } from './chat.jobs';
import type { Config } from './config';
import { SCHEMA } from './data-source';
import { automationJob, type AutomationDependencies } from './features/automation/automation.job';
import { AutomationRepository } from './features/automation/automation.repository';
import { BotQuestions } from './features/automation/bot.questions';
import { BotTurn } from './features/automation/bot.turn';
import { commerceEventJob } from './features/automation/commerce-event.job';
import { contactJob } from './features/automation/contact.job';
import { Distribution } from './features/automation/distribution';
import { WaitingAnswers } from './features/automation/waiting.answers';
import { DevicePoll } from './features/devices/device.poll';
import type { CampaignFill } from './features/broadcasts/campaign.fill';
import { ownFiles } from './features/media/own-files';
import type { Download } from './features/media/media.store';
import { remoteFileJob } from './features/ingest/remote-file.job';
import { deadSendEndpoints } from './features/outbound/dead-sends.endpoints';
import { DeadSendsRepository } from './features/outbound/dead-sends.repository';
import { deliverToGateway, type OutboundPayload } from './features/outbound/delivery';
import { SEND_ROW } from './features/outbound/outbound.sql';
import { deliverReceipt } from './features/outbound/read-receipt';
import { READ_ROW } from './features/receipts/receipt.sql';
import { adoptJob } from './features/sync/adopt.job';
import { SyncRepository } from './features/sync/sync.repository';
import type { MinuteTask } from './features/lifecycle/minute.tasks';
import type { Inbox } from './inbox.composition';

/** How the other services and the world are reached. */
export interface Peers {
  /** Whether outside effects may happen now. */
  readonly sends: Sends;
  readonly tokens: ServiceTokens;
  /** Instead of the services that the configuration names. */
  readonly gateway?: GatewayClient;
  readonly bot?: BotClient;
  readonly commerce?: CommerceClient;
  readonly download?: Download;
}

interface DeliveryParts extends Peers {
  readonly database: Database;
  readonly inbox: Inbox;
  readonly timers: MinuteTask;
  readonly clock: Clock;
  readonly campaigns: CampaignFill;
  readonly logger: Logger;
}

const AUTOMATIONS = 10;
const GATEWAY_LANES = 32;
/** Every device has a lane of its own besides, and none waits for a connection that another one keeps. */
const GATEWAY_CONNECTIONS = 1_000;

/** Without BOT_URL nobody answers for the agents. */
const noBot: BotClient = { ask: async () => ({ kind: 'answered', bubbles: [] }) };

/** The other services, over HTTP. */
const composePeers = (config: Config, { tokens, gateway, bot, commerce }: Peers) => {
  const { WA_GATEWAY_URL, BOT_URL, COMMERCE_URL, BOT_TURNS: connections } = config;
  const gatewayHttp = httpClient('wa-gateway', WA_GATEWAY_URL, { connections: GATEWAY_CONNECTIONS });
  const botHttp = BOT_URL ? httpClient('bot-engine', BOT_URL, { connections }) : undefined;
  const commerceHttp = COMMERCE_URL ? httpClient('commerce-api', COMMERCE_URL) : undefined;
  return {
    gateway: gateway ?? httpGatewayClient(gatewayHttp, config.GATEWAY_API_KEY),
    bot: bot ?? (botHttp ? httpBotClient(botHttp, tokens, connections) : noBot),
    commerce: commerce ?? (commerceHttp && httpCommerceClient(commerceHttp, tokens)),
    components: [gatewayHttp, ...(botHttp ? [botHttp] : []), ...(commerceHttp ? [commerceHttp] : [])],
  };
};

/** Where files of the gateway are fetched from. */
const gatewayFiles = (config: Config) => ({ gatewayUrl: config.WA_GATEWAY_URL, ownFiles: ownFiles(config).ofGateway });

/** Messages, and receipts of messages. */
const deliveryOf = (
  config: Config,
  { inbox, campaigns }: DeliveryParts,
  gateway: GatewayClient,
): Deliver<OutboundPayload | ReadReceipt> => {
  const maxAgeSeconds = config.OUTBOX_MAX_AGE_H * 3600;
  const receipt = deliverReceipt({ gateway, maxAgeSeconds });
  const send = deliverToGateway({
    gateway,
    repository: inbox.sends,
    linkOf: (name) => inbox.media.link(name, config.MEDIA_INTERNAL_URL),
    campaigns,
    maxAgeSeconds,
    failed: (notified) => inbox.notifications.notified(notified),
  });
  return (row, signal) =>
    row.kind === READ_ROW.name
      ? receipt(row as OutgoingRow<ReadReceipt>, signal)
      : send(row as OutgoingRow<OutboundPayload>, signal);
};

/** Takes what is sent to the gateway, in order per chat. */
const composeOutbox = (config: Config, parts: DeliveryParts, gateway: GatewayClient) =>
  openOutbox<OutboundPayload | ReadReceipt>({
    database: parts.database,
    logger: parts.logger,
    name: 'chat-backend',
    lanes: GATEWAY_LANES,
    kinds: [SEND_ROW, READ_ROW],
    sends: parts.sends,
    leaseSeconds: config.OUTBOX_LEASE_S,
    callSeconds: LONGEST_SEND_SECONDS,
    deadRetentionSeconds: config.OUTBOX_DEAD_DAYS * 86_400,
    deliver: deliveryOf(config, parts, gateway),
  });

/** Neither a commerce-api that hangs keeps anything else waiting, nor one store the others. */
const TELLING_COMMERCE: RunnerOptions<ChatJobs> = {
  name: 'commerce',
  tasks: ['contact', 'commerce.event'],
  concurrency: 4,
  share: { by: 'storeId', most: 2 },
};

/** Hosts of files hang for 20 s and more: neither for those who need none, nor for all stores, nor one kind for the other. */
const FETCHING: readonly RunnerOptions<ChatJobs>[] = (['answer', 'remoteFile'] as const).map((task) => ({
  name: task,
  tasks: [task],
  concurrency: 8,
  share: { by: 'storeId', most: 2 },
}));

/** A turn takes up to 75 s: many at a time, and one store never has all the places. */
const botTurns = ({ BOT_TURNS, BOT_TURNS_PER_STORE }: Config): RunnerOptions<ChatJobs> => ({
  name: 'bot turns',
  tasks: ['bot.ask'],
  concurrency: BOT_TURNS,
  share: { by: 'storeId', most: BOT_TURNS_PER_STORE },
});

interface AnswerParts extends Pick<DeliveryParts, 'database' | 'inbox' | 'clock' | 'logger'> {
  readonly repository: AutomationRepository;
  readonly queue: JobQueue<ChatJobs>;
  readonly bot: BotClient;
}

/** Decides on messages, and takes the turns of the bot. */
const composeAnswers = (config: Config, { database, repository, queue, inbox, bot, clock, logger }: AnswerParts) => {
  const { outbound, announcer, notifications, media: links } = inbox;
  const distribution = new Distribution(database, inbox);
  const distribute: AutomationDependencies['distribute'] = (chat, team) => distribution.distribute(chat, team);
  const questions = new BotQuestions({ database, repository, queue, notifications, distribute, clock });
  const answers = new WaitingAnswers({ database, repository, queue, clock });
  const linkOf = (file: string) => links.link(file, config.MEDIA_INTERNAL_URL);
  return {
    automation: automationJob({ repository, outbound, bot: questions, answers, distribute }),
    turn: new BotTurn({ repository, outbound, bot, questions, announcer, linkOf, logger }),
  };
};

const composeJobs = (
  config: Config,
  parts: DeliveryParts,
  { bot, commerce }: ReturnType<typeof composePeers>,
): Jobs<ChatJobs> => {
  const { database, inbox, timers, campaigns, clock, sends, logger } = parts;
  const repository = new AutomationRepository(database);
  const queue = openJobQueue<ChatJobs>(`${SCHEMA}_jobs`);
  const { automation, turn } = composeAnswers(config, { database, repository, queue, inbox, bot, clock, logger });
  const files = { store: inbox.files, links: inbox.media, announcer: inbox.announcer, ...gatewayFiles(config) };
  const jobs = openJobs<ChatJobs>({
    database,
    logger,
    schema: `${SCHEMA}_jobs`,
    tasks: {
      // Writes answers to what may have been answered already
      automation: { effect: 'outside', run: automation },
      // The same, where the answer had to wait
      answer: { effect: 'outside', run: automation },
      // Asks the bot, whose model is a third party
      'bot.ask': { effect: 'outside', run: (question, job) => turn.take(question, job) },
      // Only reads, from where the gateway says
      remoteFile: { effect: 'inside', run: remoteFileJob({ sql: database, ...files, logger }) },
      // commerce-api knows a contact by its number: the same one again changes nothing
      contact: { effect: 'inside', run: contactJob({ sql: database, commerce, logger }) },
      // An event that commerce-api knows changes nothing there
      'commerce.event': { effect: 'inside', run: commerceEventJob({ commerce, logger }) },
      // Moves our own rows; the messages that it writes wait in the outbox
      timers: { effect: 'inside', run: () => timers.run(), cron: [{ pattern: '* * * * *' }] },
      // Takes a campaign on to its next recipient
      'broadcast.fill': { effect: 'outside', run: (key) => campaigns.run(key) },
      // Moves our own rows
      adopt: {
        effect: 'inside',
        run: adoptJob({ database, repository: new SyncRepository(database), announcer: inbox.announcer }),
      },
    },
    sends,
    runners: [
      { name: 'automation', tasks: ['automation'], concurrency: AUTOMATIONS },
      TELLING_COMMERCE,
      ...FETCHING,
      botTurns(config),
    ],
  });
  return jobs;
};

/** Background work: the outbox towards the gateway, the jobs, and watching devices. */
export const composeDelivery = (
  config: Config,
  parts: DeliveryParts,
): { endpoints: Endpoint[]; components: Component[]; migrate: () => Promise<void> } => {
  const { database, inbox, logger } = parts;
  const peers = composePeers(config, parts);
  const { gateway } = peers;
  const jobs = composeJobs(config, parts, peers);
  const everySeconds = config.DEVICE_POLL_S;
  const { announcer, notifications } = inbox;
  const poll = new DevicePoll({ sql: database, gateway, announcer, notifications, everySeconds, logger });
  const migrate = async (): Promise<void> => {
    await database.migrate();
    // A role that only reads and writes can check, not change
    if ((await jobs.pending()).length > 0) await jobs.migrate();
  };
  return {
    endpoints: deadSendEndpoints(new DeadSendsRepository(database)),
    components: [...peers.components, composeOutbox(config, parts, gateway), jobs, poll],
    migrate,
  };
};
