import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, type Setting, type Settings } from '@platform/runtime';
import { portsFrom, SERVICES, type ServiceName } from './ports';
import { SANDBOXES } from './sandboxes';
import { loadSecrets } from './secrets';
import { serviceEnvironment, type Surroundings } from './services';
import { workspaceRoot } from './workspace';

const folder = mkdtempSync(join(tmpdir(), 'stack-services-'));
const secrets = loadSecrets(folder);
afterAll(() => rmSync(folder, { recursive: true }));

const around = (environment: Surroundings['environment'] = {}): Surroundings => ({
  ports: portsFrom(3000),
  secrets,
  databases: Object.fromEntries(
    SERVICES.map((name) => [name, { DATABASE_URL: `postgres://${name}:secret@127.0.0.1:3054/platform` }]),
  ),
  folder,
  environment,
});

const settingsOf = (name: ServiceName): Settings =>
  jest.requireActual<{ settings: Settings }>(join(workspaceRoot, 'apps', name, 'src/config.ts')).settings;

const entries = (name: ServiceName): [string, Setting<unknown>][] => Object.entries(settingsOf(name));

describe.each(SERVICES)('the environment of %s', (name) => {
  const environment = serviceEnvironment(name, around());

  it('is one that the service starts with', () => {
    expect(() => loadConfig(settingsOf(name), environment)).not.toThrow();
  });

  it('has every secret that production demands, but for those that would close what the contract leaves open', () => {
    const demanded = entries(name).filter(
      ([, setting]) => setting.secret === true && (setting.requiredInProduction === true || !('fallback' in setting)),
    );
    const left = demanded.filter(([key]) => !environment[key]);
    // On this machine it stays open
    expect(left.map(([key]) => key)).toEqual(name === 'wa-gateway' ? ['GATEWAY_API_KEY', 'REALTIME_TOKEN'] : []);
  });

  it('has no setting unknown to the service, addresses of its siblings aside', () => {
    const known = new Set([
      ...Object.keys(settingsOf(name)),
      'INTERNAL_PORT',
      'METRICS_PORT',
      'REDIS_URL',
      'NODE_OPTIONS',
    ]);
    const siblings = ['STORE_AUTH_URL', 'CHAT_URL', 'BOT_URL', 'WA_GATEWAY_URL', 'COMMERCE_URL'];
    expect(Object.keys(environment).filter((key) => !known.has(key) && !siblings.includes(key))).toEqual([]);
  });
});

describe('settings in the environment of npm start', () => {
  it('for Node itself go with the sizes of the heap', () =>
    expect(serviceEnvironment('ads-api', around({ NODE_OPTIONS: '--inspect=0' })).NODE_OPTIONS).toBe(
      '--inspect=0 --max-old-space-size=384 --max-semi-space-size=16',
    ));

  it('are passed to the services, unless they belong to the stack alone', () => {
    const elsewhere = 'postgres://elsewhere/x';
    const { LOG_LEVEL, PORT, APP_ENV, DATABASE_URL, DATABASE_POOL_URL } = serviceEnvironment(
      'ads-api',
      around({
        LOG_LEVEL: 'debug',
        PORT: '80',
        APP_ENV: 'production',
        DATABASE_URL: elsewhere,
        DATABASE_POOL_URL: elsewhere,
      }),
    );
    expect({ LOG_LEVEL, PORT, APP_ENV, DATABASE_URL, DATABASE_POOL_URL }).toEqual({
      LOG_LEVEL: 'debug',
      PORT: '3006',
      APP_ENV: 'development',
      DATABASE_URL: 'postgres://ads-api:secret@127.0.0.1:3054/platform',
      DATABASE_POOL_URL: '',
    });
  });

  it('can replace the sandbox by a real language model', () => {
    const given = { LLM_BASE_URL: 'https://models.example/v1', LLM_API_KEY: 'k', LLM_MODEL: 'm' };
    const { LLM_BASE_URL, LLM_API_KEY, LLM_MODEL } = serviceEnvironment('bot-engine', around(given));
    expect({ LLM_BASE_URL, LLM_API_KEY, LLM_MODEL }).toEqual(given);
    expect(serviceEnvironment('bot-engine', around()).LLM_BASE_URL).toBe('http://127.0.0.1:3102/v1');
  });

  it('can replace the sandbox of a payment provider by the real one, without what belongs to the sandbox', () => {
    const given = { PAY_A_BASE_URL: 'https://api-sandbox.doku.com', PAY_A_CLIENT_ID: 'BRN-1', PAY_A_SECRET: 'SK-1' };
    const settings = serviceEnvironment('commerce-api', around(given));
    expect(settings).toMatchObject(given);
    expect(settings.PAY_A_PUBLIC_URL).toBeUndefined();
    expect(settings).toMatchObject({ PAY_B_BASE_URL: 'http://127.0.0.1:3104', PAY_B_KEY: secrets['pay_b key'] });
    expect(serviceEnvironment('commerce-api', around({ PAY_A_CLIENT_ID: 'BRN-1' }))).toMatchObject({
      ...{ PAY_A_BASE_URL: 'http://127.0.0.1:3103', PAY_A_CLIENT_ID: secrets['pay_a client id'] },
    });
  });

  it('can replace the sandbox of the ad network by the real one, with an app and a redirect address of one’s own', () => {
    const given = {
      ...{ ADS_UPSTREAM: 'live', GRAPH_BASE_URL: 'https://graph.example', SOCIAL_APP_ID: '17' },
      OAUTH_REDIRECT_URI: 'https://ads.example.com/api/social/callback',
    };
    const settings = serviceEnvironment('ads-api', around(given));
    expect(settings).toMatchObject(given);
    expect([settings.SOCIAL_APP_SECRET, settings.SOCIAL_DIALOG_URL]).toEqual([undefined, 'https://www.facebook.com']);
    expect(serviceEnvironment('ads-api', around({ SOCIAL_APP_ID: '17' }))).toMatchObject({
      ...{
        ADS_UPSTREAM: 'sandbox',
        GRAPH_BASE_URL: 'http://127.0.0.1:3101',
        SOCIAL_DIALOG_URL: 'http://127.0.0.1:3101',
      },
      ...{ SOCIAL_APP_ID: '400550000000001', OAUTH_REDIRECT_URI: 'http://127.0.0.1:3006/api/social/callback' },
    });
  });

  it('are no settings of a sandbox of payments: it knows the accounts of this stack, and where the shop listens', () => {
    const settings = Object.fromEntries(
      SANDBOXES.map(({ name, settings: of }) => [name, of?.({ ...around({ NOTICE_URL: 'http://elsewhere' }) })]),
    );
    expect(settings).toEqual({
      mail: { SMTP_PORT: '3025' },
      graph: { REQUIRE_PROOF: 'true' },
      llm: undefined,
      doku: {
        ...{ PAY_A_CLIENT_ID: secrets['pay_a client id'], PAY_A_SECRET: secrets['pay_a secret'] },
        NOTICE_URL: 'http://127.0.0.1:3005/api/pay_a/checkout-notification',
        SANDBOX_STATE: join(folder, 'sandboxes/doku.jsonl'),
      },
      xendit: {
        ...{ PAY_B_KEY: secrets['pay_b key'], PAY_B_CALLBACK_TOKEN: secrets['pay_b callback token'] },
        NOTICE_URL: 'http://127.0.0.1:3005/api/pay_b/webhook',
        SANDBOX_STATE: join(folder, 'sandboxes/xendit.jsonl'),
      },
      duitku: {
        ...{ PAY_C_MERCHANT: secrets['pay_c merchant'], PAY_C_KEY: secrets['pay_c key'] },
        NOTICE_URL: 'http://127.0.0.1:3005/api/pay_c/callback',
        SANDBOX_STATE: join(folder, 'sandboxes/duitku.jsonl'),
      },
      rajaongkir: { SHIP_A_KEY: secrets['ship_a key'] },
    });
  });

  it('can close the callback, whose secret gateway and chat-backend then share', () => {
    const signed = around({ SIGNED_CALLBACKS: 'true' });
    expect(serviceEnvironment('chat-backend', around()).CALLBACK_SECRET).toBeUndefined();
    expect(serviceEnvironment('chat-backend', signed).CALLBACK_SECRET).toBe(
      serviceEnvironment('wa-gateway', signed).WEBHOOK_SECRET,
    );
  });
});
