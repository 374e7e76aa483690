import { join } from 'node:path';
import { openS3, type StorageConfig } from '../../../clients/storage.settings';
import { MediaDisk } from './media.disk';
import type { ObjectStore } from './object.store';
import type * as Bucket from './open.bucket';
import { S3Line } from './s3.line';

/** The store of the settings: with a bucket that bucket, else the disk. */
export const openStore = (config: StorageConfig, line = new S3Line()): ObjectStore => {
  const s3 = openS3(config);
  if (!s3) return new MediaDisk(config.MEDIA_DIR);
  // Its client is a tenth of what a start would load
  const { openBucket } = require('./open.bucket') as typeof Bucket;
  return openBucket(s3, line, join(config.MEDIA_DIR, 'incoming'));
};
