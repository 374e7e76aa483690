import { asFailure, Conflict, Failure, InvalidInput, Unauthenticated, Unavailable, Unexpected } from './failure';

describe('failures', () => {
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

  it('speaks with the first violation', () => {
    const violations = [{ field: 'a', tag: 'required', message: 'a is a required field' }];
    expect(new InvalidInput(violations)).toMatchObject({ message: 'a is a required field', violations });
  });

  it('says why nobody was recognised, in one fixed text', () => {
    expect(new Unauthenticated({ reason: 'expired' })).toMatchObject({ reason: 'expired', message: 'Unauthenticated' });
  });

  it('asks to be called again in five seconds unless told otherwise', () => {
    expect(new Unavailable('database away').retryAfterSeconds).toBe(5);
    expect(new Unavailable('database away', { retryAfterSeconds: 2 }).retryAfterSeconds).toBe(2);
  });

  it('turns anything thrown into a failure and leaves failures alone', () => {
    const failure = new Conflict('x');
    expect(asFailure(failure)).toBe(failure);
    const thrown = new TypeError('bug');
    const wrapped = asFailure(thrown);
    expect(wrapped).toBeInstanceOf(Unexpected);
    expect(wrapped).toBeInstanceOf(Failure);
    expect(wrapped.cause).toBe(thrown);
  });
});
