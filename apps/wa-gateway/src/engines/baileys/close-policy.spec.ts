import { ClosePolicy, RestartSlot } from './close-policy';

const stop = (state: string, archive = false) => ({ kind: 'stop', state, archive });
const closing = (code?: number, text = '', linked = true) => ({ code, text, linked });

describe('a closed connection', () => {
  it.each([
    [515, { kind: 'restart', afterMs: 0, state: 'connecting' }],
    [401, stop('logged_out', true)],
    [411, stop('logged_out', true)],
    [402, stop('banned')],
    [403, stop('banned')],
    [406, stop('banned')],
    [405, stop('outdated')],
    [440, stop('replaced')],
    [408, { kind: 'restart', afterMs: 1_000, state: 'reconnecting' }],
    [428, { kind: 'restart', afterMs: 1_000, state: 'reconnecting' }],
    [500, { kind: 'restart', afterMs: 1_000, state: 'reconnecting' }],
    [503, { kind: 'restart', afterMs: 1_000, state: 'reconnecting' }],
    [undefined, { kind: 'restart', afterMs: 1_000, state: 'reconnecting' }],
  ])('with code %s', (code, decision) => {
    expect(new ClosePolicy(() => 0.5).decide(closing(code))).toEqual(decision);
  });

  it('whose codes nobody scanned ends the round', () => {
    const policy = new ClosePolicy(() => 0.5);
    expect(policy.decide(closing(408, 'QR refs attempts ended', false))).toEqual(stop('qr_expired'));
  });

  it('waits longer and longer up to a minute, then asks every five minutes, and keeps its credentials', () => {
    const policy = new ClosePolicy(() => 1);
    const decisions = Array.from({ length: 12 }, () => policy.decide(closing(428)));
    const waits = decisions.map((decision) => (decision.kind === 'restart' ? decision.afterMs : 'stop'));
    const doubled = [2_000, 4_000, 8_000, 16_000, 32_000];
    expect(waits).toEqual([...doubled, ...Array.from({ length: 5 }, () => 60_000), 300_000, 300_000]);
    expect(decisions.slice(9, 11)).toMatchObject([{ state: 'reconnecting' }, { state: 'disconnected' }]);
    policy.opened();
    expect(policy.decide(closing(428))).toEqual({ kind: 'restart', afterMs: 2_000, state: 'reconnecting' });
  });

  it('draws its wait anywhere below the limit, so that devices do not come back in step', () => {
    const draws = [0, 0.25, 0.999].map((draw) => new ClosePolicy(() => draw).decide(closing(503)));
    expect(draws.map((decision) => decision.kind === 'restart' && decision.afterMs)).toEqual([0, 500, 1_998]);
  });

  it('of a pairing round is tried again, and not for ever', () => {
    const policy = new ClosePolicy(() => 0);
    const decisions = Array.from({ length: 11 }, () => policy.decide(closing(428, '', false)));
    expect(decisions.at(0)).toEqual({ kind: 'restart', afterMs: 0, state: 'connecting' });
    expect(decisions.at(-1)).toEqual(stop('qr_expired'));
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
});
