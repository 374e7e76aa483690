import { loadConfig } from '@platform/runtime';
import { checkConfig, settings } from '../../config';
import { PRODUCTION } from '../../gateway.fixture';

const KEY = 'ab'.repeat(32);
const check = (environment: Record<string, string>) => () =>
  checkConfig(loadConfig(settings, { DATABASE_URL: 'postgres://u:p@127.0.0.1/db', ...environment }));
const production = {
  ...PRODUCTION,
  WA_ENGINE: 'baileys',
  GATEWAY_API_KEY: 'x'.repeat(32),
};

describe('WA_ROOT_KEY', () => {
  it.each(['ws://127.0.0.1:3108/ws/chat', 'ws://localhost:3108/ws/chat', 'ws://[::1]:3108/ws/chat'])(
    'is taken for a server on this machine: %s',
    (url) => expect(check({ WA_ROOT_KEY: KEY, WA_SOCKET_URL: url })).not.toThrow(),
  );

  it.each([undefined, 'wss://web.whatsapp.com/ws/chat', 'ws://127.0.0.1.evil.example/ws', 'ws://10.0.0.1/ws'])(
    'is refused for any other: %s',
    (url) => expect(check({ WA_ROOT_KEY: KEY, ...(url ? { WA_SOCKET_URL: url } : {}) })).toThrow(/WA_ROOT_KEY/),
  );

  it('is refused in production', () => {
    const local = { WA_ROOT_KEY: KEY, WA_SOCKET_URL: 'ws://127.0.0.1:3108/ws/chat' };
    expect(check({ ...production, ...local })).toThrow(/WA_ROOT_KEY/);
  });
});

it.each([
  ['WA_ROOT_KEY', 'abc'],
  ['WA_SOCKET_URL', 'http://127.0.0.1'],
  ['WA_VERSION', '2.3000'],
])('%s=%s is refused', (name, value) => expect(check({ [name]: value })).toThrow(new RegExp(name)));

it('WA_VERSION is read as the three numbers it is', () => {
  const config = loadConfig(settings, { DATABASE_URL: 'postgres://u:p@127.0.0.1/db', WA_VERSION: '2.3000.1043857760' });
  expect(config.WA_VERSION).toEqual([2, 3000, 1_043_857_760]);
});
