import { fixedClock } from './clock';
import { createLogger } from './logger';
import { outage } from './outage';

it('the outage of a peer is logged at once, then once a minute, and at its end', () => {
  const lines: string[] = [];
  const clock = fixedClock('2026-11-22T07:00:00Z');
  const peer = outage(
    { failed: 'the shop does not answer', answered: 'the shop answers again' },
    createLogger({ service: 'test', write: (line) => lines.push(line) }),
    clock,
  );
  const told = () =>
    lines.splice(0).map((line) => {
      const { level, message, failures, cause } = JSON.parse(line) as Record<string, unknown>;
      return [level, message, failures, cause];
    });
  peer.answered();
  for (let second = 0; second <= 60; second += 4) {
    peer.failed({ cause: `at ${second}` });
    clock.advance(4_000);
  }
  expect(told()).toEqual([
    ['warn', 'the shop does not answer', 1, 'at 0'],
    ['warn', 'the shop does not answer', 15, 'at 60'],
  ]);
  peer.answered();
  peer.answered();
  expect(told()).toEqual([['info', 'the shop answers again', undefined, undefined]]);
  peer.failed();
  expect(told()).toEqual([['warn', 'the shop does not answer', 1, undefined]]);
});
