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
  it('lets a good token in, from anywhere', async () => {
    expect(await guard(request('good'))).toEqual({ kind: 'token', claims });
    expect(await guard(request('good', '198.51.100.7'))).toEqual({ kind: 'token', claims });
  });

  it('answers at once for a token that was verified before', () => {
    const remembering = jwtGuard({
      verifier: { verify, remembered: (token) => (token === 'known' ? claims : undefined) },
    });
    expect(remembering(request('known'))).toEqual({ kind: 'token', claims });
    expect(remembering(request('good'))).toBeInstanceOf(Promise);
  });

  it('says whether a token is missing, invalid or expired', async () => {
    await expect(guard(request())).rejects.toMatchObject({ reason: 'missing' });
    await expect(guard(request('bad'))).rejects.toMatchObject({ reason: 'invalid' });
    await expect(guard(request('old'))).rejects.toMatchObject({ reason: 'expired' });
  });

  it('lets an allowlisted address in without a good token', async () => {
    for (const token of [undefined, 'bad', 'old'])
      expect(await guard(request(token, '::ffff:198.51.100.7'))).toEqual({ kind: 'address', address: '198.51.100.7' });
  });

  it('believes X-Forwarded-For only of a trusted proxy', async () => {
    expect(await guard(request(undefined, '10.0.0.1', '6.6.6.6, 198.51.100.7'))).toEqual({
      kind: 'address',
      address: '198.51.100.7',
    });
    await expect(guard(request(undefined, '203.0.113.9', '198.51.100.7'))).rejects.toMatchObject({ reason: 'missing' });
    await expect(guard(request(undefined, '10.0.0.1', '198.51.100.7, 6.6.6.6'))).rejects.toMatchObject({
      reason: 'missing',
    });
  });

  it('does not turn a token that cannot be checked into somebody else', async () => {
    await expect(guard(request('away', '198.51.100.7'))).rejects.toBeInstanceOf(Unavailable);
  });

  it('knows nobody by address unless told', async () => {
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
  ])('of %j: the token is %j', (authorization, token) =>
    expect(bearerToken({ headers: { authorization } })).toBe(token),
  );

  it.each([
    ['id:secret', { id: 'id', secret: 'secret' }],
    ['id:se:cret', { id: 'id', secret: 'se:cret' }],
    ['id:', { id: 'id', secret: '' }],
    ['id', undefined],
    [':secret', undefined],
  ])('of Basic %j: %j', (text, credentials) => {
    expect(basicCredentials({ headers: { authorization: `Basic ${Buffer.from(text).toString('base64')}` } })).toEqual(
      credentials,
    );
  });

  it('are none without a header', () => {
    expect([
      bearerToken({ headers: {} }),
      basicCredentials({ headers: {} }),
      basicCredentials({ headers: { authorization: 'Basic !' } }),
    ]).toEqual([undefined, undefined, undefined]);
  });
});

it('secrets are equal or not, whatever their lengths', () => {
  expect([equalSecrets('a', 'a'), equalSecrets('a', 'b'), equalSecrets('a', 'aa'), equalSecrets('', '')]).toEqual([
    true,
    false,
    false,
    true,
  ]);
});
