import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { openS3, type StorageConfig } from '../../../clients/storage.settings';
import { MediaDisk } from './media.disk';
import type { ObjectStore } from './object.store';
import { S3Line } from './s3.line';
import { S3Store } from './s3.store';

const ignored = (): void => undefined;

const CONNECT_MS = 2_000;
/** Without a byte in either direction. */
const SILENT_MS = 5_000;

/** What it would tell the console stands in the failure that is thrown. */
const SILENT = { trace: ignored, debug: ignored, info: ignored, warn: ignored, error: ignored };

/** The store of the settings: with a bucket that bucket, else the disk. */
export const openStore = (config: StorageConfig, line = new S3Line()): ObjectStore => {
  const s3 = openS3(config);
  if (!s3) return new MediaDisk(config.MEDIA_DIR);
  const { bucket, publicUrl, endpoint, region, accessKeyId, secretAccessKey } = s3;
  const client = new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Stores that are not Amazon's have no host for each bucket
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    // Otherwise a presigned PUT carries the checksum of no bytes, and a store that checks it refuses every upload
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    logger: SILENT,
    // Of silence, not of the whole call: a large file may take as long as its bytes come
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENT_MS },
  });
  const incoming = join(config.MEDIA_DIR, 'incoming');
  return new S3Store({ client, line, bucket, publicUrl, incoming });
};
