import { join } from 'node:path';
import { adsApp } from '@platform/sandbox-graph';
import type { DatabaseAddresses } from './database';
import { heapOptions } from './heap';
import { localUrl, type Ports, type ServiceName } from './ports';
import { payAccounts } from './sandboxes';
import { paymentIssuers, type Secrets } from './secrets';
import { clientCredentials, serviceClients } from './service-clients';
import type { Environment } from './workspace';

/** What the services of one stack are configured from. */
export interface Surroundings {
  readonly ports: Ports;
  readonly secrets: Secrets;
  readonly databases: Readonly<Partial<Record<ServiceName, DatabaseAddresses>>>;
  /** In process by default. */
  readonly redisUrl?: string;
  /** Folder for files that services keep. */
  readonly folder: string;
  /** Environment of whoever started the stack: passed to every service, unless the tables below override it. */
  readonly environment: Environment;
}

type Settings = Readonly<Record<string, string>>;

/** The documentation's path where it is not /docs. */
export const DOCS_PATHS: Partial<Record<ServiceName, string>> = { 'ads-api': '/docs/api' };

const addresses = ({ services }: Ports) => ({
  STORE_AUTH_URL: localUrl(services['store-auth']),
  CHAT_URL: localUrl(services['chat-backend']),
  BOT_URL: localUrl(services['bot-engine']),
  WA_GATEWAY_URL: localUrl(services['wa-gateway']),
  COMMERCE_URL: localUrl(services['commerce-api']),
});

/** The configured real model, else the sandbox. */
const languageModel = ({ ports, environment }: Surroundings): Settings =>
  environment.LLM_BASE_URL
    ? {}
    : {
        LLM_BASE_URL: `${localUrl(ports.sandboxes.llm)}/v1`,
        LLM_API_KEY: 'sandbox-key',
        LLM_MODEL: 'sandbox-rules-main',
        LLM_SMALL_MODEL: 'sandbox-rules-small',
        TESTING_MODEL: 'sandbox-rules-small',
        TRANSCRIBE_MODEL: 'sandbox-rules-small',
      };

const payProviders = ({ ports, secrets }: Surroundings): Readonly<Record<string, Settings>> => {
  const ours = localUrl(ports.services['commerce-api']);
  const { doku, xendit, duitku } = payAccounts(secrets);
  return {
    PAY_A_BASE_URL: { PAY_A_BASE_URL: localUrl(ports.sandboxes.doku), PAY_A_PUBLIC_URL: ours, ...doku },
    // As in production: what its notices say is asked for first
    PAY_B_BASE_URL: { PAY_B_BASE_URL: localUrl(ports.sandboxes.xendit), PAY_B_CONFIRM: 'true', ...xendit },
    PAY_C_BASE_URL: { PAY_C_BASE_URL: localUrl(ports.sandboxes.duitku), PAY_C_PUBLIC_URL: ours, ...duitku },
  };
};

/** Each configured real provider of payments, else its sandbox. */
const payments = (around: Surroundings): Settings =>
  Object.assign(
    {},
    ...Object.entries(payProviders(around)).map(([name, sandbox]) => (around.environment[name] ? {} : sandbox)),
  ) as Settings;

/** The configured real provider of courier prices, else its sandbox. */
const couriers = ({ ports, secrets, environment }: Surroundings): Settings =>
  environment.SHIP_A_BASE_URL
    ? {}
    : { SHIP_A_BASE_URL: localUrl(ports.sandboxes.rajaongkir), SHIP_A_KEY: secrets['ship_a key'] };

const oauthCallback = ({ ports }: Surroundings): string => `${localUrl(ports.services['ads-api'])}/api/social/callback`;

/** The real ad network with the account there, else the sandbox with the app that it knows. */
const adNetwork = ({ ports, environment }: Surroundings): Settings =>
  environment.ADS_UPSTREAM === 'live'
    ? {
        GRAPH_BASE_URL: environment.GRAPH_BASE_URL || 'https://graph.facebook.com',
        SOCIAL_DIALOG_URL: environment.SOCIAL_DIALOG_URL || 'https://www.facebook.com',
      }
    : {
        ADS_UPSTREAM: 'sandbox',
        GRAPH_BASE_URL: localUrl(ports.sandboxes.graph),
        SOCIAL_DIALOG_URL: localUrl(ports.sandboxes.graph),
        SOCIAL_APP_ID: adsApp.id,
        SOCIAL_APP_SECRET: adsApp.secret,
      };

/**
 * The gateway always signs. The callback stays open as the contract has it, so that it can be tried by hand, unless the stack
 * is started with SIGNED_CALLBACKS=true.
 */
const callbackCheck = ({ secrets, environment }: Surroundings): Settings =>
  environment.SIGNED_CALLBACKS === 'true' ? { CALLBACK_SECRET: secrets.callback } : {};

const OWN: Readonly<Record<ServiceName, (surroundings: Surroundings) => Settings>> = {
  'store-auth': ({ secrets }) => ({
    SIGNING_KEY_SECRET: secrets['signing key'],
    SERVICE_CLIENTS: serviceClients(secrets),
  }),
  'chat-backend': (surroundings) => ({
    ...clientCredentials('chat-backend', surroundings.secrets),
    ...callbackCheck(surroundings),
    // Shown and not asked for: on this machine the gateway's API is open, as the contract has it
    GATEWAY_API_KEY: surroundings.secrets['gateway api key'],
    MEDIA_SECRET: surroundings.secrets.media,
    MEDIA_BASE_URL: localUrl(surroundings.ports.services['chat-backend']),
    MEDIA_DIR: join(surroundings.folder, 'media'),
  }),
  'bot-engine': (around) => ({
    ...languageModel(around),
    ...clientCredentials('bot-engine', around.secrets),
    STORE_SOURCE: 'commerce',
    ENGINE_BOT_SECRET: around.secrets['engine bot'],
  }),
  'wa-gateway': ({ secrets, ports, folder }) => ({
    FILES_DIR: join(folder, 'gateway-files'),
    WA_AUTH_KEY: secrets['gateway auth key'],
    WEBHOOK_URL: `${localUrl(ports.services['chat-backend'])}/v1`,
    WEBHOOK_SECRET: secrets.callback,
  }),
  'commerce-api': (around) => ({
    MEDIA_DIR: join(around.folder, 'shop-media'),
    ...clientCredentials('commerce-api', around.secrets),
    SHOP_SECRETS_KEY: around.secrets['shop secrets key'],
    PAY_LINK_SECRET: around.secrets['pay link'],
    ENGINE_BOT_SECRET: around.secrets['engine bot'],
    WALLET_PIN_PEPPER: around.secrets['wallet pin pepper'],
    COMMERCE_CREDIT_KEY: around.secrets['commerce credit key'],
    PUBLIC_URL: localUrl(around.ports.services['commerce-api']),
    CHAT_PUBLIC_URL: localUrl(around.ports.services['chat-backend']),
    GATEWAY_API_KEY: around.secrets['gateway api key'],
    INGRESS_SECRET: around.secrets.ingress,
    SHOP_DOMAIN: 'shop.localhost',
    SMTP_URL: `smtp://127.0.0.1:${around.ports.smtp}`,
    VAPID_PRIVATE_KEY: around.secrets['vapid key'],
    VAPID_SUBJECT: 'mailto:push@toko.example',
    // Browsers name their own push services; by this one scripts and tests see what those would be sent
    PUSH_ALLOW_HOSTS: new URL(localUrl(around.ports.sandboxes.push)).host,
    ...payments(around),
    ...couriers(around),
  }),
  'ads-api': (around) => ({
    ADS_BEARER_SECRET: around.secrets['ads bearer'],
    ADS_TOKEN_KEYS: around.secrets['ads token keys'],
    PAYMENT_ISSUERS: paymentIssuers(around.secrets),
    OAUTH_REDIRECT_URI: around.environment.OAUTH_REDIRECT_URI || oauthCallback(around),
    ...adNetwork(around),
  }),
};

/** The environment of one service: that of the stack, overridden by what belongs to this stack alone. */
export const serviceEnvironment = (name: ServiceName, surroundings: Surroundings): Environment => ({
  ...surroundings.environment,
  APP_ENV: 'development',
  NODE_OPTIONS: [surroundings.environment.NODE_OPTIONS, heapOptions(name)].filter(Boolean).join(' '),
  HOST: '127.0.0.1',
  PORT: String(surroundings.ports.services[name]),
  INTERNAL_PORT: '',
  METRICS_PORT: '',
  DATABASE_POOL_URL: '',
  ...surroundings.databases[name],
  REDIS_URL: surroundings.redisUrl ?? 'none',
  ...addresses(surroundings.ports),
  ...OWN[name](surroundings),
});
