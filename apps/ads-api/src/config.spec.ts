import { randomBytes } from 'node:crypto';
import { ConfigurationError, loadConfig, silentLogger } from '@platform/runtime';
import { createApp } from './app';
import { checkConfig, settings } from './config';

const PRODUCTION = {
  ...{ APP_ENV: 'production', DATABASE_URL: 'postgres://ads_api:p@127.0.0.1:1/none', TRUST_PROXY: 'none' },
  REDIS_URL: 'none',
  ...{ ADS_BEARER_SECRET: 'of the tests', ADS_TOKEN_KEYS: randomBytes(32).toString('base64') },
  ...{ ADS_UPSTREAM: 'live', GRAPH_BASE_URL: 'https://graph.facebook.com' },
  ...{ SOCIAL_DIALOG_URL: 'https://www.facebook.com', SOCIAL_APP_ID: '17', SOCIAL_APP_SECRET: 's' },
  OAUTH_REDIRECT_URI: 'https://ads.example.com/api/social/callback',
};

/** What refuses a start with these settings, by the composition of the service. */
const problems = (given: Record<string, string | undefined>): readonly string[] => {
  try {
    createApp(loadConfig(settings, given), { logger: silentLogger });
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
};

it('production starts with the settings of a real network', () => {
  expect(problems(PRODUCTION)).toEqual([]);
});

it.each([
  'ADS_BEARER_SECRET',
  'ADS_TOKEN_KEYS',
  'REDIS_URL',
  'GRAPH_BASE_URL',
  'SOCIAL_DIALOG_URL',
  'SOCIAL_APP_ID',
  'SOCIAL_APP_SECRET',
  'OAUTH_REDIRECT_URI',
])('production does not start without %s', (name) => {
  expect(problems({ ...PRODUCTION, [name]: '' })).toEqual([expect.stringMatching(`^${name} is missing: set it to `)]);
});

it.each([
  [
    'the sandbox as the network',
    { ADS_UPSTREAM: 'sandbox' },
    'ADS_UPSTREAM must be live with APP_ENV=production: the sandbox moves no money',
  ],
  [
    "the sandbox's app",
    { SOCIAL_APP_ID: '400550000000001' },
    "SOCIAL_APP_ID must be an app of your own with ADS_UPSTREAM=live: 400550000000001 is the sandbox's",
  ],
  [
    "the sandbox's address",
    { GRAPH_BASE_URL: 'http://127.0.0.1:3101' },
    "GRAPH_BASE_URL and SOCIAL_DIALOG_URL must be the network's with ADS_UPSTREAM=live: http://127.0.0.1:3101 is the sandbox",
  ],
])('production does not start with %s', (_, wrong, problem) => {
  expect(problems({ ...PRODUCTION, ...wrong })).toContain(problem);
});

it.each(['GRAPH_BASE_URL', 'SOCIAL_DIALOG_URL', 'OAUTH_REDIRECT_URI'])(
  'production sends no secret in clear: %s',
  (name) => {
    expect(problems({ ...PRODUCTION, [name]: 'http://network.example' })).toEqual([
      `${name} must be an https address with APP_ENV=production: tokens and codes travel there`,
    ]);
  },
);

it.each(['{client_key}|{time}', '{timestamp}'])(
  'nothing starts with a handshake that signs only part: %s',
  (template) => {
    expect(problems({ ...PRODUCTION, SIGNED_STRING_TEMPLATE: template })).toEqual([
      'SIGNED_STRING_TEMPLATE must hold {client_key} and {timestamp}: what is not signed can be changed by whoever repeats a handshake',
    ]);
  },
);

it('nothing starts with a lease that a call outlives, or that whoever repeats after a crash does not outwait', () => {
  const refused = (lease: string) => [
    `LEASE_MS (${lease}) must lie between UPSTREAM_TIMEOUT_MS (8000) and CAP_WAIT_MS (15000): ` +
      'a call must end within its lease, and who repeats after a crash must outwait it',
  ];
  expect(problems({ ...PRODUCTION, LEASE_MS: '8000' })).toEqual(refused('8000'));
  expect(problems({ ...PRODUCTION, LEASE_MS: '15000' })).toEqual(refused('15000'));
});

it('nothing starts with account states that are no numbers', () => {
  expect(() => checkConfig({ ...loadConfig(settings, PRODUCTION), ACTIVE_STATUSES: ['1', 'ACTIVE'] })).toThrow(
    'ACTIVE_STATUSES must be a comma list of account states such as 1,8,9',
  );
});
