import {
  appEnv,
  choice,
  ConfigurationError,
  databaseUrl,
  flag,
  httpUrl,
  integer,
  list,
  loadConfig,
  optional,
  port,
  redisUrl,
  secretText,
  text,
} from './config';

const settings = {
  APP_ENV: appEnv,
  PORT: port({ fallback: 3000 }),
  DATABASE_URL: databaseUrl(),
  PEER_URL: httpUrl(),
  LIMIT: integer(1, 10, { fallback: 5 }),
  MODE: choice(['a', 'b'], { fallback: 'a' }),
  ON: flag({ fallback: false }),
  IPS: list({ fallback: [] }),
  SECRET: secretText({ fallback: 'development only', requiredInProduction: true }),
  INTERNAL_PORT: optional(port()),
  NAME: text({ fallback: '' }),
};
const good = { DATABASE_URL: 'postgres://u:p@db:5432/x', PEER_URL: 'https://peer.example/' };

describe('loading the configuration (loadConfig)', () => {
  it('reads and converts settings, and fills in defaults', () =>
    expect(loadConfig(settings, { ...good, PORT: '8080', ON: 'true', IPS: '10.0.0.1, 10.0.0.0/8,' })).toEqual({
      APP_ENV: 'development',
      PORT: 8080,
      DATABASE_URL: good.DATABASE_URL,
      PEER_URL: 'https://peer.example',
      LIMIT: 5,
      MODE: 'a',
      ON: true,
      IPS: ['10.0.0.1', '10.0.0.0/8'],
      SECRET: 'development only',
      INTERNAL_PORT: undefined,
      NAME: '',
    }));

  it.each([
    'https://peer.example;script-src',
    'https://peer,example',
    "http://'peer'",
    'https://*.example',
    'ftp://peer.example',
  ])('refuses what no name of a host has, which policies and lists would read as more than one: %s', (url) =>
    expect(() => loadConfig(settings, { ...good, PEER_URL: url })).toThrow('PEER_URL must be an http(s) address'),
  );

  it.each([
    'http://10.0.0.1:3000',
    'http://[::1]:3000/v1',
    'https://chat_backend.shop-1.svc',
    'http://[::ffff:10.0.0.1]',
  ])('takes names, numbers and brackets: %s', (url) =>
    expect(loadConfig(settings, { ...good, PEER_URL: url }).PEER_URL).toBe(url),
  );

  it('lists every problem at once, without values', () => {
    const wrong = { PORT: 'canary-port', DATABASE_URL: 'canary-url', LIMIT: '11', MODE: 'c', ON: 'maybe' };
    expect(() => loadConfig(settings, wrong)).toThrow(ConfigurationError);
    try {
      loadConfig(settings, wrong);
    } catch (error) {
      const { problems, message } = error as ConfigurationError;
      expect(problems).toEqual([
        'PORT must be a port number',
        'DATABASE_URL must be a PostgreSQL address (postgres://user:password@host:port/database)',
        'PEER_URL is missing: set it to an http(s) address',
        'LIMIT must be a whole number from 1 to 10',
        'MODE must be one of a, b',
        'ON must be true or false',
      ]);
      expect(message).not.toContain('canary');
    }
  });

  it('takes no Redis for granted in production, where one is named, or said not to be there', () => {
    const read = (environment: Record<string, string>) =>
      loadConfig({ APP_ENV: appEnv, REDIS_URL: redisUrl }, environment).REDIS_URL;
    const production = (REDIS_URL: string) => read({ APP_ENV: 'production', REDIS_URL });
    expect([read({}), production('none'), production('redis://redis:6379')]).toEqual(['', '', 'redis://redis:6379']);
    expect(() => production('')).toThrow(
      'REDIS_URL is missing: set it to a Redis address (redis://host:port), or none',
    );
    expect(() => production('http://redis')).toThrow('REDIS_URL must be a Redis address');
  });

  it('has no default secrets in production', () =>
    expect(() => loadConfig(settings, { ...good, APP_ENV: 'production' })).toThrow(
      'SECRET is missing: set it to a secret text',
    ));
});
