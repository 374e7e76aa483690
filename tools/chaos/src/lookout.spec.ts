import type { Sql } from '@platform/data';
import { until } from '@platform/testing';
import { lookOut } from './lookout';

const SLOW = 4_000_000;
const QUICK = 4_000_001;

describe('a lookout', () => {
  it('tells what a slow session was seen waiting for in its time, the most frequent first, and of no other session', async () => {
    let looks = 0;
    const seen = ['IO WalSync', 'Lock relation', 'Lock relation'];
    const query = () => {
      const wait = seen[looks++];
      return Promise.resolve(wait === undefined ? [] : [{ pid: SLOW, wait }]);
    };
    const begun = performance.now();
    const lookout = lookOut({ query } as unknown as Sql, [SLOW, QUICK], () => Promise.resolve([]));
    await until(() => looks > seen.length);
    await lookout.stop();
    const ended = performance.now();
    const atOnce = 'without a processor for 0 ms, the migration for 0 ms';
    const machine = new RegExp(`^(.*)the disk stood still for \\d+ ms; ${atOnce}$`);
    expect(machine.exec(lookout.why(SLOW, begun, ended))?.[1]).toBe('2 x Lock relation; 1 x IO WalSync; ');
    expect(machine.exec(lookout.why(QUICK, begun, ended))?.[1]).toBe('');
    expect(lookout.why(SLOW, ended, ended)).toBe(`the disk stood still for 0 ms; ${atOnce}`);
  });

  it('knows for how long the disks completed nothing that was asked of them, and calls a disk without work not still', async () => {
    const stoodStill = async (inHand: number, completed: (look: number) => number) => {
      let looks = 0;
      const query = () => Promise.resolve([]);
      const begun = performance.now();
      const lookout = lookOut(
        { query } as unknown as Sql,
        [],
        () => Promise.resolve([]),
        () => ({ inHand, completed: completed(looks++) }),
      );
      await until(() => looks > 3);
      await lookout.stop();
      return lookout.stoodStill(begun, performance.now());
    };
    expect(await stoodStill(7, () => 100)).toBeGreaterThan(100);
    expect([await stoodStill(7, (look) => look), await stoodStill(0, () => 100)]).toEqual([0, 0]);
  });
});
