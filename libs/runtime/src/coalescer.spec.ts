import { Coalescer } from './coalescer';
import { silentLogger, type Fields } from './logger';

interface Change {
  readonly id: string;
  readonly count: number;
}

const start = (flush: (changed: readonly Change[]) => Promise<void>, everyMs = 1) => {
  const warnings: Fields[] = [];
  const logger = { ...silentLogger, warn: (_text: string, fields: Fields = {}) => void warnings.push(fields) };
  return {
    warnings,
    coalescer: new Coalescer<Change>({ name: 'counts', everyMs, keyOf: ({ id }) => id, flush, logger }),
  };
};

/** Resolves to the announcements once there are this many. */
const telling = (times: number) => {
  const told: (readonly Change[])[] = [];
  let done: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (done = resolve));
  const flush = (changed: readonly Change[]): void => {
    told.push(changed);
    if (told.length === times) done();
  };
  return { told, finished, flush };
};

it('a burst is announced at once, each item once and in its last state', async () => {
  const { told, finished, flush } = telling(1);
  const { coalescer } = start(async (changed) => flush(changed));
  for (let count = 1; count <= 3; count += 1) for (const id of ['a', 'b']) coalescer.add({ id, count });
  await finished;
  expect(told).toEqual([
    [
      { id: 'a', count: 3 },
      { id: 'b', count: 3 },
    ],
  ]);
});

it('a change during an announcement is announced afterwards, never concurrently', async () => {
  const { told, finished, flush } = telling(2);
  let underWay = 0;
  const { coalescer } = start(async (changed) => {
    underWay += 1;
    if (told.length === 0) coalescer.add({ id: 'a', count: 2 });
    expect(underWay).toBe(1);
    await Promise.resolve();
    underWay -= 1;
    flush(changed);
  });
  coalescer.add({ id: 'a', count: 1 });
  await finished;
  expect(told).toEqual([[{ id: 'a', count: 1 }], [{ id: 'a', count: 2 }]]);
});

it('an announcement that fails is logged, and the next change is still announced', async () => {
  const { told, finished, flush } = telling(1);
  let fails = true;
  const { coalescer, warnings } = start(async (changed) => {
    if (!fails) return flush(changed);
    fails = false;
    coalescer.add({ id: 'b', count: 1 });
    throw new Error('no database');
  });
  coalescer.add({ id: 'a', count: 1 });
  await finished;
  expect(told).toEqual([[{ id: 'b', count: 1 }]]);
  expect(warnings).toEqual([{ name: 'counts', cause: 'Error: no database' }]);
});

it('nothing is announced after a stop', async () => {
  const told: unknown[] = [];
  const { coalescer } = start(async (changed) => void told.push(changed), 60_000);
  coalescer.add({ id: 'a', count: 1 }); // the first is announced at once: a timer of 0 ms
  await coalescer.stop();
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  expect(told).toEqual([]);
});

it('a change is announced also when the clock was set back since the last one', async () => {
  const first = telling(1);
  const second = telling(2);
  const { coalescer } = start(async (changed) => {
    first.flush(changed);
    second.flush(changed);
  });
  coalescer.add({ id: 'a', count: 1 });
  await first.finished;
  const before = Date.now() - 3_600_000;
  jest.spyOn(Date, 'now').mockImplementation(() => before);
  coalescer.add({ id: 'a', count: 2 });
  await second.finished;
  jest.restoreAllMocks();
  expect(second.told).toHaveLength(2);
});
