import { createECDH } from 'node:crypto';
import { ConfigurationError, list, optional, type ConfigOf, type Setting } from '@platform/runtime';

/** A scalar of P-256, as `npx web-push generate-vapid-keys` prints it: 32 bytes in base64url. */
const privateKey: Setting<string> = {
  expects: 'the private key of `npx web-push generate-vapid-keys`: 32 bytes in base64url',
  secret: true,
  read: (given) => (publicKeyOf(given) === undefined ? undefined : given),
};

/** Whom a push service writes to when something is wrong (RFC 8292 section 2.1). */
const subject: Setting<string> = {
  expects: 'mailto: with a mail address, or an https address, by which push services reach who runs this',
  read: (given) => (/^mailto:[^\s@,]+@[^\s@,]+$/.test(given) || isHttps(given) ? given : undefined),
};

const isHttps = (given: string): boolean => URL.canParse(given) && new URL(given).protocol === 'https:';

/** What browsers know us by, which follows from the private key; undefined: that is none. */
export function publicKeyOf(given: string): string | undefined {
  if (!/^[\w-]{43}$/.test(given)) return undefined;
  const pair = createECDH('prime256v1');
  try {
    pair.setPrivateKey(Buffer.from(given, 'base64url'));
    return pair.getPublicKey('base64url');
  } catch {
    return undefined;
  }
}

/** By which members are told of news while they look at no page; without a key nobody is offered it. */
export const pushSettings = {
  /** Signs what push services of browsers are sent. Another one ends all subscriptions: browsers are asked anew. */
  VAPID_PRIVATE_KEY: optional(privateKey),
  VAPID_SUBJECT: optional(subject),
  /** Push services that may be of a private network: for tests and the stack of development, refused in production. */
  PUSH_ALLOW_HOSTS: list({ fallback: [] }),
};

/** Of the settings of the service. */
export interface PushConfig extends Omit<ConfigOf<typeof pushSettings>, 'PUSH_ALLOW_HOSTS'> {
  readonly PUSH_ALLOW_HOSTS: readonly string[];
}

/** How we show ourselves to push services. */
export interface Vapid {
  readonly publicKey: string;
  readonly privateKey: string;
  readonly subject: string;
}

/** Undefined: browsers are not pushed to. */
export const vapidOf = ({ VAPID_PRIVATE_KEY: key, VAPID_SUBJECT: subject }: PushConfig): Vapid | undefined => {
  const publicKey = key && publicKeyOf(key);
  return key && publicKey && subject ? { privateKey: key, publicKey, subject } : undefined;
};

/** Throws a ConfigurationError when browsers can be pushed to by half, or production might push into its own network. */
export const checkPush = (config: PushConfig & { readonly APP_ENV: string }): void => {
  const { VAPID_PRIVATE_KEY: key, VAPID_SUBJECT: subject, PUSH_ALLOW_HOSTS: allow, APP_ENV } = config;
  const problems = [
    ...(key && !subject
      ? ['VAPID_SUBJECT is missing beside VAPID_PRIVATE_KEY: set mailto: with a mail address, or take both out']
      : []),
    ...(subject && !key
      ? [
          'VAPID_PRIVATE_KEY is missing beside VAPID_SUBJECT: make one with `npx web-push generate-vapid-keys`, or take both out',
        ]
      : []),
    ...(allow.length > 0 && APP_ENV === 'production'
      ? ['PUSH_ALLOW_HOSTS lets anybody reach a private network and is refused with APP_ENV=production: take it out']
      : []),
  ];
  if (problems.length > 0) throw new ConfigurationError(problems);
};
