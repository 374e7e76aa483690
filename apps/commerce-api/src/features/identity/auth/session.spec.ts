import { bearer, useCommerce } from '../../../commerce.fixture';

const email = 'two-factor@toko-nusa.example';
const commerce = useCommerce();

beforeAll(() => {
  commerce.storeAuth.users.set(email, { password: 'a good passphrase', secondFactor: true });
  commerce.storeAuth.users.set('homeless@toko-nusa.example', { password: 'x', secondFactor: true, stores: [] });
});

const post = async (path: string, token?: string, body: unknown = undefined) => {
  const answer = await commerce.post(path, body, token === undefined ? {} : bearer(token));
  return { status: answer.status, body: answer.body, cache: answer.headers.get('cache-control') };
};
const next = {
  status: 200,
  body: { access_token: 'the-next-token', token_type: 'Bearer', expires_in: 3600 },
  cache: 'no-store',
};
const unauthenticated = {
  status: 401,
  body: { status: 'error', message: 'Unauthenticated', code: 'unauthenticated' },
  cache: null,
};
const invalid = (field: string, message: string) => ({
  status: 422,
  body: { status: 'error', message, code: 'validation', errors: { [field]: [message] } },
  cache: null,
});

describe('refresh', () => {
  it('accepts a token that has expired', async () =>
    expect(await post('/api/refresh', commerce.storeAuth.userToken({}, -3600))).toEqual(next));

  it('is a 401 for a login that has ended, for a malformed token, and without one', async () => {
    const token = commerce.storeAuth.userToken({});
    await post('/api/auth/logout', token);
    for (const given of [token, 'garbage', undefined])
      expect(await post('/api/refresh', given)).toEqual(unauthenticated);
  });
});

describe('switch-store', () => {
  it('answers a token for a store of the user, and a 403 for any other', async () => {
    const token = commerce.storeAuth.userToken({});
    expect(await post('/api/auth/switch-store', token, { store_id: ' S1 ' })).toEqual(next);
    expect(await post('/api/auth/switch-store', token, { store_id: 'S2' })).toEqual({
      status: 403,
      body: { status: 'error', message: 'You are not an active member of this store', code: 'forbidden' },
      cache: null,
    });
    expect(await post('/api/auth/switch-store', token, {})).toEqual(
      invalid('store_id', 'store_id is a required field'),
    );
  });

  it('refuses a service, which has no login', async () => {
    const token = commerce.storeAuth.serviceToken('bot-engine', 'S1');
    expect(await post('/api/auth/switch-store', token, { store_id: 'S1' })).toEqual({
      status: 403,
      body: { status: 'error', message: 'This needs a login of a user', code: 'token_not_allowed' },
      cache: null,
    });
  });

  it('refuses an expired token', async () => {
    const expired = commerce.storeAuth.userToken({}, -3600);
    expect(await post('/api/auth/switch-store', expired, { store_id: 'S1' })).toEqual(unauthenticated);
  });
});

it.each(['/api/logout', '/api/auth/logout'])(
  'POST %s ends the login of the token, and answers a repeat alike',
  async (path) => {
    const token = commerce.storeAuth.userToken({});
    const done = { status: 200, body: { status: 'success', message: 'Logged out', data: null }, cache: null };
    expect([await post(path, token), await post(path, token)]).toEqual([done, done]);
    expect(commerce.storeAuth.revoked.slice(-2)).toEqual([token, token]);
  },
);

describe('the second factor', () => {
  const answer = (challenge: string, code: string) => post('/api/auth/two-factor', undefined, { challenge, code });

  it.each(['123456', 'abcde-fghij'])('completes the sign-in with %s', async (code) =>
    expect(await answer(email, code)).toEqual({
      ...next,
      body: { access_token: 'the-access-token', token_type: 'Bearer', expires_in: 3600 },
    }),
  );

  it('answers a wrong code and an expired challenge differently, neither with a 401', async () => {
    const over = invalid('challenge', 'challenge has expired, sign in again');
    expect(await answer(email, '000000')).toEqual(invalid('code', 'code is wrong'));
    expect(await answer('nobody', '123456')).toEqual(over);
    expect(await answer('homeless@toko-nusa.example', '123456')).toEqual(over);
  });
});
