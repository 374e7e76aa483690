import type { Database } from '@platform/data';
import { fixedClock } from '@platform/runtime';
import { Flight, ROWS_PER_TURN, type FlightContext } from './flight';
import type { Gate } from './gate';
import { LeaseLost, type Ending, type LaneStore } from './lane.store';
import { hearing, leaseOf, untilAborted } from './outbox.fixture';
import type { Verdict } from './verdict';

const START = new Date('2026-03-01T12:00:00Z');

/** A lane of one row whose statements are recorded; `lease.spec.ts` has the real ones. */
const flying = (more: Partial<FlightContext> = {}) => {
  const done: unknown[] = [];
  const { told, logger } = hearing();
  const note = (what: string) => (_: unknown, lease: unknown, how?: unknown) =>
    Promise.resolve(void done.push([what, how]));
  const store = { park: note('park'), handBack: note('hand back'), postpone: note('postpone'), finish: note('finish') };
  const context: FlightContext = {
    database: { tx: (work: (tx: object) => unknown) => work({}) } as unknown as Database,
    store: store as unknown as LaneStore,
    logger,
    leaseSeconds: 30,
    callSeconds: 27,
    endings: {
      add: ({ conclusion, last }: Ending) => (done.push(['end', conclusion.state, last]), Promise.resolve(null)),
      waiting: 0,
      stop: () => Promise.resolve(),
    },
    deliver: () => Promise.resolve({ verdict: 'done' }),
    gate: { passes: () => true } as unknown as Gate,
    arm: () => Promise.resolve(void done.push(['arm'])),
    clock: fixedClock(START),
    giveUpSeconds: 60,
    ...more,
  };
  return { flight: new Flight(context), done, told };
};
const row = leaseOf().row;

it('a row that is held sleeps, and is woken when it was released meanwhile', async () => {
  const answers = [false, false, false, true];
  const gate = { passes: () => answers.shift() } as unknown as Gate;
  for (const expected of [[['park', undefined]], [['park', undefined], ['arm']]]) {
    const { flight, done } = flying({ gate });
    await flight.run(leaseOf(), START);
    expect(done).toEqual(expected);
  }
});

describe('a call that is aborted by the stop', () => {
  const stopped = async (deliver: FlightContext['deliver']) => {
    const { flight, done, told } = flying({ deliver });
    const landing = flight.run(leaseOf(), START);
    flight.abort();
    await landing;
    return { done, told };
  };

  it.each<[string, FlightContext['deliver']]>([
    ['throws', (_, signal) => untilAborted(signal)],
    [
      'is to be sent again',
      (_, signal) => untilAborted(signal).catch((): Verdict => ({ verdict: 'retry', reason: 'aborted', spend: true })),
    ],
  ])('releases its lane without counting the try when it %s', async (_, deliver) =>
    expect(await stopped(deliver)).toEqual({ done: [['hand back', undefined]], told: [] }),
  );

  it('ends its row when the call succeeded all the same', async () => {
    const deliver: FlightContext['deliver'] = (_, signal) =>
      untilAborted(signal).catch((reason: Error): Verdict => ({ verdict: 'done', outcome: reason.message }));
    expect((await stopped(deliver)).done).toEqual([['end', 'done', true]]);
  });
});

it('a call that fails by itself while the process stops counts', async () => {
  let fail: (reason: Error) => void = () => undefined;
  const { flight, done } = flying({ deliver: () => new Promise((_, reject) => (fail = reject)) });
  const landing = flight.run(leaseOf(), START);
  flight.finishUp();
  fail(new Error('no'));
  await landing;
  expect(done).toEqual([['postpone', expect.objectContaining({ error: 'no', spend: true })]]);
});

it('a call that throws is logged, and its row dies at the age limit', async () => {
  const { flight, done, told } = flying({ deliver: () => Promise.reject(new Error('bug')) });
  await flight.run(leaseOf({ triedSeconds: 60 }), START);
  expect(done).toEqual([['end', 'dead', false]]);
  expect(told).toEqual([['outbox delivery threw', { lane: 'a', kind: 'message', eventId: row.eventId, error: 'bug' }]]);
});

it('a hook that fails is logged, and its row is sent again or dies at the age limit', async () => {
  const settle = () => Promise.reject(new Error('no room'));
  const failed = [
    'outbox settle hook failed; the row is sent again',
    { lane: 'a', kind: 'message', eventId: row.eventId, error: 'no room' },
  ];
  for (const [age, ended] of [
    [59, ['postpone', expect.objectContaining({ error: 'settle failed: no room', spend: true, transport: false })]],
    [60, ['end', 'dead', false]],
  ] as const) {
    const { flight, done, told } = flying({ deliver: () => Promise.resolve({ verdict: 'done', settle }) });
    await flight.run(leaseOf({ triedSeconds: age }), START);
    expect([done, told]).toEqual([[ended], [failed]]);
  }
});

it('a lost lease and a failure to record a delivery are logged differently', async () => {
  const lost = flying({
    endings: { add: () => Promise.reject(new LeaseLost('a')), waiting: 0, stop: () => Promise.resolve() },
  });
  await lost.flight.run(leaseOf(), START);
  expect(lost.told).toEqual([['outbox lease lost', { lane: 'a', error: new LeaseLost('a').message }]]);
  const away = flying({
    endings: { add: () => Promise.reject(new Error('away')), waiting: 0, stop: () => Promise.resolve() },
  });
  await away.flight.run(leaseOf(), START);
  expect(away.told).toEqual([
    ['outbox could not record a delivery; the row is sent again', { lane: 'a', error: 'away' }],
  ]);
});

it('a lease is relied on for nine tenths of its duration', async () => {
  for (const [age, calls] of [
    [26_999, 1],
    [27_000, 0],
  ] as const) {
    const deliver = jest.fn(() => Promise.resolve<Verdict>({ verdict: 'done' }));
    const { flight } = flying({ deliver });
    await flight.run(leaseOf(), new Date(START.getTime() - age));
    expect(deliver).toHaveBeenCalledTimes(calls);
  }
});

it('a lane that is lost while a hook settles ends the flight, and the hook counts as no failure', async () => {
  const { flight, done, told } = flying({
    database: { tx: () => Promise.reject(new LeaseLost('a')) } as unknown as Database,
    deliver: () => Promise.resolve({ verdict: 'done', settle: () => Promise.resolve() }),
  });
  await flight.run(leaseOf(), START);
  expect([done, told]).toEqual([[], [['outbox lease lost', { lane: 'a', error: new LeaseLost('a').message }]]]);
});

it('a lane gives its place back after a turn of rows, so that the next lane of its target has one', async () => {
  const lasts: boolean[] = [];
  const { flight } = flying({
    endings: {
      add: ({ last }: Ending) => (lasts.push(last), Promise.resolve(last ? null : leaseOf())),
      waiting: 0,
      stop: () => Promise.resolve(),
    },
  });
  await flight.run(leaseOf(), START);
  expect(lasts).toEqual([...Array<boolean>(ROWS_PER_TURN - 1).fill(false), true]);
});
