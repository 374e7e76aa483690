import type { Database } from '@platform/data';
import type { Endpoint } from '@platform/http';
import type { JobQueue } from '@platform/jobs';
import type { Component } from '@platform/runtime';
import type { ChatJobs } from './chat.jobs';
import type { Config } from './config';
import { AliasRepository } from './features/ingest/alias.repository';
import { callbackEndpoints } from './features/ingest/callback.endpoints';
import { CallbackService, type CallbackDependencies } from './features/ingest/callback.service';
import { IngestRepository } from './features/ingest/ingest.repository';
import { StatusRepository } from './features/ingest/status.repository';
import type { MediaStore } from './features/media/media.store';

type IngestParts = Pick<CallbackDependencies, 'devices' | 'announcer' | 'notifications' | 'media' | 'isSending'> & {
  readonly database: Database;
  readonly queue: JobQueue<ChatJobs>;
  readonly files: MediaStore;
};

/** What comes in from the gateway. */
export const composeIngest = (
  { CALLBACK_SECRET, OPT_OUT_WORDS, COMMERCE_URL }: Config,
  { database, queue, files, ...parts }: IngestParts,
): { endpoints: Endpoint[]; components: Component[] } => {
  const messages = new IngestRepository(database, {
    automation: (payload, key) => queue.expression('automation', { payload, key }),
    contact: COMMERCE_URL === undefined ? undefined : (payload, key) => queue.expression('contact', { payload, key }),
    file: (payload, key) => queue.expression('remoteFile', { payload, key }),
  });
  const callbacks = new CallbackService({
    ...parts,
    messages,
    statuses: new StatusRepository(database),
    aliases: new AliasRepository(database),
    optOutWords: OPT_OUT_WORDS,
  });
  return { endpoints: callbackEndpoints(callbacks, files, { secrets: CALLBACK_SECRET }), components: [messages] };
};
