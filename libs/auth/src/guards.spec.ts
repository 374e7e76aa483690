import type { Claims } from '@platform/contracts';
import { Unauthenticated, Unavailable } from '@platform/errors';
import { ipAllowlist } from './address-list';
import { basicCredentials, bearerToken, equalSecrets, jwtGuard } from './guards';

const claims = { sub: 'u1' } as Claims;
const verify = (token: string): Promise<Claims> => {
  if (token === 'good') return Promise.resolve(claims);
  if (token === 'away') return Promise.reject(new Unavailable('keys are not loaded'));
  return Promise.reject(new Unauthenticated({ reason: token === 'old' ? 'expired' : 'invalid' }));
};
const allowlist = ipAllowlist('198.51.100.0/24', { setting: 'ALLOWED_IPS' });
const trustedProxies = ipAllowlist('10.0.0.1', { setting: 'TRUST_PROXY' });
const guard = jwtGuard({ verifier: { verify }, allowlist, trustedProxies });
const request = (token?: string, remoteAddress = '203.0.113.9', forwardedFor?: string) => ({
  headers: {
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(forwardedFor ? { 'x-forwarded-for': forwardedFor } : {}),
  },
  remoteAddress,
});

describe('the guard', () => {
  it('the guard admits a valid token from any address', async () => {
    expect(await guard(request('good'))).toEqual({ kind: 'token', claims });
    expect(await guard(request('good', '198.51.100.7'))).toEqual({ kind: 'token', claims });
  });

  it('the guard answers synchronously when the token was verified before', () => {
    const remembering = jwtGuard({
      verifier: { verify, remembered: (token) => (token === 'known' ? claims : undefined) },
    });
    expect(remembering(request('known'))).toEqual({ kind: 'token', claims });
    expect(remembering(request('good'))).toBeInstanceOf(Promise);
  });

  it('the guard caches only tokens of the Bearer scheme', async () => {
    const remembering = jwtGuard({ verifier: { verify, remembered: () => claims } });
    for (const authorization of [undefined, 'Digest known', 'known'])
      await expect(remembering({ headers: { authorization } })).rejects.toMatchObject({ reason: 'missing' });
  });

  it('the guard says whether a token is missing, invalid or expired', async () => {
    await expect(guard(request())).rejects.toMatchObject({ reason: 'missing' });
    await expect(guard(request('bad'))).rejects.toMatchObject({ reason: 'invalid' });
    await expect(guard(request('old'))).rejects.toMatchObject({ reason: 'expired' });
  });

  it('the guard admits an allowlisted address without a valid token', async () => {
    for (const token of [undefined, 'bad', 'old'])
      expect(await guard(request(token, '::ffff:198.51.100.7'))).toEqual({ kind: 'address', address: '198.51.100.7' });
  });

  it('the guard accepts X-Forwarded-For only from a trusted proxy', async () => {
    expect(await guard(request(undefined, '10.0.0.1', '6.6.6.6, 198.51.100.7'))).toEqual({
      kind: 'address',
      address: '198.51.100.7',
    });
    await expect(guard(request(undefined, '203.0.113.9', '198.51.100.7'))).rejects.toMatchObject({ reason: 'missing' });
    await expect(guard(request(undefined, '10.0.0.1', '198.51.100.7, 6.6.6.6'))).rejects.toMatchObject({
      reason: 'missing',
    });
  });

  it('the guard does not fall back to the address for a token that cannot be checked', async () => {
    await expect(guard(request('away', '198.51.100.7'))).rejects.toBeInstanceOf(Unavailable);
  });

  it('the guard admits no address when there is no allowlist', async () => {
    await expect(jwtGuard({ verifier: { verify } })(request(undefined, '127.0.0.1'))).rejects.toMatchObject({
      reason: 'missing',
    });
  });
});

describe('credentials of the authorization header', () => {
  it.each([
    ['Bearer abc.def-1_2', 'abc.def-1_2'],
    ['bearer  abc ', 'abc'],
    ['Bearer', undefined],
    ['Bearer a b', undefined],
    ['Basic abc', undefined],
    ['', undefined],
  ])('in the authorization header %j the token is %j', (authorization, token) =>
    expect(bearerToken({ headers: { authorization } })).toBe(token),
  );

  it.each([
    ['id:secret', { id: 'id', secret: 'secret' }],
    ['id:se:cret', { id: 'id', secret: 'se:cret' }],
    ['id:', { id: 'id', secret: '' }],
    ['id', undefined],
    [':secret', undefined],
  ])('the Basic credentials of %j are %j', (text, credentials) => {
    expect(basicCredentials({ headers: { authorization: `Basic ${Buffer.from(text).toString('base64')}` } })).toEqual(
      credentials,
    );
  });

  it('credentials are undefined without an authorization header', () => {
    expect([
      bearerToken({ headers: {} }),
      basicCredentials({ headers: {} }),
      basicCredentials({ headers: { authorization: 'Basic !' } }),
    ]).toEqual([undefined, undefined, undefined]);
  });

  it('credentials are one whole header of one scheme', () => {
    const encoded = Buffer.from('id:secret').toString('base64');
    const basic = (authorization: string | string[]) => basicCredentials({ headers: { authorization } });
    expect(basic(`basic   ${encoded}  `)).toEqual({ id: 'id', secret: 'secret' });
    for (const other of [`x Basic ${encoded}`, `Basic ${encoded} x`, [`Basic ${encoded}`]])
      expect(basic(other)).toBeUndefined();
    for (const other of ['x Bearer abc', ['Bearer abc']])
      expect(bearerToken({ headers: { authorization: other } })).toBeUndefined();
  });
});

it('secrets are compared in full, whatever their lengths', () => {
  expect([equalSecrets('a', 'a'), equalSecrets('a', 'b'), equalSecrets('a', 'aa'), equalSecrets('', '')]).toEqual([
    true,
    false,
    false,
    true,
  ]);
});
