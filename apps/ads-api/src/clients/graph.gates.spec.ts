import { fixedClock } from '@platform/runtime';
import { Gates, type Closed, type Report } from './graph.gates';

const words = { code: 17 };
const limit = (key: string, seconds: number) => ({ key, seconds, message: 'too much', words });
const opened = () => {
  const clock = fixedClock('2026-03-01T08:00:00Z');
  return { clock, gates: new Gates(clock) };
};
const closed = (retryAfterSeconds: number) => ({ message: 'too much', words, retryAfterSeconds });
const through = (admitted: Report | Closed): Report => {
  if (typeof admitted !== 'function') throw new Error('kept back');
  return admitted;
};

describe('a limit', () => {
  it('keeps back what it holds for, and nothing else, with the time that is left', () => {
    const { clock, gates } = opened();
    gates.close(limit('caps:1', 60));
    clock.advance(500);
    expect(gates.admit(['app', 'account:1', 'caps:1'])).toEqual(closed(60));
    expect(typeof gates.admit(['app', 'account:1', 'read:1'])).toBe('function');
    expect(typeof gates.admit(['app', 'account:2', 'caps:2'])).toBe('function');
    expect(gates.open).toBe(1);
  });

  it('lets one call ahead when it is over, and the others when that was not limited', () => {
    const { clock, gates } = opened();
    gates.close(limit('caps:1', 60));
    clock.advance(60_000);
    const probe = through(gates.admit(['caps:1']));
    expect(gates.admit(['caps:1'])).toEqual(closed(1));
    probe(true);
    through(gates.admit(['caps:1']));
    expect([typeof gates.admit(['caps:1']), gates.open]).toEqual(['function', 0]);
  });

  it('lets one call ahead when the clock was set back an hour since', () => {
    const { clock, gates } = opened();
    gates.close(limit('caps:1', 60));
    clock.advance(-3_600_000);
    through(gates.admit(['caps:1']));
    expect(gates.admit(['caps:1'])).toMatchObject({ message: 'too much' });
  });

  it('that the call ahead met again lasts on', () => {
    const { clock, gates } = opened();
    gates.close(limit('caps:1', 60));
    clock.advance(60_000);
    const probe = through(gates.admit(['caps:1']));
    gates.close(limit('caps:1', 90));
    probe(false);
    expect(gates.admit(['caps:1'])).toEqual(closed(90));
  });

  it('is asked about by another call when the one ahead told nothing', () => {
    const { clock, gates } = opened();
    gates.close(limit('caps:1', 60));
    clock.advance(60_000);
    through(gates.admit(['caps:1']))(false);
    const second = gates.admit(['caps:1']);
    expect([typeof second, gates.admit(['caps:1'])]).toEqual(['function', closed(1)]);
  });

  it('does not end by a call that was under way when it began', () => {
    const { gates } = opened();
    const before = through(gates.admit(['caps:1']));
    gates.close(limit('caps:1', 60));
    before(true);
    expect(gates.admit(['caps:1'])).toEqual(closed(60));
  });

  it('does not become shorter by another one', () => {
    const { gates } = opened();
    gates.close(limit('caps:1', 300));
    gates.close(limit('caps:1', 60));
    expect(gates.admit(['caps:1'])).toEqual(closed(300));
  });

  it('that lasts longest is told where several hold', () => {
    const { clock, gates } = opened();
    gates.close(limit('account:1', 10));
    gates.close(limit('app', 90));
    expect(gates.admit(['app', 'account:1'])).toEqual(closed(90));
    clock.advance(10_000);
    expect(gates.admit(['app', 'account:1'])).toEqual(closed(80));
    expect(typeof gates.admit(['account:1'])).toBe('function');
  });

  it('that is over and never asked about is forgotten', () => {
    const { clock, gates } = opened();
    for (let account = 0; account < 5_000; account++) {
      gates.close(limit(`account:${account}`, 60));
      clock.advance(100);
    }
    expect((gates as unknown as { gates: Map<string, unknown> }).gates.size).toBeLessThan(1_001);
  });
});
