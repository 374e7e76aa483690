import { UpstreamFailed, UpstreamTimedOut } from '@platform/errors';
import { ConfigurationError } from '@platform/runtime';
import { startRajaOngkirSandbox, type RajaOngkirSandbox } from '@platform/testing/shipping';
import { checkShipping, openShipping, type OpenShipping } from './ship-a';
import { shippingContract } from './ship-a.contract';

const KEY = 'test-key';
const DAILY = { SHIP_A_STORE_DAILY: 1_000 };
const DIALECTS = ['komerce', 'classic'] as const;

const told = async (sandbox: RajaOngkirSandbox, control: string, body: object): Promise<void> => {
  await fetch(`${sandbox.url}/__sandbox/${control}`, { method: 'POST', body: JSON.stringify(body) });
};

const opened = (url: string, SHIP_A_DIALECT: (typeof DIALECTS)[number], SHIP_A_KEY = KEY): OpenShipping =>
  openShipping({ ...DAILY, APP_ENV: 'test', SHIP_A_DIALECT, SHIP_A_BASE_URL: url, SHIP_A_KEY });

describe.each(DIALECTS)('the provider that speaks %s', (dialect) => {
  let sandbox: RajaOngkirSandbox;
  let open: OpenShipping;
  beforeAll(async () => {
    sandbox = await startRajaOngkirSandbox({ port: 0, keys: [KEY] });
    open = opened(sandbox.url, dialect);
  });
  afterEach(() => told(sandbox, 'fault', { mode: 'none' }));
  afterAll(async () => {
    await Promise.all(open.components.map((each) => each.stop?.()));
    await sandbox.close();
  });

  shippingContract(() => ({
    provider: open.provider,
    quota: (left) => told(sandbox, 'quota', { left }),
    script: (waybill, delivered) =>
      told(sandbox, 'waybills', {
        ...{ waybill, courier: 'jne', delivered, receiver: 'BUDI' },
        manifest: [{ code: '1', text: 'Manifested', place: 'BANDUNG', at: '2026-03-01T08:00' }],
      }),
  }));

  it.each(['error', 'nonsense'] as const)('that answers with %s has not answered', async (mode) => {
    await told(sandbox, 'fault', { mode });
    await expect(open.provider.provinces()).rejects.toBeInstanceOf(UpstreamFailed);
    await expect(open.provider.track({ courier: 'jne', waybill: 'X-12345' })).rejects.toBeInstanceOf(UpstreamFailed);
  });

  it('that hangs is given up, and after five times not asked for a while', async () => {
    await told(sandbox, 'fault', { mode: 'hang' });
    const other = opened(sandbox.url, dialect);
    const five = await Promise.allSettled(Array.from({ length: 5 }, () => other.provider.provinces()));
    expect(five.map((each) => each.status === 'rejected' && each.reason instanceof UpstreamTimedOut)).toEqual(
      Array.from({ length: 5 }, () => true),
    );
    const before = sandbox.desk.requests.length;
    await expect(other.provider.provinces()).rejects.toMatchObject({ details: {}, outcome: 'undone' });
    expect(sandbox.desk.requests.length).toBe(before);
    await Promise.all(other.components.map((each) => each.stop?.()));
  });

  it('does not answer whoever has another key, which no failure shows', async () => {
    const stranger = opened(sandbox.url, dialect, 'not-the-key');
    const failure: unknown = await stranger.provider.provinces().catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(UpstreamFailed);
    expect(JSON.stringify([failure, String((failure as Error).cause)])).not.toContain('not-the-key');
    await Promise.all(stranger.components.map((each) => each.stop?.()));
  });
});

describe('without a key', () => {
  it('prices say that they are a sandbox, and in production there are none', async () => {
    const settings = {
      ...DAILY,
      SHIP_A_DIALECT: 'komerce',
      SHIP_A_BASE_URL: undefined,
      SHIP_A_KEY: undefined,
    } as const;
    expect(openShipping({ ...settings, APP_ENV: 'test' }).provider.mark).toBe('sandbox');
    await expect(openShipping({ ...settings, APP_ENV: 'production' }).provider.provinces()).rejects.toBeInstanceOf(
      UpstreamFailed,
    );
  });
});

it('a key in production without the address that it is for stops the start', () => {
  const settings = { ...DAILY, SHIP_A_DIALECT: 'komerce', SHIP_A_BASE_URL: undefined, SHIP_A_KEY: KEY } as const;
  expect(() => checkShipping({ ...settings, APP_ENV: 'production' })).toThrow(ConfigurationError);
  expect(() => checkShipping({ ...settings, APP_ENV: 'test' })).not.toThrow();
});
