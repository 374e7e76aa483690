import { secretBox } from '@platform/auth';
import {
  databaseOptions,
  isAstray,
  openCache,
  openDatabase,
  redisConnection,
  SharedClock,
  type Database,
} from '@platform/data';
import { replicaAddress } from '@platform/http';
import { openOutbox, type Outbox } from '@platform/outbox';
import { systemClock, type Clock, type Logger, type Sends } from '@platform/runtime';
import type { Config } from './config';
import { entities, migrations, schema } from './data-source';
import type { MediaRef } from './engines/engine.types';
import type { FilePart } from './features/callbacks/callback.body';
import { CallbackDelivery } from './features/callbacks/callback.delivery';
import { CALLBACK, type CallbackRow } from './features/callbacks/callback.row';
import { callbackSecrets } from './features/callbacks/callback.secrets';
import { DevicesRepository } from './features/registry/devices.repository';
import { FileFetcher } from './features/files/file.fetcher';
import { FileStore } from './features/files/file.store';
import { HEARTBEATS } from './features/leases/leases.repository';
import { InboundMedia, type InboundMediaOptions } from './features/files/inbound-media.service';
import { LateFilesRepository } from './features/files/late-files.repository';
import { LateFiles } from './features/files/late-files.service';
import { MessageReports } from './features/messages/message-reports.service';
import { MessagesRepository } from './features/messages/messages.repository';
import { createAnnouncer } from './features/realtime/announcer';
import { openSockets } from './features/realtime/socket-server';

export interface CoreDeps {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly sends: Sends;
}

/** Without a clock it goes by that of the database. */
type Given = Omit<CoreDeps, 'clock'> & Partial<CoreDeps>;

/** Reads a stored file for the callbacks' `file` part. */
const filePartOf =
  (files: FileStore) =>
  async ({ key, mimetype, fileName: name = key }: MediaRef): Promise<FilePart | undefined> => {
    const bytes = await files.read(key);
    return bytes && { name, mimetype, bytes };
  };

interface CallbackParts extends Pick<CoreDeps, 'logger' | 'sends'> {
  readonly database: Database;
  readonly delivery: CallbackDelivery;
}

const openCallbacks = (config: Config, { delivery, ...parts }: CallbackParts): Outbox =>
  openOutbox<CallbackRow>({
    ...parts,
    name: 'callbacks',
    deliver: delivery.deliver,
    kinds: [CALLBACK],
    lanes: config.WEBHOOK_LANES,
    leaseSeconds: config.WEBHOOK_LEASE,
    callSeconds: delivery.callSeconds,
  });

/** Files that come with messages: at once, or late. */
const composeFetching = (
  config: Config,
  parts: Pick<InboundMediaOptions, 'database' | 'outbox' | 'logger'> & { files: FileStore },
) => {
  const { database, files, logger } = parts;
  const fetcher = new FileFetcher(files, config.MEDIA_MAX_MB);
  const late = new LateFilesRepository(database);
  const baseUrl = config.FILES_BASE_URL ?? '';
  return {
    media: new InboundMedia({ ...parts, fetcher, late, baseUrl }),
    lateFiles: new LateFiles({ files: late, fetcher, logger }),
  };
};

/** What everything else stands on: tables, sockets, and the way of a callback to its receiver. */
export const composeCore = (config: Config, { logger, clock: given, sends }: Given) => {
  const { REDIS_URL: redisUrl, WEBHOOK_SECRET: fallback } = config;
  const database = openDatabase({ ...databaseOptions(config), schema, entities, migrations, logger });
  const shared = new SharedClock(database, logger);
  const clock = given ?? shared;
  const redis = redisUrl ? () => redisConnection(redisUrl, logger) : undefined;
  const cache = openCache({ url: redisUrl, logger, name: 'wa-gateway', optional: true });
  // Files are stamped by the system's clock: by another one they would be too old, or never old enough
  const stamping = { clock: given ?? systemClock, logger };
  const files = new FileStore({
    ...{ directory: config.FILES_DIR, ttlDays: config.FILE_TTL_DAYS, ...stamping },
    isAstray: () => isAstray(database, stamping),
  });
  const realtime = openSockets({ token: config.REALTIME_TOKEN, redis, address: replicaAddress(config), logger });
  const announcer = createAnnouncer(realtime, config.REALTIME_SCOPE);
  const devices = new DevicesRepository(database);
  const messages = new MessagesRepository(database);
  const box = secretBox(config.WA_AUTH_KEY, { setting: 'WA_AUTH_KEY' });
  const delivery = new CallbackDelivery({
    patience: { giveUpSeconds: config.WEBHOOK_GIVE_UP, refusedSeconds: config.WEBHOOK_REFUSED_MAX },
    clock,
    secretOf: callbackSecrets({ devices, box, fallback, clock }),
    timeoutSeconds: config.WEBHOOK_TIMEOUT,
    fileOf: filePartOf(files),
    inflightBytes: config.WEBHOOK_INFLIGHT_BYTES,
  });
  const outbox = openCallbacks(config, { database, delivery, sends, logger });
  const reports = new MessageReports({ database, messages, announcer, clock, logger });
  const tables = { database, heartbeats: database.aside(HEARTBEATS), devices, messages, reports };
  const fetching = composeFetching(config, { database, outbox, files, logger });
  return { ...tables, ...fetching, clock, shared, cache, files, realtime, announcer, box, delivery, outbox, sends };
};

export type Core = ReturnType<typeof composeCore>;
