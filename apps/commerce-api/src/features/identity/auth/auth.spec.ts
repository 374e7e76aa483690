import { startCommerce, useCommerce } from '../../../commerce.fixture';

const PASSWORD = 'a good passphrase';
const owner = { email: 'owner@toko-nusa.example', password: PASSWORD };
const commerce = useCommerce();

beforeAll(() => {
  const { users } = commerce.storeAuth;
  users.set(owner.email, { password: PASSWORD });
  users.set('unverified@toko-nusa.example', { password: PASSWORD, unverified: true });
  users.set('two-factor@toko-nusa.example', { password: PASSWORD, secondFactor: true });
  users.set('locked@toko-nusa.example', { password: PASSWORD, locked: true });
  users.set('homeless@toko-nusa.example', { password: PASSWORD, stores: [] });
});

const login = async (body: unknown, headers?: Record<string, string>) => {
  const answer = await commerce.post('/api/auth/login', body, headers);
  return { status: answer.status, body: answer.body };
};
const badCredentials = {
  status: 401,
  body: { status: 'error', message: 'Email or password is wrong', code: 'bad_credentials' },
};

describe('login', () => {
  it('answers exactly the three fields of the contract, and forbids caching them', async () => {
    const { status, body, headers } = await commerce.post('/api/auth/login', owner);
    expect({ status, body, cache: headers.get('cache-control') }).toEqual({
      status: 200,
      body: { access_token: 'the-access-token', token_type: 'Bearer', expires_in: 3600 },
      cache: 'no-store',
    });
  });

  it("passes on the end user's address and browser, or the device's own name", async () => {
    const { checks } = commerce.storeAuth;
    await login(owner, { 'user-agent': 'a browser', 'x-forwarded-for': '6.6.6.6' });
    await login({ ...owner, email: ` ${owner.email} `, device_name: 'Kasir 1' }, { 'user-agent': 'a browser' });
    const from = { ...owner, ip: expect.stringMatching(/^(::ffff:)?127\.0\.0\.1$/) };
    expect(checks.slice(-2)).toEqual([
      { ...from, user_agent: 'a browser' },
      { ...from, user_agent: 'Kasir 1' },
    ]);
  });

  it.each([
    ['an unknown address', { ...owner, email: 'nobody@toko-nusa.example' }],
    ['a wrong password', { ...owner, password: 'wrong' }],
    ['a user without a store', { ...owner, email: 'homeless@toko-nusa.example' }],
  ])('gives the same refusal to %s', async (_, body) => expect(await login(body)).toEqual(badCredentials));

  it('asks for the second factor where the account has one', async () =>
    expect(await login({ ...owner, email: 'two-factor@toko-nusa.example' })).toEqual({
      status: 200,
      body: { two_factor: true, challenge: 'two-factor@toko-nusa.example', expires_in: 300 },
    }));

  it('mentions an unconfirmed address only after the right password', async () => {
    const email = 'unverified@toko-nusa.example';
    expect(await login({ ...owner, email })).toEqual({
      status: 403,
      body: { status: 'error', message: 'Confirm your email address first', code: 'email_unverified' },
    });
    expect(await login({ email, password: 'wrong' })).toEqual(badCredentials);
  });

  it("passes on store-auth's waiting time when an account is locked", async () => {
    const { status, body, headers } = await commerce.post('/api/auth/login', {
      ...owner,
      email: 'locked@toko-nusa.example',
    });
    expect({ status, body, retryAfter: headers.get('retry-after') }).toEqual({
      status: 429,
      body: { status: 'error', message: 'Too many attempts, please try again later', code: 'rate_limited' },
      retryAfter: '120',
    });
  });

  it.each([
    ['nothing', {}, { email: 'email is a required field', password: 'password is a required field' }],
    ['no email address', { ...owner, email: 'sari' }, { email: 'email must be a valid email address' }],
    ['an unknown field', { ...owner, passwort: 'x' }, { passwort: 'passwort is not a known field' }],
    [
      'a password that is too long',
      { ...owner, password: 'x'.repeat(129) },
      { password: 'password must be a maximum of 128 characters in length' },
    ],
  ])('refuses %s, field by field', async (_, body, errors) =>
    expect(await login(body)).toEqual({
      status: 422,
      body: {
        status: 'error',
        message: Object.values(errors)[0],
        code: 'validation',
        errors: Object.fromEntries(Object.entries(errors).map(([field, message]) => [field, [message]])),
      },
    }),
  );

  it('refuses malformed JSON', async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${commerce.url}/api/auth/login`, { method: 'POST', headers, body: '{"email":' });
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 400,
      body: { status: 'error', message: expect.stringContaining('JSON'), code: 'malformed' },
    });
  });
});

it('login answers 503, and not wrong credentials, while store-auth is down', async () => {
  const lonely = await startCommerce();
  await lonely.storeAuth.stop();
  const { status, body, headers } = await lonely.post('/api/auth/login', owner);
  expect({ status, body, retryAfter: headers.get('retry-after') }).toEqual({
    status: 503,
    body: { status: 'error', message: 'store-auth did not answer', code: 'unavailable' },
    retryAfter: '5',
  });
  await lonely.stop();
});
