import {
  ConfigurationError,
  flag,
  httpUrl,
  optional,
  secretText,
  text,
  type ConfigOf,
  type Setting,
} from '@platform/runtime';

/** What the platform takes of a payment: `fixed` + `percentBp` / 10,000 of it. */
export interface PlatformFee {
  readonly percentBp: number;
  readonly fixed: number;
}

const WHOLE = 10_000;
const MOST_FIXED = 1_000_000_000_000;

const readFee = (value: string): PlatformFee | undefined => {
  const [, percent, amount] = /^(\d{1,5})\+(\d{1,13})$/.exec(value) ?? [];
  const fee = { percentBp: Number(percent), fixed: Number(amount) };
  return fee.percentBp <= WHOLE && fee.fixed <= MOST_FIXED ? fee : undefined;
};

const platformFee: Setting<PlatformFee> = {
  expects: '<hundredths of a percent>+<fixed amount>, such as 250+4000',
  fallback: { percentBp: 0, fixed: 0 },
  read: readFee,
};

/** The providers of payments. One without credentials is not there for the platform, one without an address for nobody. */
export const gatewaySettings = {
  /** Of the provider; outside production the local sandbox's. */
  PAY_A_BASE_URL: optional(httpUrl()),
  PAY_A_CLIENT_ID: optional(text()),
  PAY_A_SECRET: optional(secretText()),
  /** Ours as the provider sees it: where its notices go, which it signs. */
  PAY_A_PUBLIC_URL: optional(httpUrl()),
  PAY_A_FEE: platformFee,
  PAY_B_BASE_URL: optional(httpUrl()),
  PAY_B_KEY: optional(secretText()),
  PAY_B_CALLBACK_TOKEN: optional(secretText()),
  /** Whether B is asked before a notice of it is believed: its token proves the sender alone. On in production. */
  PAY_B_CONFIRM: optional(flag()),
  PAY_B_FEE: platformFee,
  PAY_C_BASE_URL: optional(httpUrl()),
  PAY_C_MERCHANT: optional(text()),
  PAY_C_KEY: optional(secretText()),
  PAY_C_PUBLIC_URL: optional(httpUrl()),
  PAY_C_FEE: platformFee,
};

type Given = ConfigOf<typeof gatewaySettings> & { readonly APP_ENV: string; readonly PORT: number };

export interface DokuAccount {
  readonly client_id: string;
  readonly secret: string;
}
export interface XenditAccount {
  readonly key: string;
  readonly callback_token: string;
}
export interface DuitkuAccount {
  readonly merchant: string;
  readonly key: string;
}

/** One provider, as this installation may use it. */
export interface Place<Account> {
  readonly baseUrl: string;
  /** Ours, as the provider sees it. */
  readonly publicUrl: string;
  /** The platform's; undefined: only stores have accounts. */
  readonly account: Account | undefined;
  readonly fee: PlatformFee;
}

export interface Places {
  readonly a: Place<DokuAccount> | undefined;
  readonly b: (Place<XenditAccount> & { readonly confirm: boolean }) | undefined;
  readonly c: Place<DuitkuAccount> | undefined;
}

type Name = keyof typeof gatewaySettings;

/** Which settings of a provider belong together. */
const SLOTS = [
  { base: 'PAY_A_BASE_URL', account: ['PAY_A_CLIENT_ID', 'PAY_A_SECRET'], ours: 'PAY_A_PUBLIC_URL' },
  { base: 'PAY_B_BASE_URL', account: ['PAY_B_KEY', 'PAY_B_CALLBACK_TOKEN'] },
  { base: 'PAY_C_BASE_URL', account: ['PAY_C_MERCHANT', 'PAY_C_KEY'], ours: 'PAY_C_PUBLIC_URL' },
] as const satisfies readonly { base: Name; account: readonly Name[]; ours?: Name }[];

const problemsOf = (config: Given, slot: (typeof SLOTS)[number]): string[] => {
  const missing = slot.account.filter((name) => !config[name]);
  const isHalf = missing.length > 0 && missing.length < slot.account.length;
  const half = isHalf ? [`${missing.join()} is missing: ${slot.account.join(' and ')} belong together`] : [];
  if (config.APP_ENV !== 'production') return half;
  const isUsed = missing.length === 0 || config[slot.base] !== undefined;
  const needed = isUsed ? [slot.base, ...('ours' in slot ? [slot.ours] : [])] : [];
  return [
    ...half,
    ...needed.flatMap((name) =>
      config[name] ? [] : [`${name} is missing: in production this provider is not used without it`],
    ),
    ...needed.flatMap((name) =>
      /^http:/i.test(config[name] ?? '') ? [`${name} must begin with https: with APP_ENV=production`] : [],
    ),
  ];
};

/** So that no real money moves by accident: what the stack starts, at the ports of architecture 7. */
const SANDBOXES = { a: 'http://127.0.0.1:3103', b: 'http://127.0.0.1:3104', c: 'http://127.0.0.1:3105' };

/**
 * The providers that the settings name. Throws a `ConfigurationError` with every setting that is missing beside others of its provider, and
 * in production with every address that is missing or not https.
 */
export const gatewayPlaces = (config: Given): Places => {
  const problems = SLOTS.flatMap((slot) => problemsOf(config, slot));
  if (problems.length > 0) throw new ConfigurationError(problems);
  const isProduction = config.APP_ENV === 'production';
  const here = `http://127.0.0.1:${config.PORT}`;
  const place = <Account>(code: keyof Places, given: Partial<Place<Account>> & Pick<Place<Account>, 'fee'>) => {
    const baseUrl = given.baseUrl ?? (isProduction ? undefined : SANDBOXES[code]);
    const rest = { account: given.account, fee: given.fee, publicUrl: given.publicUrl ?? here };
    return baseUrl === undefined ? undefined : { ...rest, baseUrl };
  };
  const { PAY_A_CLIENT_ID: client_id, PAY_A_SECRET: secret, PAY_B_KEY, PAY_B_CALLBACK_TOKEN: callback_token } = config;
  const { PAY_C_MERCHANT: merchant, PAY_C_KEY } = config;
  const b = place<XenditAccount>('b', {
    ...{ baseUrl: config.PAY_B_BASE_URL, fee: config.PAY_B_FEE },
    account: PAY_B_KEY && callback_token ? { key: PAY_B_KEY, callback_token } : undefined,
  });
  return {
    a: place<DokuAccount>('a', {
      ...{ baseUrl: config.PAY_A_BASE_URL, publicUrl: config.PAY_A_PUBLIC_URL, fee: config.PAY_A_FEE },
      account: client_id && secret ? { client_id, secret } : undefined,
    }),
    b: b && { ...b, confirm: config.PAY_B_CONFIRM ?? isProduction },
    c: place<DuitkuAccount>('c', {
      ...{ baseUrl: config.PAY_C_BASE_URL, publicUrl: config.PAY_C_PUBLIC_URL, fee: config.PAY_C_FEE },
      account: merchant && PAY_C_KEY ? { merchant, key: PAY_C_KEY } : undefined,
    }),
  };
};

/** The platform's share of a payment: never more than all of it. */
export const platformShare = ({ percentBp, fixed }: PlatformFee, amount: number): number =>
  Math.min(amount, fixed + Number((BigInt(amount) * BigInt(percentBp)) / BigInt(WHOLE)));
