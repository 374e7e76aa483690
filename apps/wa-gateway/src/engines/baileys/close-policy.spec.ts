import { ClosePolicy, RestartSlot } from './close-policy';

const NOON = Date.parse('2026-11-22T12:00:00Z');

/** A policy whose clock stands still until it is moved. */
const policyOf = (random: () => number) => {
  let now = NOON;
  const policy = new ClosePolicy(random, () => new Date(now));
  return { policy, pass: (ms: number) => void (now += ms), passed: () => now - NOON };
};

const stop = (state: string, archive = false) => ({ kind: 'stop', state, archive });
const closing = (code?: number, text = '', linked = true) => ({ code, text, linked });

describe('a closed connection', () => {
  it.each([
    [515, { kind: 'restart', afterMs: 0, state: 'connecting' }],
    [401, stop('logged_out', true)],
    [411, stop('logged_out', true)],
    [403, stop('banned', true)],
    [406, stop('banned', true)],
    [405, stop('outdated')],
    [409, stop('outdated')],
    [440, stop('replaced')],
    [408, { kind: 'restart', afterMs: 1_000, state: 'reconnecting' }],
    [428, { kind: 'restart', afterMs: 1_000, state: 'reconnecting' }],
    [500, { kind: 'restart', afterMs: 1_000, state: 'reconnecting' }],
    [503, { kind: 'restart', afterMs: 1_000, state: 'reconnecting' }],
    [undefined, { kind: 'restart', afterMs: 1_000, state: 'reconnecting' }],
  ])('with code %s', (code, decision) => {
    expect(policyOf(() => 0.5).policy.decide(closing(code))).toEqual(decision);
  });

  it('whose codes nobody scanned ends the round', () => {
    const { policy } = policyOf(() => 0.5);
    expect(policy.decide(closing(408, 'QR refs attempts ended', false))).toEqual(stop('qr_expired'));
  });

  it('waits longer and longer up to a minute, then asks every five minutes, and keeps its credentials', () => {
    const { policy, pass } = policyOf(() => 1);
    const decisions = Array.from({ length: 12 }, () => policy.decide(closing(428)));
    const waits = decisions.map((decision) => (decision.kind === 'restart' ? decision.afterMs : 'stop'));
    const doubled = [2_000, 4_000, 8_000, 16_000, 32_000];
    expect(waits).toEqual([...doubled, ...Array.from({ length: 5 }, () => 60_000), 300_000, 300_000]);
    expect(decisions.slice(9, 11)).toMatchObject([{ state: 'reconnecting' }, { state: 'disconnected' }]);
    policy.opened();
    pass(60_000);
    expect(policy.decide(closing(428))).toEqual({ kind: 'restart', afterMs: 2_000, state: 'reconnecting' });
  });

  it('draws its wait anywhere below the limit, so that devices do not come back in step', () => {
    const draws = [0, 0.25, 0.999].map((draw) => policyOf(() => draw).policy.decide(closing(503)));
    expect(draws.map((decision) => decision.kind === 'restart' && decision.afterMs)).toEqual([0, 500, 1_998]);
  });

  it('of a pairing round is tried again, and not for ever', () => {
    const { policy } = policyOf(() => 0);
    const decisions = Array.from({ length: 11 }, () => policy.decide(closing(428, '', false)));
    expect(decisions.at(0)).toEqual({ kind: 'restart', afterMs: 0, state: 'connecting' });
    expect(decisions.at(-1)).toEqual(stop('qr_expired'));
  });
});

describe('a connection that closes as soon as it has opened', () => {
  /** Milliseconds of the logins of the first ten minutes. */
  const logins = (code: number, random: number, lastsMs: number): number[] => {
    const { policy, pass, passed } = policyOf(() => random);
    const at: number[] = [];
    while (passed() <= 600_000) {
      at.push(passed());
      policy.opened();
      pass(lastsMs);
      const decision = policy.decide(closing(code));
      if (decision.kind === 'restart') pass(decision.afterMs);
    }
    return at;
  };

  it.each([428, 500, 503, 515])('with code %i logs in fewer than 5 times in 10 minutes', (code) => {
    const cases = [0, 0.5, 0.999].flatMap((random) => [0, 300, 59_000].map((lastsMs) => [random, lastsMs] as const));
    for (const [random, lastsMs] of cases) expect(logins(code, random, lastsMs).length).toBeLessThan(5);
  });

  it('comes back quickly the first time, then after a minute, then every five minutes', () => {
    expect(logins(503, 0.5, 0)).toEqual([0, 1_000, 91_000, 391_000]);
  });

  it('begins anew with one that lasts a minute', () => {
    const { policy, pass } = policyOf(() => 0.5);
    const close = (afterMs: number) => {
      policy.opened();
      pass(afterMs);
      return policy.decide(closing(503));
    };
    expect([close(0), close(0), close(60_000), close(0)]).toMatchObject(
      [1_000, 90_000, 1_000, 2_000].map((afterMs) => ({ afterMs, state: 'reconnecting' })),
    );
  });

  it('because our store was away is no sign of WhatsApp’s', () => {
    const { policy } = policyOf(() => 0.5);
    const waits = [1, 2, 3].map(() => {
      policy.opened();
      const decision = policy.decide({ ...closing(), byUs: true });
      return decision.kind === 'restart' && decision.afterMs;
    });
    expect(waits).toEqual([1_000, 2_000, 4_000]);
  });
});

describe('a temporary ban', () => {
  const banned = (afterMs: number) => ({
    ...{ kind: 'restart', state: 'banned', afterMs },
    until: new Date(NOON + afterMs),
  });
  it.each([
    ['whose end WhatsApp names ends then', '3600', banned(3_600_000)],
    ['without an end lasts a day', undefined, banned(86_400_000)],
    ['with an end that is none lasts a day', '-1', banned(86_400_000)],
    ['is asked about after a year at the latest', '1e300', banned(365 * 86_400_000)],
  ])('%s', (_, expire, decision) => {
    expect(policyOf(() => 0.5).policy.decide({ ...closing(402), expire })).toEqual(decision);
  });
});

describe('the restart', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is one: a new cause replaces the former', () => {
    const slot = new RestartSlot();
    const ran: string[] = [];
    slot.schedule(1_000, () => ran.push('first'));
    slot.schedule(2_000, () => ran.push('second'));
    jest.advanceTimersByTime(10_000);
    slot.schedule(1_000, () => ran.push('third'));
    slot.cancel();
    jest.advanceTimersByTime(10_000);
    expect(ran).toEqual(['second']);
  });

  it('waits for longer than a timer can', () => {
    const slot = new RestartSlot();
    const ran: string[] = [];
    const days = 24 * 3_600_000;
    slot.schedule(60 * days, () => ran.push('after the ban'));
    jest.advanceTimersByTime(60 * days - 1);
    expect(ran).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(ran).toEqual(['after the ban']);
  });
});
