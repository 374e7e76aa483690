import { trustedProxies } from '@platform/auth';
import { databaseSettings } from '@platform/data';
import { commonSettings } from '@platform/http';
import {
  choice,
  ConfigurationError,
  flag,
  httpUrl,
  integer,
  list,
  optional,
  sendsSettings,
  secretText,
  text,
  type ConfigOf,
  type Setting,
} from '@platform/runtime';
import type { QuietHours } from './features/campaigns/lane-rules';

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** A span of time such as 24h, 15m or 30s; the value is seconds. */
const duration = (fallback: number): Setting<number> => ({
  expects: 'a span of time such as 30s, 15m or 24h',
  fallback,
  read: (value) => {
    const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(value) ?? [];
    return amount && unit ? Number(amount) * SECONDS[unit as keyof typeof SECONDS] : undefined;
  },
});

/** How fast messages leave: so many a second, so many at once after a pause. Zero a second: no limit. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

const rate = (fallback: Rate): Setting<Rate> => ({
  expects: 'messages per second and burst, such as 1/5, or 0 for no limit',
  fallback,
  read: (value) => {
    if (value === '0') return { perSecond: 0, burst: 0 };
    const [, perSecond, burst] = /^(\d+(?:\.\d+)?)\/(\d+)$/.exec(value) ?? [];
    return Number(perSecond) > 0 && Number(burst) > 0
      ? { perSecond: Number(perSecond), burst: Number(burst) }
      : undefined;
  },
});

const webSocketUrl = (): Setting<string> => ({
  expects: 'a ws:// or wss:// address',
  read: (value) => (/^wss?:\/\/[^\s@]+$/.test(value) && URL.canParse(value) ? value : undefined),
});

const hexKey = (): Setting<string> => ({
  expects: '32 bytes in hex',
  read: (value) => (/^[0-9a-f]{64}$/i.test(value) ? value : undefined),
});

const clientVersion = (): Setting<[number, number, number]> => ({
  expects: 'three numbers with dots, such as 2.3000.1043857760',
  read: (value) => {
    const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)$/.exec(value) ?? [];
    return major ? [Number(major), Number(minor), Number(patch)] : undefined;
  },
});

/** Hours in which campaigns rest, such as 21-07; `off` for none. */
const quietHours = (fallback: QuietHours): Setting<QuietHours> => ({
  expects: 'two hours such as 21-07, or off',
  fallback,
  read: (value) => {
    if (value === 'off') return { from: 0, to: 0 };
    const [, from, to] = /^(\d{1,2})-(\d{1,2})$/.exec(value) ?? [];
    const hours = { from: Number(from), to: Number(to) };
    return hours.from < 24 && hours.to < 24 ? hours : undefined;
  },
});

const timeZone = (fallback: string): Setting<string> => ({
  expects: 'a time zone such as Asia/Jakarta',
  fallback,
  read: (value) => (value === 'UTC' || Intl.supportedValuesOf('timeZone').includes(value) ? value : undefined),
});

/** Sealed values of a development database open with it everywhere; production must bring its own. */
const DEVELOPMENT_KEY = Buffer.from('wa-gateway, development only key').toString('base64');

/** Names and defaults: design 5.7. */
export const settings = {
  ...commonSettings(3004),
  ...sendsSettings,
  ...databaseSettings(),
  TRUST_PROXY: trustedProxies,
  WA_ENGINE: choice(['simulator', 'baileys', 'cloud'], { fallback: 'simulator' }),
  ALLOW_SIMULATOR: flag({ fallback: false }),
  WA_AUTH_KEY: secretText({ fallback: DEVELOPMENT_KEY, requiredInProduction: true }),
  /** Of the baileys engine; a test server in place of WhatsApp's own. */
  WA_SOCKET_URL: optional(webSocketUrl()),
  WA_ROOT_KEY: optional(hexKey()),
  WA_MEDIA_HOST: text({ fallback: 'mmg.whatsapp.net' }),
  WA_MEDIA_CA: optional(text()),
  /** Version the client claims to be, such as 2.3000.1043857760; the library's own when left out. */
  WA_VERSION: optional(clientVersion()),
  /** Of the cloud engine; the four of the account serve devices that bring none. */
  WA_CLOUD_BASE_URL: httpUrl({ fallback: 'https://graph.facebook.com' }),
  WA_CLOUD_VERSION: text({ fallback: 'v24.0' }),
  WA_CLOUD_PHONE_NUMBER_ID: optional(text()),
  WA_CLOUD_TOKEN: optional(secretText()),
  WA_CLOUD_APP_SECRET: optional(secretText()),
  WA_CLOUD_VERIFY_TOKEN: optional(secretText()),
  /** Hosts that files are fetched from with the token. */
  WA_CLOUD_MEDIA_HOSTS: list({ fallback: ['lookaside.fbsbx.com'] }),
  WA_CLOUD_TIMEOUT: duration(30),
  DEFAULT_COUNTRY_CODE: text({ fallback: '62' }),
  SEND_RATE: rate({ perSecond: 1, burst: 5 }),
  SEND_RATE_REPLY: rate({ perSecond: 5, burst: 20 }),
  /** Single sends that may wait in a device's campaign lane. */
  BULK_QUEUE: integer(1, 1_000, { fallback: 5 }),
  /** Campaign sends a day and device; 1,000 on baileys and none elsewhere when left out. */
  BULK_DAILY_LIMIT: optional(integer(1, 1_000_000)),
  QUIET_HOURS: quietHours({ from: 21, to: 7 }),
  TZ_DEFAULT: timeZone('Asia/Jakarta'),
  WEBHOOK_URL: httpUrl({ fallback: 'http://127.0.0.1:3002/v1' }),
  /** Hosts that a device's webhook_url may name; the host of WEBHOOK_URL when empty. */
  WEBHOOK_ALLOW_HOSTS: list({ fallback: [] }),
  WEBHOOK_SECRET: optional(secretText()),
  WEBHOOK_SEND_PENDING: flag({ fallback: true }),
  /** Reactions also as messages of kind chat. */
  WEBHOOK_SEND_REACTIONS: flag({ fallback: false }),
  WEBHOOK_LANES: integer(1, 256, { fallback: 32 }),
  /** Bytes of files in callbacks that are in flight at once. */
  WEBHOOK_INFLIGHT_BYTES: integer(1, 4_294_967_296, { fallback: 67_108_864 }),
  WEBHOOK_GIVE_UP: duration(86_400),
  WEBHOOK_REFUSED_MAX: duration(900),
  /** How long a receiver may take for one callback. */
  WEBHOOK_TIMEOUT: duration(15),
  /** How long a lane of a killed process stays its own; while a call lasts it is renewed. */
  WEBHOOK_LEASE: duration(30),
  /** How long WhatsApp may take to acknowledge a send before it is repeated, and then given up. */
  ACK_TIMEOUT: duration(60),
  /** Devices that connect at the same time when the gateway starts, and how long each waits at most before it does. */
  CONNECT_CONCURRENCY: integer(1, 100, { fallback: 4 }),
  CONNECT_JITTER: duration(2),
  /** Devices on baileys that this process runs at most: what its memory has room for (k8s/README.md). */
  MAX_DEVICES: integer(1, 10_000, { fallback: 500 }),
  /** How long a device belongs to the process that serves it, and how often that is renewed. */
  LEASE_TTL: duration(30),
  LEASE_HEARTBEAT: duration(10),
  /** How long the process that has a device may keep silent about a call that was passed on to it. */
  FORWARD_TIMEOUT: duration(5),
  /** Requests per minute and remote address; 0: no limit. */
  RATE_LIMIT: integer(0, 1_000_000, { fallback: 0 }),
  FILES_DIR: text({ fallback: '.data/files' }),
  /** Address under which receivers reach `/files`; empty: `fileUrl` is the path. */
  FILES_BASE_URL: optional(httpUrl()),
  FILE_TTL_DAYS: integer(1, 3_650, { fallback: 30 }),
  MEDIA_MAX_MB: integer(1, 100, { fallback: 100 }),
  /**
   * What send-media may fetch although it is private: `host:port`, or a prefix such as http://files.internal:3000/public/; the
   * media of the chat backend when empty (`/media/` beside WEBHOOK_URL), whose links are private.
   */
  MEDIA_URL_ALLOW: list({ fallback: [] }),
  /** What callers of the API show as `x-api-key`; its routes are open by contract, and nobody else's business in production. */
  GATEWAY_API_KEY: optional(secretText({ requiredInProduction: true })),
  GATEWAY_ALLOWED_IPS: list({ fallback: [] }),
  /** Sockets hear every message of a device; in production nobody listens without it. */
  REALTIME_TOKEN: optional(secretText({ requiredInProduction: true })),
  REALTIME_SCOPE: choice(['global', 'room'], { fallback: 'global' }),
};

export type Config = ConfigOf<typeof settings>;

/** The simulator and its routes: never in production by accident (design 6). */
export const simulatorAllowed = (config: Pick<Config, 'APP_ENV' | 'ALLOW_SIMULATOR'>): boolean =>
  config.APP_ENV !== 'production' || config.ALLOW_SIMULATOR;

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Another root than WhatsApp's own lets whoever holds it read everything: for a server on this machine only (design 5.2). */
const checkRootKey = ({ WA_ROOT_KEY, WA_SOCKET_URL, APP_ENV }: Config): void => {
  const isLocal = WA_SOCKET_URL !== undefined && LOOPBACK.has(new URL(WA_SOCKET_URL).hostname);
  if (WA_ROOT_KEY !== undefined && (!isLocal || APP_ENV === 'production'))
    throw new ConfigurationError([
      'WA_ROOT_KEY is for a test server on this machine: it needs a WA_SOCKET_URL on 127.0.0.1 and is refused with APP_ENV=production',
    ]);
};

/** Half an account serves nobody; and a token must not travel in clear text. */
const checkCloud = (config: Config): void => {
  const { WA_CLOUD_PHONE_NUMBER_ID, WA_CLOUD_TOKEN, WA_CLOUD_APP_SECRET, WA_CLOUD_VERIFY_TOKEN } = config;
  const account = { WA_CLOUD_PHONE_NUMBER_ID, WA_CLOUD_TOKEN, WA_CLOUD_APP_SECRET };
  const missing = Object.entries({ ...account, WA_CLOUD_VERIFY_TOKEN }).flatMap(([name, value]) =>
    value ? [] : [name],
  );
  if (missing.length > 0 && Object.values(account).some(Boolean))
    throw new ConfigurationError([
      `${missing.join(' and ')} is missing: the account of WA_CLOUD_* needs all four of it`,
    ]);
  if (config.APP_ENV === 'production' && config.WA_CLOUD_BASE_URL.startsWith('http:'))
    throw new ConfigurationError(['WA_CLOUD_BASE_URL must begin with https: with APP_ENV=production']);
};

const PREFIX = /^https?:\/\/[^/?#@]+\/([^?#]*\/)?$/;
const HOST_AND_PORT = /^[^/?#@]+:\d{1,5}$/;

/** A host alone would lend callers all its ports, and what listens there for siblings only. */
const checkMediaUrls = ({ MEDIA_URL_ALLOW }: Config): void => {
  const wrong = MEDIA_URL_ALLOW.filter(
    (each) => !(HOST_AND_PORT.test(each) || (PREFIX.test(each) && URL.canParse(each))),
  );
  if (wrong.length > 0)
    throw new ConfigurationError([
      'MEDIA_URL_ALLOW must list host:port, or prefixes such as http://files.internal:3000/public/',
    ]);
};

/** What send-media may fetch although it is private. */
export const privateMedia = ({ MEDIA_URL_ALLOW, WEBHOOK_URL }: Config): readonly string[] =>
  MEDIA_URL_ALLOW.length > 0 ? MEDIA_URL_ALLOW : [new URL('/media/', WEBHOOK_URL).href];

/** Throws a ConfigurationError when settings contradict each other. */
export const checkConfig = (config: Config): void => {
  checkMediaUrls(config);
  checkRootKey(config);
  checkCloud(config);
  if (config.LEASE_HEARTBEAT * 3 > config.LEASE_TTL)
    throw new ConfigurationError([
      `LEASE_HEARTBEAT=${config.LEASE_HEARTBEAT}s renews too seldom: it must be at most a third of LEASE_TTL=${config.LEASE_TTL}s`,
    ]);
  if (config.WA_ENGINE === 'simulator' && !simulatorAllowed(config))
    throw new ConfigurationError([
      'WA_ENGINE=simulator sends nothing to WhatsApp and is refused with APP_ENV=production: set WA_ENGINE to baileys or cloud, or ALLOW_SIMULATOR=true on a demo installation',
    ]);
};
