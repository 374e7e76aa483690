import { loadConfig } from '@platform/runtime';
import { openS3, storageSettings } from './storage.settings';

const WHOLE = {
  ...{ S3_BUCKET: 'shop-files', S3_ACCESS_KEY_ID: 'AKID', S3_SECRET_ACCESS_KEY: 'canary-secret' },
  S3_PUBLIC_URL: 'https://files.example/shop/',
};
const opened = (environment: Record<string, string>) => openS3(loadConfig(storageSettings, environment));
const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    opened(environment);
    return [];
  } catch (error) {
    expect(String((error as Error).stack)).not.toContain('canary-secret');
    return (error as { problems: readonly string[] }).problems;
  }
};

it('without a bucket files lie on disk, also when settings are there and empty', () => {
  expect([opened({}), opened({ S3_BUCKET: '', S3_ENDPOINT: '' })]).toEqual([undefined, undefined]);
});

it('with all settings files lie in the bucket', () => {
  expect(opened(WHOLE)).toEqual({
    ...{ bucket: 'shop-files', endpoint: undefined, region: 'us-east-1', accessKeyId: 'AKID' },
    ...{ secretAccessKey: 'canary-secret', publicUrl: 'https://files.example/shop' },
  });
});

it.each(Object.keys(WHOLE))('all but %s are refused, and it is named', (name) => {
  const rest = Object.fromEntries(Object.entries(WHOLE).filter(([each]) => each !== name));
  expect(problemsOf(rest)).toEqual([
    `${name} is missing: files lie in a bucket with all of S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_PUBLIC_URL, or on disk with none`,
  ]);
});

it('an endpoint alone is refused: somebody wanted a bucket', () => {
  expect(problemsOf({ S3_ENDPOINT: 'http://minio:9000' })).toHaveLength(4);
});

it.each([
  ['S3_BUCKET', 'Shop Files'],
  ['S3_BUCKET', '../x'],
  ['S3_BUCKET', 'ab'],
  ['S3_ENDPOINT', 'minio:9000'],
  ['S3_ENDPOINT', 'http://user:canary-secret@minio:9000'],
  ['S3_PUBLIC_URL', 'https://files.example/?x=1'],
  ['S3_PUBLIC_URL', 'ftp://files.example'],
])('%s=%s is refused', (name, value) => {
  expect(problemsOf({ ...WHOLE, [name]: value })).toEqual([expect.stringContaining(`${name} must be`)]);
});
