import type { Database } from '@platform/data';
import { CallLimit, type CallContext } from './call-limit';
import { LeaseLost, type LaneStore } from './lane.store';
import { hearing, leaseOf, settledPromises } from './outbox.fixture';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const pass = async (seconds: number) => {
  for (let tenth = 0; tenth < seconds * 10; tenth++) {
    jest.advanceTimersByTime(100);
    await settledPromises();
  }
};

/** A call under a lease of 30 s, whose renewals the test answers. */
const calling = (more: Partial<CallContext> = {}, leaseAgeMs = 0) => {
  const { told, logger } = hearing();
  const renewals: (() => Promise<void>)[] = [];
  const made: unknown[] = [];
  const renew = (_: unknown, lease: unknown) => (made.push(lease), (renewals.shift() ?? (() => Promise.resolve()))());
  const store = { renew } as unknown as LaneStore;
  const context = { database: {} as Database, store, logger, leaseSeconds: 30, callSeconds: 600, ...more };
  const lease = leaseOf();
  const limit = new CallLimit(context, lease, leaseAgeMs);
  const reason = () => (limit.signal.reason as Error | undefined)?.message;
  return { limit, lease, reason, renewals, made, told };
};
const EXPIRED = 'the lease could not be renewed';

it('a call that takes longer than it may is aborted', async () => {
  const { limit, reason } = calling({ callSeconds: 27 });
  await pass(26.9);
  expect(limit.signal.aborted).toBe(false);
  await pass(0.1);
  expect(reason()).toBe('no answer within 27000 ms');
});

it('a lease is renewed every third of its duration, as long as the call lasts', async () => {
  const { limit, lease, made, told } = calling();
  await pass(9.9);
  expect(made).toEqual([]);
  await pass(0.1);
  expect(made).toEqual([lease]);
  await pass(90);
  expect([made.length, limit.signal.aborted]).toEqual([10, false]);
  limit.end();
  await pass(600);
  expect([made.length, limit.signal.aborted, told]).toEqual([10, false, []]);
});

it('a call is aborted before the end of a lease that cannot be renewed, with a warning for each failure', async () => {
  const { reason, renewals, told } = calling();
  const failing = () => Promise.reject(new Error('away'));
  renewals.push(failing, failing);
  await pass(26.9);
  expect(reason()).toBeUndefined();
  await pass(0.1);
  expect(reason()).toBe(EXPIRED);
  const warning = ['outbox could not renew a lease', { error: 'away' }];
  expect(told).toEqual([warning, warning]);
});

it('a call is aborted earlier by the age of its lease when it began', async () => {
  const { reason, renewals } = calling({}, 20_000);
  renewals.push(() => new Promise(() => undefined));
  await pass(6.9);
  expect(reason()).toBeUndefined();
  await pass(0.1);
  expect(reason()).toBe(EXPIRED);
});

it('a renewed lease counts from the start of its renewal, and there is one renewal at a time', async () => {
  const { reason, renewals, made } = calling();
  let renewed: () => void = () => undefined;
  renewals.push(() => new Promise((resolve) => (renewed = resolve)));
  await pass(25);
  expect(made).toHaveLength(1);
  renewed();
  await settledPromises();
  // Begun at 10 s; the next one, at 30 s, hangs
  renewals.push(() => new Promise(() => undefined));
  await pass(11.9);
  expect([made.length, reason()]).toEqual([2, undefined]);
  await pass(0.1);
  expect(reason()).toBe(EXPIRED);
});

it('a call is aborted at once when another process has the lane', async () => {
  const { limit, renewals, told } = calling();
  const lost = new LeaseLost('a');
  renewals.push(() => Promise.reject(lost));
  await pass(10);
  expect(limit.signal.reason).toBe(lost);
  expect(told).toEqual([]);
});

it.each([new LeaseLost('a'), new Error('away')])(
  'a renewal that fails after the call does nothing: %s',
  async (error) => {
    const { limit, renewals, told } = calling();
    let fail: () => void = () => undefined;
    renewals.push(() => new Promise((_, reject) => (fail = () => reject(error))));
    await pass(10);
    limit.end();
    fail();
    await pass(60);
    expect([limit.signal.aborted, told]).toEqual([false, []]);
  },
);

it('a renewal that succeeds after the call has no effect', async () => {
  const { limit, renewals } = calling();
  let renewed: () => void = () => undefined;
  renewals.push(() => new Promise((resolve) => (renewed = resolve)));
  await pass(10);
  limit.end();
  renewed();
  await pass(60);
  expect(limit.signal.aborted).toBe(false);
});
