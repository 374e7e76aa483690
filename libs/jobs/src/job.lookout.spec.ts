import { Lookout } from './job.lookout';

const HOUR_MS = 3_600_000;

/** One worker's looks, each of which passes over what `avoided` says then. */
const looking = (avoided: { flags: string[]; rested?: string[] }, pollMs = HOUR_MS) => {
  const nextRound = (): boolean => {
    const { rested } = avoided;
    if (rested) Object.assign(avoided, { flags: rested, rested: undefined });
    return rested !== undefined;
  };
  const took: number[] = [];
  const looked = (ms: number) => void took.push(ms);
  const lookout = new Lookout({ avoided: { full: () => avoided.flags, looked, nextRound }, pollMs });
  const emit = lookout.events.emit.bind(lookout.events) as (event: string) => boolean;
  emit('worker:create');
  const found: string[][] = [];
  const look = () => lookout.turn().then((flags) => void found.push(flags));
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { lookout, emit, found, took, look, settled };
};

it('nobody looks through the same backlog again before there is news', async () => {
  const { lookout, emit, found, look, settled } = looking({ flags: ['a'] });
  await look();
  emit('worker:getJob:empty');
  const again = look();
  await settled();
  expect(found).toEqual([['a']]);
  lookout.wake();
  await again;
  expect(found).toEqual([['a'], ['a']]);
});

it('a look follows at once when there is less to pass over, or none was in vain', async () => {
  const avoided = { flags: ['a', 'b'] };
  const { lookout, emit, found, look, settled } = looking(avoided);
  await look();
  await look();
  emit('worker:getJob:empty');
  const again = look();
  lookout.ease();
  await settled();
  expect(found).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
  avoided.flags = ['b'];
  lookout.ease();
  await again;
  expect(found).toEqual([['a', 'b'], ['a', 'b'], ['b']]);
});

it('who rested goes on without a look for others, when the last one found nobody', async () => {
  const avoided: Parameters<typeof looking>[0] = { flags: ['a', 'b'] };
  const { emit, found, look } = looking(avoided);
  await look();
  emit('worker:getJob:empty');
  avoided.rested = ['b'];
  await look();
  expect(found).toEqual([['a', 'b'], ['b']]);
});

it('news that come while somebody looks in vain are looked for', async () => {
  const { lookout, emit, found, look } = looking({ flags: [] });
  await look();
  lookout.wake();
  emit('worker:getJob:empty');
  await look();
  expect(found).toEqual([[], []]);
});

it.each(['worker:release', 'the time of a poll'])('nobody waits beyond %s', async (end) => {
  const { emit, found, look } = looking({ flags: [] }, end === 'worker:release' ? HOUR_MS : 20);
  await look();
  emit('worker:getJob:empty');
  const again = look();
  emit(end);
  await again;
  expect(found).toEqual([[], []]);
});

it('a clock that is set back keeps nobody from looking with the next poll', async () => {
  const { emit, found, look } = looking({ flags: [] }, 20);
  await look();
  emit('worker:getJob:empty');
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - HOUR_MS);
  await look();
  clock.mockRestore();
  expect(found).toEqual([[], []]);
});

it('it is told how long each look took that found a job', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
  try {
    const { emit, took, look } = looking({ flags: ['a'] });
    await look();
    jest.advanceTimersByTime(12);
    emit('job:start');
    emit('job:complete');
    await look();
    jest.advanceTimersByTime(3);
    emit('job:start');
    expect(took).toEqual([12, 3]);
  } finally {
    jest.useRealTimers();
  }
});
