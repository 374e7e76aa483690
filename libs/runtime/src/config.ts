/** Reads one setting: returns its value, or throws a `Problem` with a text that says what is expected (never the value). */
export interface Setting<T> {
  readonly expects: string;
  /** Used when the variable is absent or empty; absent here: the variable is required. */
  readonly fallback?: T;
  /** Settings whose value must not appear anywhere. */
  readonly secret?: boolean;
  /** In production the fallback does not apply: the variable must be set. */
  readonly requiredInProduction?: boolean;
  read(text: string): T | undefined;
}

export type Settings = Readonly<Record<string, Setting<unknown>>>;
export type ConfigOf<S extends Settings> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never };

/** Every problem of the environment at once; names and expectations only, no values. */
export class ConfigurationError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigurationError';
  }
}

const problemOf = (
  name: string,
  setting: Setting<unknown>,
  text: string | undefined,
  production: boolean,
): string | undefined => {
  if (text !== undefined && text !== '')
    return setting.read(text) === undefined ? `${name} must be ${setting.expects}` : undefined;
  const optional = 'fallback' in setting && !(production && setting.requiredInProduction);
  return optional ? undefined : `${name} is missing: set it to ${setting.expects}`;
};

/** The typed configuration of `settings`, or a `ConfigurationError` naming everything that is wrong. */
export const loadConfig = <S extends Settings>(
  settings: S,
  environment: Record<string, string | undefined>,
): ConfigOf<S> => {
  const production = environment.APP_ENV === 'production';
  const entries = Object.entries(settings);
  const problems = entries.flatMap(([name, setting]) => problemOf(name, setting, environment[name], production) ?? []);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return Object.fromEntries(
    entries.map(([name, setting]) => [name, environment[name] ? setting.read(environment[name]) : setting.fallback]),
  ) as ConfigOf<S>;
};

type Options<T> = { fallback?: T; requiredInProduction?: boolean };

const setting =
  <T>(expects: string, read: (text: string) => T | undefined, secret = false) =>
  (options: Options<T> = {}): Setting<T> => ({ expects, read, secret, ...options });

const isUrl =
  (protocols: string[], host = /^/) =>
  (text: string) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    return url && protocols.includes(url.protocol) && host.test(url.hostname) ? text.replace(/\/$/, '') : undefined;
  };

/** A URL may have more in it (`a;b`), which no name has, and which would be read as a part of whatever it is put into: a policy, a list. */
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)$/;

export const text = setting('a text', (value) => value);
export const secretText = setting('a secret text', (value) => value, true);
export const httpUrl = setting('an http(s) address', isUrl(['http:', 'https:'], HOST));
export const databaseUrl = setting(
  'a PostgreSQL address (postgres://user:password@host:port/database)',
  isUrl(['postgres:', 'postgresql:']),
  true,
);
export const port = setting('a port number', (value) =>
  /^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? Number(value) : undefined,
);
export const flag = setting(
  'true or false',
  (value) => ({ true: true, '1': true, on: true, false: false, '0': false, off: false })[value],
);
export const list = setting('a comma separated list', (value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);

export const integer = (minimum: number, maximum: number, options: Options<number> = {}): Setting<number> =>
  setting(`a whole number from ${minimum} to ${maximum}`, (value) => {
    const number = Number(value);
    return /^-?\d+$/.test(value) && number >= minimum && number <= maximum ? number : undefined;
  })(options);

/** With decimals, such as an amount in dollars. */
export const decimal = (minimum: number, maximum: number, options: Options<number> = {}): Setting<number> =>
  setting(`a number from ${minimum} to ${maximum}`, (value) => {
    const number = Number(value);
    return /^\d+(\.\d+)?$/.test(value) && number >= minimum && number <= maximum ? number : undefined;
  })(options);

export const choice = <const C extends string>(choices: readonly C[], options: Options<C> = {}): Setting<C> =>
  setting(`one of ${choices.join(', ')}`, (value) => choices.find((allowed) => allowed === value))(options);

/** Optional; undefined by default. */
export const optional = <T>(inner: Setting<T>): Setting<T | undefined> => ({ ...inner, fallback: undefined });

const isRedisUrl = isUrl(['redis:', 'rediss:']);

/**
 * The setting REDIS_URL: what processes share besides the database; empty where there is none. Production must name it, or say that
 * there is none: without it limits count per process, and events of sockets reach only those of the same process.
 */
export const redisUrl: Setting<string> = {
  expects: 'a Redis address (redis://host:port), or none where each service is one process',
  fallback: '',
  secret: true,
  requiredInProduction: true,
  read: (text) => (text === 'none' ? '' : isRedisUrl(text)),
};

/** The one switch for production behaviour: hidden error details, no sandboxes, no simulator, no default secrets. */
export const appEnv = choice(['development', 'test', 'production'], { fallback: 'development' });
