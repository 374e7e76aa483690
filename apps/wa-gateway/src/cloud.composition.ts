import { Semaphore, type Clock, type Logger } from '@platform/runtime';
import type { Config } from './config';
import type { Core } from './core.composition';
import { CloudAccounts, type CloudCredentials } from './engines/cloud/cloud.account';
import { CloudEngine } from './engines/cloud/cloud.engine';
import { CloudMedia, type UploadFile } from './engines/cloud/cloud.media';
import { CloudStore } from './engines/cloud/cloud.store';
import { GraphClient } from './engines/cloud/graph.client';
import { EngineRefused } from './engines/engine.errors';
import type { MediaRef } from './engines/engine.types';
import type { Device } from './features/registry/device.entity';
import type { FileStore } from './features/files/file.store';

const credentialsOf = (config: Config): CloudCredentials | undefined => {
  const { WA_CLOUD_PHONE_NUMBER_ID: phone_number_id, WA_CLOUD_TOKEN: token } = config;
  const { WA_CLOUD_APP_SECRET: app_secret, WA_CLOUD_VERIFY_TOKEN: verify_token } = config;
  return phone_number_id && token && app_secret && verify_token
    ? { phone_number_id, token, app_secret, verify_token }
    : undefined;
};

/** A stored file as Meta's upload wants it. */
const uploadOf =
  (files: FileStore) =>
  async ({ key, mimetype, fileName: name = key }: MediaRef): Promise<UploadFile> => {
    const found = await files.find(key);
    if (!found) throw new EngineRefused('FILE_GONE', 'the file is not there any more');
    return { name, mimetype, size: found.size, open: () => files.open(key) };
  };

/** The engine on Meta's Cloud API. */
export const composeCloud = (config: Config, core: Core, { logger, clock }: { logger: Logger; clock: Clock }) => {
  const { WA_CLOUD_BASE_URL: baseUrl, WA_CLOUD_VERSION: version, WA_CLOUD_TIMEOUT: seconds } = config;
  const graph = new GraphClient({ baseUrl, version, timeoutMs: seconds * 1_000 });
  const accounts = new CloudAccounts(core.box, credentialsOf(config), config.WA_CLOUD_VERIFY_TOKEN);
  const media = new CloudMedia(graph, config.WA_CLOUD_MEDIA_HOSTS);
  const gate = new Semaphore(config.CONNECT_CONCURRENCY);
  const files = { media, fileOf: uploadOf(core.files) };
  const context = { graph, looks: { gate }, ...files, store: new CloudStore(core.database), clock, logger };
  const createEngine = ({ instanceId, status, cloudAccount }: Device): CloudEngine => {
    const account = cloudAccount ? accounts.open(instanceId, cloudAccount) : undefined;
    return new CloudEngine({ instanceId, status, account }, context);
  };
  return { accounts, graph: graph.http, createEngine };
};

export type Cloud = ReturnType<typeof composeCloud>;
