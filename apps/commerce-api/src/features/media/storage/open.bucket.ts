import { S3Client } from '@aws-sdk/client-s3';
import type { S3Account } from '../../../clients/storage.settings';
import type { S3Line } from './s3.line';
import { S3Store } from './s3.store';

const ignored = (): void => undefined;

const CONNECT_MS = 2_000;
/** Without a byte in either direction. */
const SILENT_MS = 5_000;

/** What it would tell the console stands in the failure that is thrown. */
const SILENT = { trace: ignored, debug: ignored, info: ignored, warn: ignored, error: ignored };

/** `incoming`: a folder of this machine for what is under way. */
export const openBucket = (account: S3Account, line: S3Line, incoming: string): S3Store => {
  const { bucket, publicUrl, endpoint, region, accessKeyId, secretAccessKey } = account;
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
  return new S3Store({ client, line, bucket, publicUrl, incoming });
};
