import { commonSettings } from '@platform/http';
import {
  choice,
  ConfigurationError,
  databaseUrl,
  flag,
  httpUrl,
  integer,
  list,
  optional,
  redisUrl,
  secretText,
  text,
  type ConfigOf,
  type Setting,
} from '@platform/runtime';

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

/** Sealed values of a development database open with it everywhere; production must bring its own. */
const DEVELOPMENT_KEY = Buffer.from('wa-gateway, development only key').toString('base64');

/** Names and defaults: design 5.7. */
export const settings = {
  ...commonSettings(3004),
  DATABASE_URL: databaseUrl(),
  REDIS_URL: optional(redisUrl()),
  TRUST_PROXY: list({ fallback: [] }),
  WA_ENGINE: choice(['simulator', 'baileys', 'cloud'], { fallback: 'simulator' }),
  ALLOW_SIMULATOR: flag({ fallback: false }),
  WA_AUTH_KEY: secretText({ fallback: DEVELOPMENT_KEY, requiredInProduction: true }),
  DEFAULT_COUNTRY_CODE: text({ fallback: '62' }),
  SEND_RATE: rate({ perSecond: 1, burst: 5 }),
  SEND_RATE_REPLY: rate({ perSecond: 5, burst: 20 }),
  WEBHOOK_URL: httpUrl({ fallback: 'http://127.0.0.1:3002/v1' }),
  /** Hosts that a device's webhook_url may name; the host of WEBHOOK_URL when empty. */
  WEBHOOK_ALLOW_HOSTS: list({ fallback: [] }),
  WEBHOOK_SECRET: optional(secretText()),
  WEBHOOK_SEND_PENDING: flag({ fallback: true }),
  WEBHOOK_LANES: integer(1, 256, { fallback: 32 }),
  /** Bytes of files in callbacks that are under way at the same time. */
  WEBHOOK_INFLIGHT_BYTES: integer(1, 4_294_967_296, { fallback: 67_108_864 }),
  WEBHOOK_GIVE_UP: duration(86_400),
  WEBHOOK_REFUSED_MAX: duration(900),
  /** How long a lane of a killed process stays its own; a call takes at most 15 s. */
  WEBHOOK_LEASE: duration(30),
  FILES_DIR: text({ fallback: '.data/files' }),
  /** Address under which receivers reach `/files`; empty: `fileUrl` is the path. */
  FILES_BASE_URL: optional(httpUrl()),
  FILE_TTL_DAYS: integer(1, 3_650, { fallback: 30 }),
  MEDIA_MAX_MB: integer(1, 100, { fallback: 100 }),
  /** Private hosts that send-media may fetch from; the host of WEBHOOK_URL when empty, whose links are private. */
  MEDIA_URL_ALLOW: list({ fallback: [] }),
  GATEWAY_API_KEY: optional(secretText()),
  GATEWAY_ALLOWED_IPS: list({ fallback: [] }),
  REALTIME_TOKEN: optional(secretText()),
  REALTIME_SCOPE: choice(['global', 'room'], { fallback: 'global' }),
};

export type Config = ConfigOf<typeof settings>;

/** The simulator and its routes: never in production by accident (design 6). */
export const simulatorAllowed = (config: Pick<Config, 'APP_ENV' | 'ALLOW_SIMULATOR'>): boolean =>
  config.APP_ENV !== 'production' || config.ALLOW_SIMULATOR;

/** Throws a ConfigurationError when settings contradict each other. */
export const checkConfig = (config: Config): void => {
  if (config.WA_ENGINE === 'simulator' && !simulatorAllowed(config))
    throw new ConfigurationError([
      'WA_ENGINE=simulator sends nothing to WhatsApp and is refused with APP_ENV=production: set WA_ENGINE to baileys or cloud, or ALLOW_SIMULATOR=true on a demo installation',
    ]);
};
