import {
  ConfigurationError,
  httpUrl,
  optional,
  secretText,
  text,
  type ConfigOf,
  type Setting,
} from '@platform/runtime';

const bucketName: Setting<string> = {
  expects: 'the name of a bucket: 3 to 63 small letters, digits, dots and hyphens',
  read: (value) => (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value) ? value : undefined),
};

/** To which paths are added, and which stands in answers and logs. */
const baseUrl: Setting<string> = {
  expects: 'an http(s) address without a user, a query and a fragment',
  read: (value) => {
    const read = httpUrl().read(value);
    const { username, password, search, hash } = read === undefined ? { search: '?' } : new URL(read);
    return username || password || search || hash ? undefined : read;
  },
};

/** Where uploaded files are kept: on disk, or with a bucket in an object store that speaks S3. */
export const storageSettings = {
  /** Where uploaded files are kept without a bucket; with one those that pass through this service, while they do. */
  MEDIA_DIR: text({ fallback: '.data/shop-media' }),
  /** Of this service alone: what has the form of its names and is in no row is removed. */
  S3_BUCKET: optional(bucketName),
  /** Of a store that is not Amazon's. Browsers put files there and get private ones from there, by links that expire. */
  S3_ENDPOINT: optional(baseUrl),
  S3_REGION: text({ fallback: 'us-east-1' }),
  S3_ACCESS_KEY_ID: optional(text()),
  S3_SECRET_ACCESS_KEY: optional(secretText()),
  /** Where everybody reads what is public in the bucket: what lies below `public/`. */
  S3_PUBLIC_URL: optional(baseUrl),
};

export type StorageConfig = ConfigOf<typeof storageSettings>;

export interface S3Account {
  readonly bucket: string;
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly publicUrl: string;
}

/** Without these there is no object store, and with one of them there is to be one. */
const NEEDED = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'S3_PUBLIC_URL'] as const;

/** The bucket of the settings; undefined without one. Throws a ConfigurationError that names what is missing of a half of them. */
export const openS3 = (config: StorageConfig): S3Account | undefined => {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  const { S3_PUBLIC_URL: publicUrl, S3_ENDPOINT: endpoint, S3_REGION: region } = config;
  if ([...NEEDED, 'S3_ENDPOINT' as const].every((name) => config[name] === undefined)) return undefined;
  if (bucket && accessKeyId && secretAccessKey && publicUrl)
    return { bucket, endpoint, region, accessKeyId, secretAccessKey, publicUrl };
  const missing = NEEDED.filter((name) => config[name] === undefined);
  throw new ConfigurationError(
    missing.map(
      (name) => `${name} is missing: files lie in a bucket with all of ${NEEDED.join(', ')}, or on disk with none`,
    ),
  );
};
