import { secretBox } from '@platform/auth';
import { openDatabase, redisConnection } from '@platform/data';
import { openOutbox } from '@platform/outbox';
import type { Clock, Logger } from '@platform/runtime';
import type { Config } from './config';
import { entities, migrations, schema } from './data-source';
import { CallbackDelivery, type CallbackDeliveryOptions } from './features/callbacks/callback.delivery';
import type { CallbackRow } from './features/callbacks/callback.row';
import { callbackSecrets } from './features/callbacks/callback.secrets';
import { DevicesRepository } from './features/devices/devices.repository';
import { MessageReports } from './features/messages/message-reports.service';
import { MessagesRepository } from './features/messages/messages.repository';
import { createAnnouncer } from './features/realtime/announcer';
import { openSockets } from './features/realtime/socket-server';

export interface CoreDeps {
  readonly logger: Logger;
  readonly clock: Clock;
  /** Reads stored media for the callbacks' `file` part. */
  readonly fileOf?: CallbackDeliveryOptions['fileOf'];
}

/** What everything else stands on: tables, sockets, and the way of a callback to its receiver. */
export const composeCore = (config: Config, { logger, clock, fileOf }: CoreDeps) => {
  const { DATABASE_URL: url, REDIS_URL: redisUrl, WEBHOOK_SECRET: fallback } = config;
  const database = openDatabase({ url, schema, entities, migrations, logger });
  const redis = redisUrl ? () => redisConnection(redisUrl, logger) : undefined;
  const realtime = openSockets({ token: config.REALTIME_TOKEN, redis, logger });
  const announcer = createAnnouncer(realtime, config.REALTIME_SCOPE);
  const devices = new DevicesRepository(database);
  const messages = new MessagesRepository(database);
  const box = secretBox(config.WA_AUTH_KEY, { setting: 'WA_AUTH_KEY' });
  const delivery = new CallbackDelivery({
    patience: { giveUpSeconds: config.WEBHOOK_GIVE_UP, refusedSeconds: config.WEBHOOK_REFUSED_MAX },
    clock,
    secretOf: callbackSecrets({ devices, box, fallback, clock }),
    fileOf,
  });
  const outbox = openOutbox<CallbackRow>({
    database,
    logger,
    name: 'callbacks',
    deliver: delivery.deliver,
    lanes: config.WEBHOOK_LANES,
    leaseSeconds: config.WEBHOOK_LEASE,
  });
  const reports = new MessageReports(database, messages, announcer, clock);
  return { database, realtime, announcer, devices, messages, box, delivery, outbox, reports };
};

export type Core = ReturnType<typeof composeCore>;
