import { tokenAccessSettings } from '@platform/auth';
import { databaseSettings } from '@platform/data';
import { commonSettings } from '@platform/http';
import {
  choice,
  databaseUrl,
  flag,
  httpUrl,
  integer,
  list,
  optional,
  sendsSettings,
  secretText,
  text,
  type ConfigOf,
} from '@platform/runtime';

export const settings = {
  ...commonSettings(3002),
  ...sendsSettings,
  ...databaseSettings(),
  /** Where the `_crm` routes read and write: the same schema, such as another node of the same data; DATABASE_URL's when empty. */
  CRM_DATABASE_URL: optional(databaseUrl()),
  /** A pooler before CRM_DATABASE_URL, as DATABASE_POOL_URL is one before DATABASE_URL. */
  CRM_DATABASE_POOL_URL: optional(databaseUrl()),
  ...tokenAccessSettings('chat-backend'),
  /** Addresses whose calls need no token, on every route (contract). Loopback is never implied. */
  ALLOWED_IPS: list({ fallback: [] }),
  /** `token`: `_admin` and `_crm` routes, which the contract leaves open, ask for `x-internal-token` with INTERNAL_TOKEN. */
  INTERNAL_GUARD: choice(['off', 'token'], { fallback: 'off' }),
  INTERNAL_TOKEN: secretText({ fallback: '' }),
  /** Comma list of secrets that sign the gateway's callbacks; empty: not asked for. */
  CALLBACK_SECRET: secretText({ fallback: '' }),
  WA_GATEWAY_URL: httpUrl(),
  /** The gateway's own: without it a gateway in production takes nothing. */
  GATEWAY_API_KEY: optional(secretText({ requiredInProduction: true })),
  /** Empty: nobody answers for the agents. */
  BOT_URL: optional(httpUrl()),
  /** Questions to the bot at a time, of one process; and of one store, all processes together. */
  BOT_TURNS: integer(1, 1_000, { fallback: 200 }),
  BOT_TURNS_PER_STORE: integer(1, 1_000, { fallback: 50 }),
  MEDIA_DIR: text({ fallback: '.data/media' }),
  MEDIA_BASE_URL: optional(httpUrl()),
  /** Address under which the gateway and the bot fetch files from here, where it is another than the clients'. */
  MEDIA_INTERNAL_URL: optional(httpUrl()),
  /**
   * Prefixes such as `http://files.internal/public/`, below which the gateway and the bot may name files over http and at
   * private addresses, beside `/files/` of WA_GATEWAY_URL and `/blob/` of COMMERCE_URL. Never for an address of a client.
   */
  MEDIA_URL_ALLOW: list({ fallback: [] }),
  /** Signs links to files and list cursors. */
  MEDIA_SECRET: secretText(),
  CORS_ORIGINS: list({ fallback: [] }),
  /** Whoever writes again so many hours after their chat ended gets the same agent, while that one is active and in the team; 0: nobody. */
  STICKY_HOURS: integer(0, 8_760, { fallback: 0 }),
  /** Minutes of silence after which open and handled chats end, and pending ones; each off when empty. */
  AUTO_FINISH_MIN: optional(integer(1, 525_600)),
  PENDING_FINISH_MIN: optional(integer(1, 525_600)),
  /** Files older than this are removed, of messages and of events; kept for ever when empty. */
  MEDIA_TTL_DAYS: optional(integer(1, 36_500)),
  /** Notifications are removed after so many days, read or not; events of chats too, and are kept for ever when empty. */
  NOTIFICATION_DAYS: integer(1, 36_500, { fallback: 90 }),
  HISTORY_DAYS: optional(integer(1, 36_500)),
  /** A message that is one of these words opts its customer out of campaigns; START undoes it. */
  OPT_OUT_WORDS: list({ fallback: ['STOP', 'BERHENTI', 'UNSUBSCRIBE'] }),
  /** Empty: commerce-api is not told of new numbers and opt-outs. */
  COMMERCE_URL: optional(httpUrl()),
  /** Requests a minute of one user on the default routes together, and of one address on `_admin` and `_crm` routes. */
  RATE_PER_MINUTE: integer(1, 1_000_000, { fallback: 600 }),
  /** What becomes of a send while its device is not connected: it waits, or is refused. */
  OUTBOX_OFFLINE: choice(['queue', 'reject'], { fallback: 'queue' }),
  /** Whether customers see, by the ticks of WhatsApp, that `chat_markread` was called. */
  SEND_READ_RECEIPT: flag({ fallback: false }),
  /** How often the gateway is asked how its devices are, in seconds; 0: never. */
  DEVICE_POLL_S: integer(0, 86_400, { fallback: 60 }),
  /** How many messages a minute a campaign may ask for. */
  BROADCAST_MAX_PER_MINUTE: integer(1, 6_000, { fallback: 60 }),
  /** Seconds for which a worker owns what it sends; after its death they are sent again by another. A file alone may take 27. */
  OUTBOX_LEASE_S: integer(1, 300, { fallback: 30 }),
  OUTBOX_MAX_AGE_H: integer(1, 720, { fallback: 24 }),
  /** Sends that the gateway will not take can be replayed for so many days. */
  OUTBOX_DEAD_DAYS: integer(1, 3_650, { fallback: 30 }),
};

export type Config = ConfigOf<typeof settings>;
