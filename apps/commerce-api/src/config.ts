import { rsaPrivateKey, secretBoxKeys, tokenAccessSettings } from '@platform/auth';
import { databaseSettings } from '@platform/data';
import { commonSettings } from '@platform/http';
import {
  ConfigurationError,
  flag,
  httpUrl,
  integer,
  optional,
  secretText,
  sendsSettings,
  text,
  type ConfigOf,
} from '@platform/runtime';
import { randomBytes } from 'node:crypto';
import { gatewaySettings } from './clients/gateway.settings';
import { smtpUrl } from './clients/mail.client';
import { outsideSettings } from './clients/outside.settings';
import { ownersSettings } from './clients/owners.settings';
import { pixelSettings } from './clients/pixel.settings';
import { checkPush, pushSettings } from './clients/push.settings';
import { checkShipping } from './clients/ship-a';
import { shipSettings } from './clients/ship-a.settings';
import { openS3, storageSettings } from './clients/storage.settings';
import { waGatewaySettings } from './clients/wa.gateway.settings';

export const settings = {
  ...commonSettings(3005),
  ...databaseSettings(),
  ...tokenAccessSettings('commerce-api'),
  /** Address of the pages as people see them, which links in mails and addresses of files begin with; without it products carry no `url`. */
  PUBLIC_URL: {
    ...optional(httpUrl()),
    expects: 'the http(s) address of the shop pages, to which links in mails lead',
    requiredInProduction: true,
  },
  /** Nobody looks at identity checks: for tests and demonstrations, refused in production. */
  KYC_AUTO_APPROVE: flag({ fallback: false }),
  /** The store whose WhatsApp device writes for the platform; without it codes for phones go by mail. */
  PLATFORM_STORE_ID: optional(text()),
  /** Signs what opens the page of a payment, and links to carts; without it such links end with the process. */
  PAY_LINK_SECRET: secretText({ fallback: randomBytes(32).toString('base64url'), requiredInProduction: true }),
  /** Where copies of contacts go; empty: what has changed waits until there is one. */
  CHAT_URL: optional(httpUrl()),
  /** Where browsers find chat-backend (its MEDIA_BASE_URL): with it the inbox shows pictures and plays voices, else it links to them. */
  CHAT_PUBLIC_URL: optional(httpUrl()),
  /** Who is told when somebody has paid; empty: the shop tells its buyers itself. */
  BOT_URL: optional(httpUrl()),
  /** Signs the calls of bot-engine, which has the same; a comma list holds the new one beside the old. Without it every call is refused. */
  ENGINE_BOT_SECRET: optional(secretText({ requiredInProduction: true })),
  /** Seals what stores entrust: credentials of payment providers. */
  SHOP_SECRETS_KEY: secretBoxKeys,
  /** Goes into the hashes of PINs; without it they last as long as the process. Another one makes all of them wrong. */
  WALLET_PIN_PEPPER: secretText({ fallback: randomBytes(32).toString('base64url'), requiredInProduction: true }),
  /** What a withdrawal costs, on top of its amount, in the settlement unit. */
  WITHDRAW_FEE: integer(0, 1_000_000, { fallback: 2_500 }),
  /** Up to this sum a day a store's withdrawals need nobody's approval; 0: all do. */
  WITHDRAW_AUTO_LIMIT: integer(0, 1_000_000_000_000, { fallback: 10_000_000 }),
  /** Signs what ads-api takes for a payment; without it no wallet is charged. */
  COMMERCE_CREDIT_KEY: { ...optional(rsaPrivateKey), requiredInProduction: true },
  /** Requests a minute of one user or API token in one store. */
  RATE_PER_MINUTE: integer(1, 1_000_000, { fallback: 600 }),
  ...sendsSettings,
  SMTP_URL: smtpUrl,
  /** From whom its mail comes. */
  MAIL_FROM: text({ fallback: 'Toko <no-reply@localhost>', requiredInProduction: true }),
  ...gatewaySettings,
  ...shipSettings,
  ...waGatewaySettings,
  ...storageSettings,
  ...pixelSettings,
  ...pushSettings,
  ...outsideSettings,
  ...ownersSettings,
};

export type Config = ConfigOf<typeof settings>;

/** Throws a ConfigurationError when settings contradict each other. */
export const checkConfig = (config: Config): void => {
  const { APP_ENV, KYC_AUTO_APPROVE } = config;
  checkShipping(config);
  openS3(config);
  checkPush(config);
  if (KYC_AUTO_APPROVE && APP_ENV === 'production')
    throw new ConfigurationError([
      'KYC_AUTO_APPROVE=true lets anybody withdraw under any name and is refused with APP_ENV=production: take it out, and decide with the command `ops kyc`',
    ]);
};
