import { TooMany } from '@platform/errors';
import type { Outage } from '@platform/runtime';
import { limiterOf } from './limiter';
import type { RateCounter } from './rate-limit';
import { endpoints, fixtureService } from './service.fixture';
import { registrationsOf, type Service } from './service';

const counted = (): RateCounter => {
  const counts = new Map<string, number>();
  return {
    increment: (key) => {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return Promise.resolve(counts.get(key) ?? 0);
    },
  };
};
const view = { address: '198.51.100.7' } as never;
const limited = (more: Partial<Service> = {}, counting?: Outage) => {
  const limits = fixtureService({
    counter: counted(),
    callerKey: (caller) => (caller as { store?: string } | undefined)?.store,
    rate: { guards: ['token'], requests: 2, perSeconds: 60 },
    ...more,
  });
  const of = (path: string) => {
    const registration = registrationsOf(limits).find((one) => one.path === path);
    if (!registration) throw new Error(`no ${path}`);
    return limiterOf(limits, registration, counting);
  };
  return of;
};

describe('a service-wide limit', () => {
  it('a service-wide limit counts the calls of one caller on all routes together', async () => {
    const of = limited();
    await of('/v1/echo')?.({ store: 'S1' }, view);
    await of('/v1/position')?.({ store: 'S1' }, view);
    await of('/v1/echo')?.({ store: 'S2' }, view);
    const refused = of('/v1/echo')?.({ store: 'S1' }, view);
    await expect(refused).rejects.toBeInstanceOf(TooMany);
    await expect(refused).rejects.toMatchObject({ retryAfterSeconds: 60 });
  });

  it('a service-wide limit does not count other guards, even of a variant, nor callers without a name', async () => {
    const of = limited();
    expect(of('/v1/echo_admin')).toBeUndefined();
    for (let times = 0; times < 5; times++) await of('/v1/echo')?.({}, view);
  });

  it('a service-wide limit may count the variants of its endpoints by address, all together, but for addresses that are free', async () => {
    const variants = { free: (address: string) => address === '10.0.0.1' };
    const of = limited({ rate: { guards: ['token'], requests: 1, perSeconds: 60, variants } });
    for (let times = 0; times < 5; times++) await of('/v1/echo_admin')?.({}, { address: '10.0.0.1' } as never);
    await of('/v1/echo_admin')?.({ store: 'S1' }, view);
    await of('/v1/echo')?.({ store: 'S1' }, view);
    await expect(of('/v1/echo_admin')?.({ store: 'S2' }, view)).rejects.toBeInstanceOf(TooMany);
  });

  it('a service-wide limit may count addresses instead, even of callers without a name', async () => {
    const of = limited({ rate: { guards: ['token'], requests: 1, perSeconds: 60, by: 'address' } });
    await of('/v1/echo')?.({}, view);
    await of('/v1/echo')?.({ store: 'S1' }, { address: '198.51.100.8' } as never);
    await expect(of('/v1/position')?.({ store: 'S2' }, view)).rejects.toBeInstanceOf(TooMany);
  });

  it('a service without a limit does not use the counter', () =>
    expect(limited({ rate: undefined })('/v1/echo')).toBeUndefined());

  it('a limit of an endpoint by address counts all callers of an address together, even without a caller key', async () => {
    const by = (address: string) => ({ address }) as never;
    for (const more of [{}, { callerKey: undefined }]) {
      const rate = { requests: 1, perSeconds: 9, by: 'address' } as const;
      const echo = endpoints.filter(({ path }) => path === '/v1/echo').map((one) => ({ ...one, rate }));
      const of = limited({ endpoints: echo, rate: undefined, ...more });
      await of('/v1/echo')?.({ store: 'S1' }, by('198.51.100.7'));
      await of('/v1/echo')?.({ store: 'S1' }, by('198.51.100.8'));
      await expect(of('/v1/echo')?.({ store: 'S2' }, by('198.51.100.7'))).rejects.toMatchObject({
        kind: 'tooMany',
        message: 'Too Many Requests',
        retryAfterSeconds: 9,
      });
    }
  });

  it('a limit of an endpoint by caller counts a caller without a name by address', async () => {
    const of = limited({ rate: undefined });
    for (let times = 0; times < 2; times++) await of('/v1/limited')?.({}, view);
    await of('/v1/limited')?.({}, { address: '198.51.100.8' } as never);
    await expect(of('/v1/limited')?.({}, view)).rejects.toBeInstanceOf(TooMany);
  });

  it('a limit by address counts one IPv6 network as one, other networks and IPv4-mapped addresses separately', async () => {
    const of = limited({ rate: { guards: ['token'], requests: 1, perSeconds: 60, by: 'address' } });
    const from = (address: string) => of('/v1/echo')?.({}, { address } as never);
    for (const address of ['2001:db8:1:2::1', '2001:db8:1:3::1', '::ffff:198.51.100.7', '::ffff:198.51.100.8'])
      await from(address);
    for (const address of ['2001:db8:1:2:ffff::9', '2001:DB8:1:3:0:0:0:2', '198.51.100.7'])
      await expect(from(address)).rejects.toBeInstanceOf(TooMany);
  });

  it('a service-wide limit counts in its process while its counter is down, and logs outage and recovery', async () => {
    const told: string[] = [];
    let count = () => Promise.reject(new Error('away'));
    const counting = { failed: () => void told.push('failed'), answered: () => void told.push('answered') };
    const of = limited({ counter: { increment: () => count() } }, counting);
    for (let times = 0; times < 2; times++) await of('/v1/echo')?.({ store: 'alone' }, view);
    await expect(of('/v1/echo')?.({ store: 'alone' }, view)).rejects.toBeInstanceOf(TooMany);
    count = () => Promise.resolve(1) as never;
    await of('/v1/echo')?.({ store: 'alone' }, view);
    expect(told).toEqual(['failed', 'failed', 'failed', 'answered']);
  });
});
