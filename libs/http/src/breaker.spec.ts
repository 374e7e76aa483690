import { fixedClock } from '@platform/runtime';
import { until } from '@platform/testing';
import { Breaker, type Sign } from './breaker';

const clock = fixedClock('2026-03-01T08:00:00.000Z');
const newBreaker = () => new Breaker({ failures: 3, pauseMs: 5_000, clock });
const see = (breaker: Breaker, ...signs: Sign[]) => signs.map((sign) => breaker.admit()?.(sign));
const opened = () => {
  const breaker = newBreaker();
  see(breaker, 'absent', 'absent', 'absent');
  return breaker;
};

it('a breaker opens after the configured consecutive failures, not after as many with a success in between', () => {
  const breaker = newBreaker();
  see(breaker, 'absent', 'absent', 'alive', 'absent', 'absent');
  expect(breaker.admit()).toBeDefined();
  see(breaker, 'absent');
  expect(breaker.admit()).toBeUndefined();
});

it('an open breaker tells how long it stays open', () => {
  const breaker = opened();
  expect(breaker.secondsLeft()).toBe(5);
  clock.advance(3_500);
  expect(breaker.secondsLeft()).toBe(2);
  clock.advance(60_000);
  expect(breaker.secondsLeft()).toBe(1);
});

it('an open breaker lets one probe at a time through after its pause, and closes at a sign of life', () => {
  const breaker = opened();
  clock.advance(4_999);
  expect(breaker.admit()).toBeUndefined();
  clock.advance(1);
  const probe = breaker.admit();
  expect(breaker.admit()).toBeUndefined();
  probe?.('alive');
  expect([breaker.admit(), breaker.admit()]).toEqual([expect.any(Function), expect.any(Function)]);
});

it('a probe that fails opens the breaker for another pause', () => {
  const breaker = opened();
  clock.advance(5_000);
  see(breaker, 'absent');
  clock.advance(4_999);
  expect(breaker.admit()).toBeUndefined();
  clock.advance(1);
  expect(breaker.admit()).toBeDefined();
});

it('a probe that was abandoned leaves its place to the next', () => {
  const breaker = opened();
  clock.advance(5_000);
  see(breaker, 'unknown');
  expect(breaker.admit()).toBeDefined();
});

it('a breaker is not kept open by calls that were in flight when it opened', () => {
  const breaker = newBreaker();
  const old = breaker.admit();
  see(breaker, 'absent', 'absent', 'absent');
  clock.advance(4_000);
  old?.('absent');
  clock.advance(1_000);
  expect(breaker.admit()).toBeDefined();
});

describe('a breaker that is fair to stores', () => {
  const fair = () => new Breaker({ failures: 3, pauseMs: 5_000, perStore: true, clock });
  const fails = (breaker: Breaker, ...stores: string[]) => stores.map((store) => breaker.admit(store)?.('absent'));
  const admits = (breaker: Breaker, ...stores: string[]) => stores.map((store) => breaker.admit(store) !== undefined);

  it('closes to the store whose calls fail, and stays open to the others', () => {
    const breaker = fair();
    fails(breaker, ...Array<string>(9).fill('noisy'));
    expect([breaker.state, ...admits(breaker, 'noisy', 'quiet')]).toEqual(['closed', false, true]);
  });

  it('opens to all when the calls of several fail', () => {
    const breaker = fair();
    fails(breaker, 'a', 'b', 'c');
    expect([breaker.state, ...admits(breaker, 'a', 'b', 'c')]).toEqual(['open', false, false, false]);
    clock.advance(5_000);
    breaker.admit('c')?.('alive');
    expect([breaker.state, ...admits(breaker, 'b', 'c')]).toEqual(['closed', true, true]);
  });

  it('stays open to the others when one store fails again and again, and another one once', () => {
    const breaker = new Breaker({ failures: 5, perStore: true, clock });
    fails(breaker, ...Array<string>(9).fill('noisy'), 'b');
    expect([breaker.state, ...admits(breaker, 'noisy', 'b', 'c')]).toEqual(['closed', false, true, true]);
    fails(breaker, 'b', 'c');
    expect([breaker.state, ...admits(breaker, 'd')]).toEqual(['open', false]);
    clock.advance(5_000);
    fails(breaker, 'd');
    expect([breaker.state, ...admits(breaker, 'e')]).toEqual(['open', false]);
  });

  it('lets the store try again after its pause, one call at a time, and forgets it at a sign of life', () => {
    const breaker = fair();
    fails(breaker, 'a', 'a', 'a');
    clock.advance(5_000);
    const probe = breaker.admit('a');
    expect(admits(breaker, 'a')).toEqual([false]);
    probe?.('alive');
    expect(admits(breaker, 'a', 'a')).toEqual([true, true]);
  });
});

it('an open breaker lets a probe through after its pause, also when the clock is set back an hour meanwhile', async () => {
  jest.useFakeTimers({ now: Date.now(), doNotFake: ['setTimeout', 'performance', 'nextTick', 'setImmediate'] });
  const breaker = new Breaker({ failures: 1, pauseMs: 10 });
  see(breaker, 'absent');
  jest.setSystemTime(Date.now() - 3_600_000);
  await until(() => breaker.state === 'half');
  jest.useRealTimers();
  expect(breaker.admit()).toBeDefined();
});
