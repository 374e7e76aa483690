import { conclude, fullJitter } from './verdict';

const settle = () => Promise.resolve();
const fresh = { failures: 0, triedSeconds: null };
const tried = (triedSeconds: number) => ({ failures: 3, triedSeconds });

describe('the backoff (fullJitter)', () => {
  it('doubles the longest pause with every failure up to the cap', () => {
    const longest = [1, 2, 3, 4, 9, 10, 1_000].map((failures) => fullJitter(failures, 1, 300, () => 1));
    expect(longest).toEqual([1, 2, 4, 8, 256, 300, 300]);
  });

  it('draws any part of the longest pause', () => {
    expect([0, 0.25, 0.5].map((random) => fullJitter(4, 1, 300, () => random))).toEqual([0, 2, 4]);
  });
});

describe('the conclusion of a verdict (conclude)', () => {
  it('ends a delivered row with its outcome', () => {
    expect(conclude({ verdict: 'done', outcome: 'id 7' }, fresh)).toEqual({
      action: 'finish',
      state: 'done',
      note: 'id 7',
      alive: true,
      settle: undefined,
    });
  });

  it('ends a delivered row without an outcome, and with its settle hook', () => {
    expect(conclude({ verdict: 'done', settle }, fresh)).toStrictEqual({
      action: 'finish',
      state: 'done',
      note: null,
      alive: true,
      settle,
    });
  });

  it('ends a refused row with its reason', () => {
    expect(conclude({ verdict: 'dead', reason: 'refused', settle }, fresh)).toEqual({
      action: 'finish',
      state: 'dead',
      note: 'refused',
      alive: true,
      settle,
    });
  });

  it('postpones a retry by the given pause', () => {
    expect(
      conclude({ verdict: 'retry', reason: '503', spend: false, afterSeconds: 7, transport: true }, fresh),
    ).toEqual({
      action: 'postpone',
      error: '503',
      spend: false,
      delaySeconds: 7,
      holdSeconds: null,
      transport: true,
    });
  });

  it('postpones a retry by a random part of a pause that grows with the failures, and blames the row', () => {
    const random = jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const pauses = [fresh, tried(1)].map((row) => conclude({ verdict: 'retry', reason: '503', spend: true }, row));
    random.mockRestore();
    const postponed = { action: 'postpone', error: '503', spend: true, holdSeconds: null, transport: false };
    expect(pauses).toStrictEqual([
      { ...postponed, delaySeconds: 0.5 },
      { ...postponed, delaySeconds: 4 },
    ]);
  });

  it('gives up a row whose target is held for too long, settles it, and truncates the reason', () => {
    expect(
      conclude({ verdict: 'hold', reason: 'x'.repeat(5_000), seconds: 30, maxAgeSeconds: 60, settle }, tried(61)),
    ).toStrictEqual({
      action: 'finish',
      state: 'dead',
      note: `given up after 60 s: ${'x'.repeat(2_000)}`,
      alive: false,
      settle,
    });
  });

  it('holds the target without spending a try', () => {
    expect(conclude({ verdict: 'hold', reason: 'not linked', seconds: 30 }, fresh)).toEqual({
      action: 'postpone',
      error: 'not linked',
      spend: false,
      delaySeconds: 30,
      holdSeconds: 30,
      transport: false,
    });
  });

  it('keeps trying until the age limit', () => {
    expect(conclude({ verdict: 'retry', reason: 'away', spend: true, maxAgeSeconds: 60 }, tried(59))).toMatchObject({
      action: 'postpone',
    });
  });

  it('gives up at the age limit, counted from the first try, with the reason that the target did not answer', () => {
    expect(conclude({ verdict: 'retry', reason: 'away', spend: true, maxAgeSeconds: 60 }, tried(60))).toEqual({
      action: 'finish',
      state: 'dead',
      note: 'given up after 60 s: away',
      alive: false,
      settle: undefined,
    });
  });

  it('never gives up on the first try', () => {
    expect(conclude({ verdict: 'retry', reason: 'away', spend: true, maxAgeSeconds: 0 }, fresh)).toMatchObject({
      action: 'postpone',
    });
  });

  it('truncates reasons that are too long to store', () => {
    expect(conclude({ verdict: 'dead', reason: 'x'.repeat(5_000) }, fresh)).toMatchObject({
      note: 'x'.repeat(2_000),
    });
  });
});
