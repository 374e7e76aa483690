import {
  asFailure,
  Conflict,
  Failure,
  InvalidInput,
  Unauthenticated,
  Unavailable,
  Unexpected,
  UpstreamFailed,
  UpstreamTimedOut,
} from './failure';

describe('a failure', () => {
  it('keeps kind, code, details and cause', () => {
    const cause = new Error('underneath');
    const failure = new Conflict('taken', { code: 'slug_taken', details: { slug: 'a' }, cause });
    expect(failure).toMatchObject({
      kind: 'conflict',
      name: 'Conflict',
      message: 'taken',
      code: 'slug_taken',
      details: { slug: 'a' },
      cause,
    });
  });

  it('has the message of its first violation', () => {
    const violations = [{ field: 'a', tag: 'required', message: 'a is a required field' }];
    expect(new InvalidInput(violations)).toMatchObject({ message: 'a is a required field', violations });
  });

  it('gives the reason why nobody was authenticated, with a fixed text', () => {
    expect(new Unauthenticated({ reason: 'expired' })).toMatchObject({ reason: 'expired', message: 'Unauthenticated' });
  });

  it('asks for a retry in five seconds by default', () => {
    expect(new Unavailable('database away').retryAfterSeconds).toBe(5);
    expect(new Unavailable('database away', { retryAfterSeconds: 2 }).retryAfterSeconds).toBe(2);
  });

  it('of another side leaves open whether the request was done there, unless that is known', () => {
    const outcomes = [
      new UpstreamFailed('nonsense'),
      new UpstreamTimedOut('silent'),
      new UpstreamFailed('no', { outcome: 'refused' }),
      new UpstreamTimedOut('no connection', { outcome: 'undone' }),
    ].map(({ outcome, unknown }) => [outcome, unknown]);
    expect(outcomes).toEqual([
      ['unknown', true],
      ['unknown', true],
      ['refused', false],
      ['undone', false],
    ]);
  });

  it('is made of anything thrown, and a failure stays itself', () => {
    const failure = new Conflict('x');
    expect(asFailure(failure)).toBe(failure);
    const thrown = new TypeError('bug');
    const wrapped = asFailure(thrown);
    expect(wrapped).toBeInstanceOf(Unexpected);
    expect(wrapped).toBeInstanceOf(Failure);
    expect(wrapped.cause).toBe(thrown);
  });
});
